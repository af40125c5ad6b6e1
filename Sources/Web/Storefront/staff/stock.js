// The menu, with what is sold out: a tap sells a dish out until further notice or brings it back, and guests see it at once; another one says when
// it comes back by itself. What others change, in SQL too, is
// found by asking again every few seconds, which costs a 304. Read next: door.js.

import {read} from '../api.js';
import {now} from '../clock.js';
import {el, fill} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {soldOut} from '../soldout.js';
import {postStaff} from './door.js';

async function readMenu() {
  const items = [];
  let cursor = '';
  do {
    const page = await read(`/v1/menu?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor);
  return items;
}

/** The next four o'clock in the morning, by the clock of this device, which stands in the shop: whoever works past midnight means this morning. */
function tomorrowMorning() {
  const at = new Date(now());
  if (at.getHours() >= 4) at.setDate(at.getDate() + 1);
  at.setHours(4, 0, 0, 0);
  return at.toISOString();
}

/** Until when something may be sold out, each with what it is called. */
const terms = [
  ['for an hour', () => new Date(now() + 3_600_000).toISOString()], ['until tomorrow morning', tomorrowMorning], ['until further notice', () => undefined],
];

/** The tab; `count` is told how many are sold out. */
export function stock(count) {
  let items = [], categories = [], drawn = '';
  const lists = el('div.stock', {}, el('p.quiet', {}, 'One moment…'));
  const search = el('input', {type: 'search', placeholder: 'Find a dish', 'aria-label': 'Find a dish', autocomplete: 'off', maxlength: 60, oninput: draw});

  function row(item) {
    const mark = (name, key, label, change) => el(name, {
      type: 'button', 'data-key': key, 'aria-label': `${label}: ${item.title}`,
      onclick: (event) => event.detail < 2 && doing(event.currentTarget, async () => {
        const changed = await postStaff(`/v1/staff/menu/${item.id}/availability`, change());
        items = items.map((other) => (other.id === changed.id ? changed : other));
        draw();
        notice(`${changed.title} is ${changed.isAvailable ? 'back in stock' : soldOut(changed).replace('S', 's')}.`);
      }),
    }, label);
    const button = mark('button.button.plain', item.id, item.isAvailable ? 'Mark sold out' : 'Back in stock', () => ({isAvailable: !item.isAvailable}));
    const until = item.isAvailable ? null : el('div.chips', {role: 'group', 'aria-label': `How long ${item.title} is sold out`},
      terms.map(([label, moment]) => mark('button.chip', `${item.id} ${label}`, label, () => ({isAvailable: false, until: moment()}))));
    return el(item.isAvailable ? 'li' : 'li.gone', {'data-item': item.id},
      el('span.name', {}, item.title, el('small', {}, ` ${money(item.currentPrice, item)}`)),
      el(item.isAvailable ? 'span.level' : 'span.level.out', {}, item.isAvailable ? 'In stock' : soldOut(item)), button, until);
  }

  function draw() {
    const words = search.value.trim().toLowerCase();
    const state = JSON.stringify([words, items, categories]);
    if (state === drawn) return;
    drawn = state;
    const key = lists.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const found = items.filter((item) => item.title.toLowerCase().includes(words));
    const groups = categories.map((category) => [category, found.filter((item) => item.category === category.id)]).filter(([, some]) => some.length);
    fill(lists, groups.length
      ? groups.map(([category, some]) => el('section', {'aria-labelledby': `stock-${category.id}`},
        el('h2', {id: `stock-${category.id}`}, category.title), el('ul', {}, some.map(row))))
      : el('p.quiet', {}, 'Nothing on the menu is called that.'));
    if (key) lists.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true});
    count(items.filter((item) => !item.isAvailable).length);
  }

  async function look() {
    try {
      if (document.visibilityState === 'visible') {
        [items, {items: categories}] = await Promise.all([readMenu(), read('/v1/categories?limit=100')]);
        draw();
      }
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      if (!items.length) fill(lists, el('p.warn', {}, `${problem.detail} We keep trying.`));
    }
    setTimeout(look, 3_000);
  }
  look();
  return {title: 'Menu', nodes: [el('div.finding', {role: 'search'}, search), lists]};
}
