// The lines of the basket: a dish's with plus and minus, and a set's with its dishes. What is taken out can be brought back for some seconds. A line
// stays the same element while it is there, so that no tap meets one that was just replaced. Used by screens/basket.js.

import {addDish, addSale, heldLine, isTapped, quantityOf, removeDish, removeSale, removeSaleItem, roomFor} from './basket.js';
import {chosenList, dishOf, unitOf, unitsOf} from './chosen.js';
import {arrange, el, fill, icon} from './dom.js';
import {fixButtons} from './fixbuttons.js';
import {lineFood} from './food.js';
import {money} from './money.js';
import {doing, notice, trying} from './notice.js';
import {loadPart} from './parts/loadPart.js';
import {picture} from './picture.js';
import {prices} from './prices.js';
import {onThisScreen} from './router.js';
import {sentenceOf} from './sentences.js';
import {isForLater, soldOut} from './soldout.js';
import {t} from './words.js';

const tool = (name, label, key, work, about = null) => el('button.round', {
  type: 'button', 'aria-label': label, 'aria-describedby': about, 'data-key': key, onclick: (event) => event.currentTarget.getAttribute('aria-disabled') !== 'true' && work(event.currentTarget),
}, icon(name));

/** A link that opens a sheet to change something. It may be drawn anew by the change: the focus stays with the line. */
const changing = (name, line, ask, about = null) => el('button.link', {
  type: 'button', 'aria-label': t('Change {title}', {title: name}), 'aria-haspopup': 'dialog', 'aria-describedby': about,
  onclick: ({currentTarget: button}) => doing(button, async () => {
    await ask(await onThisScreen(loadPart('sheet', () => import('./sheet.js'))));
    if (!button.isConnected) (document.querySelector(`${line} .link`) ?? document.querySelector('h1'))?.focus();
  }),
}, t('Change'));

/** Tells that something was taken out. What can still be had is brought back by a tap, and what took it out, `button`, has the focus again. */
const tellOut = (title, {canReturn, restore, button}) => notice(t('{title} was removed from the basket.', {title}), {about: title, undo: canReturn && (async () => {
  await restore();
  document.querySelector(button())?.focus();
  notice(t('{title} is in the basket.', {title}));
})});

/** The picture of a line, of one of the dishes that the card has: {node, draw}. It has its room before those are known. */
function face(id, title) {
  const node = el('span.face');
  return {node, draw(card) {
    const item = card.get(id);
    if (item && !node.firstChild) node.append(picture(item.imageURL, title, {shape: 'thumb', photograph: item.photograph}));
  }};
}

const canBeHad = (thing) => thing.isAvailable || isForLater(thing);

/** The line of a dish: {node, update}. */
function line(held) {
  const {lineId, menuItemId: id, title, note} = held;
  const dish = dishOf(held);
  /** What tells two lines of one dish apart. */
  const about = `chosen-${lineId}`;
  const name = note ? `${title}, “${note}”` : title;
  const looks = face(id, title);
  const what = el('div.what');
  const number = el('span');
  const sum = el('strong.sum');
  const plus = el('button.round', {type: 'button', 'aria-label': t('One {title} more', {title: name}), 'aria-describedby': about, 'data-key': `plus ${id}`, onclick: () => {
    if (plus.getAttribute('aria-disabled') !== 'true') trying(() => addDish(dish), title);
    else if (left !== null) notice(t('Only {count} left', {count: left}), {isProblem: true});
  }}, icon('plus'));
  const node = el('li.line', {'data-line': id, 'data-line-id': lineId}, looks.node, what,
    el('div.steps', {role: 'group', 'aria-label': t('How many {title}', {title: name})},
      tool('minus', t('One {title} less', {title: name}), `minus ${id}`, () => trying(() => (quantityOf(dish) > 1 ? addDish(dish, -1) : takeOut('minus')), title), about),
      el('span.quantity', {}, el('span.unseen', {}, `${t('Quantity')} `), number),
      plus),
    sum,
    tool('bin', t('Remove {title}', {title: name}), `bin ${id}`, (button) => doing(button, () => takeOut('bin'), title), about));
  let drawn = '', left = null, shown = null;

  async function takeOut(key) {
    const had = quantityOf(dish);
    if (!had) return;
    await removeDish(dish);
    tellOut(title, {
      canReturn: canBeHad(shown), restore: () => addDish(dish, had),
      button: () => `[data-line-id="${heldLine(dish)?.lineId}"] [data-key="${key} ${id}"]`,
    });
  }

  function update(entry, of, {card, wrong}) {
    looks.draw(card);
    const quantity = quantityOf(dish);
    number.textContent = String(quantity);
    left = entry.unavailable?.available ?? card.get(id)?.left ?? null;
    shown = entry;
    if (!canBeHad(entry) || quantity >= 99 || roomFor({id, left}) < 1) plus.setAttribute('aria-disabled', 'true');
    else plus.removeAttribute('aria-disabled');
    sum.classList.toggle('pending', isTapped(dish));
    const mine = wrong.filter(({field}) => field === `lines/${lineId}` || field.startsWith(`lines/${lineId}/`));
    const state = JSON.stringify([entry, of.currency, mine]);
    if (state === drawn) return;
    drawn = state;
    fill(sum, prices(entry.total, entry.regularUnitPrice * entry.quantity, of));
    fill(what,
      el('a', {href: `#/items/${id}`}, title),
      entry.previousUnitPrice == null ? null : el('p.warn', {}, t('The price has changed: {before} → {now}', {before: money(entry.previousUnitPrice, of), now: money(entry.unitPrice, of)})),
      isForLater(entry) ? el('p.quiet', {}, forLater(entry)) : entry.isAvailable ? null : warnings(mine, outOf(entry, dish.options)),
      el('div.choice', {id: about}, chosenList(entry.options, of)),
      foodOf(entry),
      el('p.wish', {}, note ? el('q', {}, note) : null, changing(name, `[data-line-id="${lineId}"]`, ({askToChange}) => askToChange(entry), about)));
  }
  return {node, update};
}

