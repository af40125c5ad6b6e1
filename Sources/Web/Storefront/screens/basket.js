// The basket: single dishes and sets apart, plus, minus, remove, and what it all costs. How many there are is what was tapped; sums are the
// server's and pale until they have come. A line stays the same element while it is there, so that no tap meets one that was just replaced.

import {fetched, post} from '../api.js';
import {addDish, basket, clearBasket, isTapped, quantityOf, refresh, removeDish, removeSale, removeSaleItem, roomFor} from '../basket.js';
import {wholeCard} from '../chapters.js';
import {chosenList} from '../chosen.js';
import {arrange, el, fill, icon} from '../dom.js';
import {lineFood} from '../food.js';
import {money} from '../money.js';
import {doing, notice, trying} from '../notice.js';
import {prices} from '../prices.js';
import {question} from '../question.js';
import {title} from '../router.js';
import {isForLater, soldOut} from '../soldout.js';
import {wayButtons} from '../ways.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

const tool = (name, label, key, work, about = null) => el('button.round', {
  type: 'button', 'aria-label': label, 'aria-describedby': about, 'data-key': key, onclick: (event) => event.currentTarget.getAttribute('aria-disabled') !== 'true' && work(event.currentTarget),
}, icon(name));

/** A link that opens a sheet to change something. It may be drawn anew by the change: the focus stays with the line. */
const changing = (name, line, ask, about = null) => el('button.link', {
  type: 'button', 'aria-label': t('Change {title}', {title: name}), 'aria-haspopup': 'dialog', 'aria-describedby': about,
  onclick: ({currentTarget: button}) => doing(button, async () => {
    await ask(await fetched(import('../sheet.js')));
    if (!button.isConnected) (document.querySelector(`${line} .link`) ?? document.querySelector('h1'))?.focus();
  }),
}, t('Change'));

/** The line of a dish: {node, update}. */
function line({lineId, menuItemId: id, title, note, options = []}) {
  const dish = {menuItemId: id, note, options};
  /** What tells two lines of one dish apart. */
  const about = `chosen-${lineId}`;
  const name = note ? `${title}, “${note}”` : title;
  const what = el('div.what');
  const number = el('span');
  const sum = el('strong.sum');
  const plus = el('button.round', {type: 'button', 'aria-label': t('One {title} more', {title: name}), 'aria-describedby': about, 'data-key': `plus ${id}`, onclick: () => {
    if (plus.getAttribute('aria-disabled') !== 'true') trying(() => addDish(dish));
    else if (left !== null) notice(t('Only {count} left', {count: left}), {isProblem: true});
  }}, icon('plus'));
  const node = el('li.line', {'data-line': id, 'data-line-id': lineId}, what,
    el('div.steps', {role: 'group', 'aria-label': t('How many {title}', {title: name})},
      tool('minus', t('One {title} less', {title: name}), `minus ${id}`, () => trying(() => addDish(dish, -1)), about),
      el('span.quantity', {}, el('span.unseen', {}, `${t('Quantity')} `), number),
      plus),
    sum,
    tool('bin', t('Remove {title}', {title: name}), `bin ${id}`, (button) => doing(button, async () => {
      await removeDish(dish);
      notice(t('{title} is out of the basket.', {title}));
    }), about));
  let drawn = '', left = null;

  function update(entry, of, {lefts, wrong}) {
    const quantity = quantityOf(dish);
    number.textContent = String(quantity);
    left = entry.unavailable?.available ?? lefts.get(id) ?? null;
    const isShort = !entry.isAvailable && !isForLater(entry);
    if (isShort || quantity >= 99 || roomFor({id, left}) < 1) plus.setAttribute('aria-disabled', 'true');
    else plus.removeAttribute('aria-disabled');
    sum.classList.toggle('pending', isTapped(dish));
    const mine = wrong.filter(({field}) => field === `lines/${lineId}` || field.startsWith(`lines/${lineId}/`));
    const state = JSON.stringify([entry, of.currency, mine]);
    if (state === drawn) return;
    drawn = state;
    sum.textContent = money(entry.total, of);
    fill(what,
      el('a', {href: `#/items/${id}`}, title),
      prices(entry.unitPrice, entry.regularUnitPrice, of),
      entry.previousUnitPrice == null ? null : el('p.warn', {}, t('The price has changed: {before} → {now}', {before: money(entry.previousUnitPrice, of), now: money(entry.unitPrice, of)})),
      isForLater(entry) ? el('p.quiet', {}, forLater(entry)) : entry.isAvailable ? null : warnings(mine, outOf(entry, options)),
      el('div.choice', {id: about}, chosenList(entry.options, of)),
      foodOf(entry),
      el('p.wish', {}, note ? el('q', {}, note) : null, changing(name, `[data-line-id="${lineId}"]`, ({askToChange}) => askToChange(entry), about)));
  }
  return {node, update};
}

