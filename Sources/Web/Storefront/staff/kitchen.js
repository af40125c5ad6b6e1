// What the kitchen makes now, dish by dish, and the orders that somebody looks for. Used by board.js.

import {el, fill} from '../dom.js';
import {trying} from '../notice.js';
import {search} from './orders.js';
import {closedOrder} from './ticket.js';

/** How many of each dish are in the orders that are accepted or cooking, the most first. */
export function sums(open) {
  const all = new Map();
  for (const order of open) {
    if (order.state !== 'accepted' && order.state !== 'preparing') continue;
    for (const {title, quantity} of [...order.lines, ...order.sales.flatMap(({items}) => items)]) all.set(title, (all.get(title) ?? 0) + quantity);
  }
  return [...all].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
}

/** Where they stand; `draw` has the open orders. */
export function kitchenNow() {
  const list = el('span');
  const node = el('p.kitchen-now', {hidden: true}, el('b', {}, 'In the kitchen now: '), list);
  return {node, draw(open) {
    const all = sums(open);
    node.hidden = all.length === 0;
    const text = all.map(([title, many]) => `${many} × ${title}`).join(', ');
    if (list.textContent !== text) list.textContent = text;
  }};
}

/** The field that looks for an order by its number, its guest's name or phone. */
export function finder() {
  const input = el('input', {id: 'find', type: 'text', inputmode: 'search', autocomplete: 'off', maxlength: 100, placeholder: 'Number, name or phone'});
  const found = el('ul.over.found', {hidden: true, 'aria-label': 'Found'});
  let timer = 0, last = '';
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(look, 250);
  });
  function look() {
    const words = input.value.trim();
    last = words;
    found.hidden = !words;
    if (!words) return fill(found);
    return trying(async () => {
      const orders = await search(words);
      if (last === words) fill(found, orders.length ? orders.map(closedOrder) : el('li.quiet', {}, 'No order is called so.'));
    });
  }
  return {node: el('div.finder', {}, el('label.unseen', {for: 'find'}, 'Find an order'), input), found};
}