/** What is wrong with something, with what can be done about it; before it is known, what to do. */
const warnings = (errors, otherwise) => (errors.length ? errors.map((error) => [el('p.warn', {}, error.text ?? otherwise), error.fixes.length ? el('div.row.fixes', {}, fixButtons(error.fixes, 'h1')) : null]).flat()
  : el('p.warn', {}, otherwise));

const foodOf = (entry) => (lineFood(entry) ? el('p.allergens', {}, lineFood(entry)) : null);

const forLater = (thing) => t('{what}: please order it for that time.', {what: soldOut(thing)});

/** What to do about a line that can't be had. */
function outOf(entry, options) {
  const what = soldOut(entry);
  if (entry.unavailable?.available > 0) return t('{what}: please order fewer.', {what});
  return options.length ? t('{what}: please change it, or remove it from the basket.', {what}) : t('{what}: please remove it from the basket.', {what});
}

/** The line of a set. */
function set({salesGroupId: id, title: name, items}) {
  const looks = face(items[0]?.menuItemId, name);
  const what = el('div.what');
  const sum = el('strong.sum');
  const node = el('li.line.set', {'data-set': id}, looks.node, what, sum,
    tool('bin', t('Remove {title}', {title: name}), `bin set ${id}`, (button) => doing(button, async () => {
      const units = unitsOf(shown);
      await removeSale(id);
      tellOut(name, {canReturn: shown.items.every(canBeHad), restore: () => addSale(id, units), button: () => `[data-key="bin set ${id}"]`});
    })));
  let drawn = '', shown = null;
  const nameOfUnit = ({title, quantity}) =>
    (quantity > 1 ? t('one {title} of {set}', {title, set: name}) : t('{title} of {set}', {title, set: name}));

  function update(entry, of, {card, wrong}) {
    looks.draw(card);
    shown = entry;
    const mine = wrong.filter(({field, text}) => text && field.startsWith(`sales/${id}/`));
    // The sale was retired or changed: that concerns the whole set, and its units can't be chosen anew one by one.
    const ofSale = wrong.filter(({field}) => field === `sales/${id}`);
    const isOffered = entry.unavailable?.reason !== 'not_offered';
    const state = JSON.stringify([entry, of.currency, mine, ofSale]);
    if (state === drawn) return;
    drawn = state;
    sum.textContent = money(entry.total, of);
    fill(what,
      el('a', {href: `#/sales/${id}`}, name),
      el('ul.units', {}, entry.items.map((item) => el('li', {}, `${item.quantity} × ${item.title} `,
        isOffered && changing(nameOfUnit(item), `[data-set="${id}"]`,
          ({askToChangeUnit}) => askToChangeUnit(entry, item)),
        chosenList(item.options, of), foodOf(item), item.note ? el('q', {}, item.note) : null,
        isForLater(item) ? el('p', {}, forLater(item)) : item.isAvailable ? null : problems(item)))),
      isOffered ? null : warnings(ofSale.map((error) => ({...error, text: sentenceOf(error, of)})), soldOut(entry)));
    function problems(item) {
      if (!isOffered) return null;
      const ofItem = mine.filter(({field}) => field.startsWith(`sales/${id}/items/${item.menuItemId}/`) || field.endsWith(`/items/${item.menuItemId}`));
      return ofItem.length ? warnings(ofItem) : soldOutItem(id, name, item);
    }
  }
  return {node, update};
}

const soldOutItem = (id, name, item) => el('p.warn', {'data-sold-out': item.menuItemId}, `${t('{what}: please remove it.', {what: soldOut(item)})} `,
  tool('bin', t('Remove {title} from {set}', {title: item.title, set: name}), `bin ${id} ${item.menuItemId}`, (button) => doing(button, async () => {
    await removeSaleItem(id, item.menuItemId);
    notice(t('{title} was removed from the basket.', item));
  })));

/** A list of lines, each made once: by its id, its name and its dish, which its buttons act on. {list, update}. */
function lines(make, idOf) {
  const made = new Map();
  const list = el('ul.lines');
  return {
    list,
    update(entries, of, known) {
      const keys = entries.map((entry) => `${idOf(entry)} ${entry.title} ${JSON.stringify(unitOf(entry))}`);
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

/** The list of single dishes, and that of sets. */
export const dishLines = () => lines(line, (entry) => entry.lineId);
export const setLines = () => lines(set, (entry) => entry.salesGroupId);
