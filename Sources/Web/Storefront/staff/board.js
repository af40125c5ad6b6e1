// The orders by state, the oldest first in each: columns on a wide screen, one below the other on a tablet or a phone; a bar that stays in view
// says how many each state has, and leads to it. Cards that have not changed stay as they are, so that nobody's finger meets another card.
// Read next: orders.js, ticket.js.

import {arrange, el, fill} from '../dom.js';
import {orders} from './orders.js';
import {closedOrder, due, steps, ticket} from './ticket.js';

const open = ['placed', 'accepted', 'preparing', 'on_the_way'];

/** The tab; `count` is told how many are new, and `bar` is where the bar of the states stands. */
export function board(count, bar) {
  const columns = Object.fromEntries(open.map((state) => {
    const many = el('span.many', {}, '0');
    const list = el('ul.tickets');
    const none = el('p.quiet.none', {}, 'None.');
    return [state, {many, list, none, node: el(`section.column.${state}`, {'aria-labelledby': `column-${state}`},
      el('h2', {id: `column-${state}`}, `${steps[state].heading} `, many), none, list)}];
  }));
  fill(bar, open.map((state) => {
    const number = el('span.many', {}, '–');
    columns[state].numbers = [columns[state].many, number];
    return el(`button.${state}`, {type: 'button', onclick: () => {
      const heading = columns[state].node.querySelector('h2');
      heading.tabIndex = -1;
      heading.focus({preventScroll: true});
      columns[state].node.scrollIntoView({block: 'start'});
    }}, el('span', {}, steps[state].heading), number);
  }));
  const more = el('p.warn', {hidden: true}, 'There are more open orders than fit here; the newest are shown.');
  const over = el('ul.over');
  const done = el('details.done', {}, el('summary', {}, 'The last that are over'), over);
  const waiting = el('p.quiet', {}, 'One moment…');
  const columnsNode = el('div.columns', {hidden: true}, open.map((state) => columns[state].node));
  const cards = new Map();
  let isFilled = false;

  /** The card of an order as it is now; the old one if nothing of it has changed. */
  function card(order) {
    const known = cards.get(order.number);
    if (known && known.state === order.state) return known.node;
    const made = {state: order.state, order, node: ticket(order)};
    if (isFilled) made.node.classList.add('fresh');
    cards.set(order.number, made);
    return made.node;
  }

  function draw(now) {
    if (!now) return;
    waiting.hidden = true;
    columnsNode.hidden = false;
    const focused = document.activeElement.closest('.ticket')?.dataset.number;
    for (const state of open) {
      const {numbers, list, none} = columns[state];
      const wanted = now.open.filter((order) => order.state === state).map(card);
      arrange(list, wanted);
      for (const number of numbers) number.textContent = String(wanted.length);
      none.hidden = wanted.length > 0;
    }
    isFilled = true;
    const shown = new Set(now.open.map((order) => order.number));
    for (const number of [...cards.keys()]) if (!shown.has(number)) cards.delete(number);
    // The card that was moved has the focus, not its button: the key that moved it would move it on.
    if (focused && document.activeElement === document.body) (cards.get(focused)?.node ?? document.querySelector('#orders h1')).focus();
    more.hidden = now.isWhole;
    fill(over, now.closed.length ? now.closed.map(closedOrder) : el('li.quiet', {}, 'None yet.'));
    count(columns.placed.list.children.length);
  }

  // Time passes without anybody's doing.
  setInterval(() => {
    for (const {order, node} of cards.values()) {
      const {text, isLate} = due(order);
      const label = node.querySelector('.due');
      if (label.textContent !== text) label.textContent = text;
      label.classList.toggle('late', isLate);
    }
  }, 1_000);
  orders.watch(draw);
  draw(orders.value);
  return {title: 'Orders', nodes: [waiting, more, columnsNode, done]};
}