/** What is wrong with something, with what can be done about it; before it is known, what to do. */
const warnings = (errors, otherwise) => (errors.length ? errors.map((error) => [el('p.warn', {}, error.text ?? otherwise), error.ways.length ? el('div.row.ways', {}, wayButtons(error.ways, 'h1')) : null]).flat()
  : el('p.warn', {}, otherwise));

const foodOf = (entry) => (lineFood(entry) ? el('p.allergens', {}, lineFood(entry)) : null);

const forLater = (thing) => t('{what}: please order it for then.', {what: soldOut(thing)});

/** What to do about a line that can't be had. */
function outOf(entry, options) {
  const what = soldOut(entry);
  if (entry.unavailable?.available > 0) return t('{what}: please take fewer.', {what});
  return options.length ? t('{what}: please change it, or take it out of the basket.', {what}) : t('{what}: please take it out of the basket.', {what});
}

/** The line of a set. */
function set({salesGroupId: id, title: name}) {
  const what = el('div.what');
  const sum = el('strong.sum');
  const node = el('li.line.set', {'data-set': id}, what, sum,
    tool('bin', t('Remove {title}', {title: name}), `bin set ${id}`, (button) => doing(button, async () => {
      await removeSale(id);
      notice(t('{title} is out of the basket.', {title: name}));
    })));
  let drawn = '';

  function update(entry, of, {wrong}) {
    const mine = wrong.filter(({field, text}) => text && field.startsWith(`sales/${id}/`));
    const state = JSON.stringify([entry, of.currency, mine]);
    if (state === drawn) return;
    drawn = state;
    sum.textContent = money(entry.total, of);
    fill(what,
      el('a', {href: `#/sales/${id}`}, name),
      el('ul.units', {}, entry.items.map((item) => el('li', {}, `${item.quantity} × ${item.title} `,
        changing(item.quantity > 1 ? t('one {title} of {set}', {title: item.title, set: name}) : t('{title} of {set}', {title: item.title, set: name}), `[data-set="${id}"]`, ({askToChangeUnit}) => askToChangeUnit(entry, item)),
        chosenList(item.options, of), foodOf(item), item.note ? el('q', {}, item.note) : null, isForLater(item) ? el('p', {}, forLater(item)) : item.isAvailable ? null : problems(item)))));
    function problems(item) {
      const ofItem = mine.filter(({field}) => field.startsWith(`sales/${id}/items/${item.menuItemId}/`) || field.endsWith(`/items/${item.menuItemId}`));
      return ofItem.length ? warnings(ofItem) : soldOutItem(id, name, item);
    }
  }
  return {node, update};
}

const soldOutItem = (id, name, item) => el('p.warn', {'data-sold-out': item.menuItemId}, `${t('{what}: please take it out.', {what: soldOut(item)})} `,
  tool('bin', t('Take {title} out of {set}', {title: item.title, set: name}), `bin ${id} ${item.menuItemId}`, (button) => doing(button, async () => {
    await removeSaleItem(id, item.menuItemId);
    notice(t('{title} is out of the basket.', item));
  })));

/** A list of lines, each made once: by its id and its name, note and options, which its buttons act on. */
function lines(make, idOf) {
  const made = new Map();
  const list = el('ul.lines');
  return {
    list,
    update(entries, of, known) {
      const keys = entries.map((entry) => `${idOf(entry)} ${entry.title} ${entry.note ?? ''} ${JSON.stringify(entry.options)}`);
      for (const key of [...made.keys()]) if (!keys.includes(key)) made.delete(key);
      arrange(list, entries.map((entry, index) => {
        if (!made.has(keys[index])) made.set(keys[index], make(entry));
        const one = made.get(keys[index]);
        one.update(entry, of, known);
        return one.node;
      }));
    },
  };
}

