// One order as the kitchen reads it: what, for whom, by when, and the buttons that move it on. Used by board.js.

import {dueAt, now} from '../clock.js';
import {el, icon} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {advance} from './orders.js';
import {askReason} from './rejection.js';

/** The states an open order goes through, the heading of each, and what the tap that leads there is called. */
export const steps = {
  placed: {heading: 'New'},
  accepted: {heading: 'Accepted', tap: 'Accept', done: 'is accepted'},
  preparing: {heading: 'In the kitchen', tap: 'Start cooking', done: 'is in the kitchen'},
  on_the_way: {heading: 'On the way', tap: 'Send out', done: 'is on the way'},
  delivered: {heading: 'Delivered', tap: 'Delivered', done: 'is delivered'},
  cancelled: {heading: 'Cancelled by the guest'},
  rejected: {heading: 'Rejected'},
};

const clock = new Intl.DateTimeFormat(undefined, {timeStyle: 'short'});

/** By when it is due, and how late it is. */
export function due(order) {
  const at = dueAt(order);
  const minutes = Math.floor((now() - at) / 60_000);
  if (minutes < 1) return {text: `due ${clock.format(at)}`, isLate: false};
  const lateness = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return {text: `due ${clock.format(at)}, ${lateness} late`, isLate: true};
}

/** What was chosen, each with how many are in one of what it stands under; what belongs to it further in. */
const chosen = (options) => (options.length
  ? el('ul.chosen', {}, options.map((option) => el('li', {}, el('b', {}, `${option.quantity > 1 ? `${option.quantity} × ` : ''}${option.title}`), chosen(option.options))))
  : null);
const dish = ({quantity, title, options, note}) => [el('b', {}, `${quantity} ×`), ` ${title}`, chosen(options), note ? el('q.note', {}, note) : null];
const dishes = (order) => el('ul.dishes', {},
  order.lines.map((line) => el('li', {}, dish(line))),
  order.sales.map((sale) => el('li', {}, `${sale.title}:`, el('ul.units', {}, sale.items.map((item) => el('li', {}, dish(item)))))));

/** What the guest added for those who cook and carry. */
const tips = (order) => order.totals.filter(({kind}) => kind === 'tip').map((tip) => el('p.paid.tip', {}, el('span', {}, 'of which a tip'), el('span', {}, money(tip.amount, order))));

/** The card of an open order. */
export function ticket(order) {
  const next = order.actions.find((state) => state !== 'rejected');
  const {name, phone, address, comment} = order.customer ?? {};
  const when = due(order);
  const node = el('li.ticket', {'data-number': order.number, 'data-state': order.state, tabindex: '-1', 'aria-label': `Order ${order.number}`},
    el('div.head', {}, el('h3', {}, order.number), el(when.isLate ? 'span.due.late' : 'span.due', {}, when.text)),
    dishes(order),
    comment ? el('p.comment', {}, `“${comment}”`) : null,
    el('p.who', {}, el('b', {}, name), ' · ', el('a', {href: `tel:${phone}`}, phone), el('br'), address),
    el('p.paid', {}, el('span', {}, `placed ${clock.format(new Date(order.placedAt))}`), el('b', {}, money(order.total, order))),
    order.minimumAge ? el('p.age', {}, `From ${order.minimumAge} years: ask for the age`) : null,
    tips(order),
    el('div.row', {},
      next ? el('button.button', {type: 'button', 'data-next': next, 'aria-label': `${steps[next].tap}: order ${order.number}`, onclick: move}, icon('tick'), steps[next].tap) : null,
      el('button.button.plain', {type: 'button', 'aria-label': `Reject order ${order.number}`, onclick: () => askReason(order)}, 'Reject')));

  function move(event) {
    // The second tap of a hasty double tap would hit the card that has moved up.
    if (event.detail > 1) return;
    doing(event.currentTarget, async () => {
      await advance(order.number, next);
      notice(`Order ${order.number} ${steps[next].done}.`);
    });
  }
  return node;
}

/** A line of those that are over. */
export const closedOrder = (order) => el('li', {'data-number': order.number, 'data-state': order.state},
  el('b', {}, order.number), el('span', {}, steps[order.state].heading, order.rejectionReason ? `: ${order.rejectionReason}` : ''),
  el('span.quiet', {}, clock.format(new Date(order.placedAt))), el('span.sum', {}, money(order.total, order)));
