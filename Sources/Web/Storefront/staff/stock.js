// The menu, with what is sold out: a tap sells a dish out or brings it back, and guests see it at once. What others change, in SQL too, is
// found by asking again every few seconds, which costs a 304. Read next: door.js.

import {read} from '../api.js';
import {el, fill} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
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

/** The tab; `count` is told how many are sold out. */
export function stock(count) {
  let items = [], categories = [], drawn = '';
  const lists = el('div.stock', {}, el('p.quiet', {}, 'One moment…'));
  const search = el('input', {type: 'search', placeholder: 'Find a dish', 'aria-label': 'Find a dish', autocomplete: 'off', maxlength: 60, oninput: draw});

  function row(item) {
    const button = el('button.button.plain', {
      type: 'button', 'data-key': item.id, 'aria-label': `${item.isAvailable ? 'Mark sold out' : 'Back in stock'}: ${item.title}`,
      onclick: (event) => event.detail < 2 && doing(event.currentTarget, async () => {
        const changed = await postStaff(`/v1/staff/menu/${item.id}/availability`, {isAvailable: !item.isAvailable});
        items = items.map((other) => (other.id === changed.id ? changed : other));
        draw();
        notice(`${changed.title} is ${changed.isAvailable ? 'back in stock' : 'sold out'}.`);
      }),
    }, item.isAvailable ? 'Mark sold out' : 'Back in stock');
    return el(item.isAvailable ? 'li' : 'li.gone', {'data-item': item.id},
      el('span.name', {}, item.title, el('small', {}, ` ${money(item.currentPrice, item)}`)),
      el(item.isAvailable ? 'span.level' : 'span.level.out', {}, item.isAvailable ? 'In stock' : 'Sold out'), button);
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