async function empty(button) {
  const isSure = await question(t('Empty the basket?'), t('Everything in it is taken out.'), {yes: t('Empty it'), no: t('Keep it')});
  if (isSure) {
    await doing(button, async () => {
      await clearBasket();
      notice(t('The basket is empty.'));
    });
  }
}

/** What asks the checkout, which tells which option is out and how many there are; `take` is given what is wrong with what can't be had. */
function judging(take) {
  let judged = '', asking = Promise.resolve();
  async function ask(now, state) {
    const [{body}, {mended}] = await Promise.all([post('/v1/checkout/validate', {basketId: now.id}), fetched(import('../mends.js'))]);
    const wrong = await mended(body.errors ?? [], now);
    if (state === judged) take(wrong.filter(({ways}) => ways?.length));
  }
  return () => {
    const now = basket.value;
    const out = [...now?.lines ?? [], ...(now?.sales ?? []).flatMap((sale) => sale.items)].filter((one) => !one.isAvailable && !isForLater(one));
    const state = out.length ? JSON.stringify([now.version, out]) : '';
    if (state !== judged) {
      judged = state;
      if (!out.length) take([]);
      asking = out.length ? ask(now, state) : Promise.resolve();
    }
    return asking.catch((problem) => {
      judged = '';
      if (problem.code === undefined) throw problem;
    });
  };
}

export function basketScreen(place, route) {
  title(t('Basket'), {silent: route.isFirst});
  const heading = el('h1', {tabindex: '-1'}, t('Your basket'));
  const body = el('div.basket');
  const dishes = lines(line, (entry) => entry.lineId);
  const sets = lines(set, (entry) => entry.salesGroupId);
  const total = el('strong', {id: 'total'});
  const parts = {
    dishes: el('section', {'aria-labelledby': 'dishes'}, el('h2', {id: 'dishes'}, t('Dishes')), dishes.list),
    sets: el('section', {'aria-labelledby': 'sets'}, el('h2', {id: 'sets'}, t('Sets')), sets.list),
    totals: el('div.totals', {},
      el('p.total', {}, el('span', {}, t('Total')), total),
      el('div.row', {},
        el('a.button.big', {href: '#/checkout'}, t('To the checkout')),
        el('button.button.plain', {type: 'button', 'data-key': 'clear', onclick: (event) => empty(event.currentTarget)}, t('Empty the basket')))),
  };
  /** How many are left of what is counted, and what is wrong with what can't be had, with what can be done: {field, text, ways}. */
  const known = {lefts: new Map(), wrong: []};
  const judge = judging((wrong) => { known.wrong = wrong; });
  const nothing = [nothingYet(t('Nothing in it yet. A basket likes company.'))];
  fill(place, heading, body);

  function draw() {
    const hadFocus = body.contains(document.activeElement);
    const now = basket.value;
    dishes.update(now?.lines ?? [], now, known);
    sets.update(now?.sales ?? [], now, known);
    if (now) total.textContent = money(now.total, now);
    total.classList.toggle('pending', isTapped());
    arrange(body, now?.totalCount ? [...now.lines.length ? [parts.dishes] : [], ...now.sales.length ? [parts.sets] : [], parts.totals] : nothing);
    // What had the focus is gone with its line.
    if (hadFocus && !body.contains(document.activeElement)) heading.focus({preventScroll: true});
  }
  // Where most go next; if it can't be had now, it is asked for again there.
  import('./checkout.js').catch(() => {});
  let isDrawn = Boolean(basket.value);
  if (isDrawn) draw();
  else body.append(el('p.quiet', {}, t('One moment…')));
  /** At once what is seen already; else when all is known, so that nothing moves. */
  async function follow() {
    if (isDrawn) draw();
    await judge();
    isDrawn = true;
    draw();
  }
  refresh().then(follow, (problem) => {
    if (!basket.value) fill(body, el('p.warn', {role: 'alert'}, `${problem.detail ?? t('Something went wrong.')} ${t('Your basket is kept.')}`));
    else follow();
  });
  wholeCard().then((items) => {
    known.lefts = new Map(items.map(({id, left}) => [id, left]));
    if (isDrawn) draw();
  }, () => {});
  return basket.watch(follow);
}
