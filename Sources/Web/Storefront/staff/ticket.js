// One order as the kitchen reads it: what, for whom, by when, and the buttons that move it on. Used by board.js.

import {dueAt, now} from '../clock.js';
import {el, icon} from '../dom.js';
import {money} from '../money.js';
import {doing, notice, trying} from '../notice.js';
import {day, time} from '../when.js';
import {deadlineLine} from './deadline.js';
import {askDelay} from './delay.js';
import {may} from './door.js';
import {heldOf, hold, letGo} from './holding.js';
import {advance, takeBack, undoOf} from './orders.js';
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

/** How long before its time an order that is wanted later comes up, as Sources/Ordering/Orders/Kitchen.swift has it. */
const ahead = 3_600_000;

/** Whether it is wanted later, and nobody has to do with it yet. */
export const isLater = ({wantedAt, state}) => wantedAt !== null && (state === 'placed' || state === 'accepted') && Date.parse(wantedAt) - ahead > now();

/** By when it is due, or for when it is wanted, and how late it is. */
export function due(order) {
  const at = dueAt(order);
  const minutes = Math.floor((now() - at) / 60_000);
  const text = `${order.wantedAt === null ? 'due' : 'for'} ${day(at) === 'today' ? '' : `${day(at)}, `}${time(at)}`;
  if (minutes < 1) return {text, isLate: false};
  const lateness = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return {text: `${text}, ${lateness} late`, isLate: true};
}

/** How it gets to the guest, and where to. */
const way = ({fulfilment, area, customer}) => (fulfilment === 'pickup' ? 'Pickup' : ['Delivery', area?.title, customer?.postcode].filter(Boolean).join(' · '));

/** The tap of a step; who comes for the food is sent nothing. */
const tapOf = (state, {fulfilment}) => (fulfilment === 'pickup' && {on_the_way: 'Ready', delivered: 'Picked up'}[state]) || steps[state].tap;

/** What it is about to become. */
const become = (state, order) => (state === 'delivered' ? tapOf(state, order) : steps[state].heading);

/** What was chosen, each with how many are in one of what it stands under; what belongs to it further in. */
const chosen = (options) => (options.length
  ? el('ul.chosen', {}, options.map((option) => el('li', {}, el('b', {}, `${option.quantity > 1 ? `${option.quantity} × ` : ''}${option.title}`), chosen(option.options))))
  : null);
const dish = ({quantity, title, options, note}) => [el('b', {}, `${quantity} × ${title}`), chosen(options), note ? el('q.note', {}, note) : null];
const dishes = (order) => el('ul.dishes', {},
  order.lines.map((line) => el('li', {}, dish(line))),
  order.sales.map((sale) => el('li', {}, `${sale.title}:`, el('ul.units', {}, sale.items.map((item) => el('li', {}, dish(item)))))));

/** What of the sum is not for dishes. */
const parts = {delivery_fee: 'of which delivery', tip: 'of which a tip'};

/** What is paid for bringing it, nothing too where an area asks for nothing, and what the guest added for those who cook and carry. */
const extras = (order) => order.totals.filter(({kind}) => kind in parts)
  .map(({kind, amount}) => el('p.paid', {'data-total': kind}, el('span', {}, parts[kind]), el('span', {}, money(amount, order))));

/** For how long it has waited, in colours and in words. */
export function age(order) {
  const [minutes, left] = [Math.max(0, Math.floor((now() - Date.parse(order.placedAt)) / 60_000)), Math.ceil((dueAt(order) - now()) / 60_000)];
  const step = left <= 0 ? 'late' : left <= 10 ? 'soon' : 'calm';
  const words = {late: 'late', soon: `${left} min left`, calm: 'in time'}[step];
  return {step, text: `${minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`} · ${words}`};
}

/** Whether who carries it needs the address and the phone. */
const isCarried = ({state, fulfilment}) => state === 'on_the_way' && fulfilment === 'delivery';

const who = ({name, phone, address}, isWhole) => el('p.who', {}, el('b', {}, name),
  isWhole ? [' · ', el('a', {href: `tel:${phone}`}, phone), ...address ? [el('br'), address] : []] : null);

/** In how many minutes it can be accepted for with one tap. */
const times = [20, 30, 45, 60];

/** The card of an open order. */
export function ticket(order) {
  const next = order.actions.find((state) => state !== 'rejected');
  const customer = order.customer ?? {};
  const [when, since] = [due(order), age(order)];
  const button = (name, attributes, ...words) => el(name, {type: 'button', ...attributes}, words);
  const [isNew, held] = [order.state === 'placed', heldOf(order)];
  return el('li.ticket', {'data-number': order.number, 'data-state': order.state, tabindex: '-1', 'aria-label': `Order ${order.number}`},
    el('div.head', {}, el('h3', {}, order.dayNumber ? [el('b.day-number', {}, el('span.unseen', {}, 'Number '), order.dayNumber), ' '] : null, el('span', {}, order.number)),
      el('span.timer', {'data-step': since.step}, since.text)),
    el(when.isLate ? 'p.due.late' : 'p.due', {}, when.text),
    deadlineLine(order),
    order.delayReason ? el('p.delayed', {}, `Delayed: “${order.delayReason}”`) : null,
    el('p.way', {'data-way': order.fulfilment}, way(order)),
    dishes(order),
    customer.comment ? el('p.comment', {}, `“${customer.comment}”`) : null,
    who(customer, isCarried(order)),
    el('p.paid', {}, el('span', {}, `placed ${time(order.placedAt)}`), el('b', {}, money(order.total, order))),
    order.minimumAge ? el('p.age', {}, `From ${order.minimumAge} years: ask for the age`) : null,
    extras(order),
    held ? el('div.row.undoing', {}, undoing(become(held.state, order), () => letGo(order.number), order)) : el('div.row', {},
      undoOf(order) ? undoing(steps[order.state].heading, () => trying(() => takeBack(order.number)), order) : null,
      next ? button('button.button', {'data-next': next, 'aria-label': `${tapOf(next, order)}: order ${order.number}`, onclick: (event) => move(event)}, icon('tick'), tapOf(next, order)) : null,
      isNew && order.wantedAt === null ? el('div.times', {role: 'group', 'aria-label': 'Accept for'}, times.map((minutes) => button('button.button.plain', {
        'aria-label': `Accept order ${order.number}, ready in ${minutes} minutes`, 'data-minutes': minutes, onclick: (event) => move(event, {minutes}),
      }, `${minutes} min`))) : null,
      isNew ? null : button('button.button.plain', {'aria-label': `Delay order ${order.number}`, onclick: () => askDelay(order)}, 'Later'),
      may('cancel_orders') ? button('button.button.plain', {'aria-label': `Reject order ${order.number}`, onclick: () => askReason(order)}, 'Reject') : null));

  function move(event, more) {
    // The second tap of a hasty double tap would hit the card that has moved up.
    if (event.detail > 1) return undefined;
    const done = `Order ${order.number} ${steps[next].done}.`;
    if (next === 'delivered') return hold(order.number, next, done);
    return doing(event.currentTarget, async () => {
      await advance(order.number, next, more);
      notice(done);
    });
  }
}

/** Not by a hasty double tap, whose first one has put this button there. */
const undoing = (words, undo, order) => el('button.button.undo', {
  type: 'button', 'aria-label': `Undo: order ${order.number}`, onclick: (event) => event.detail <= 1 && undo(),
}, `${words} · Undo`);

/** What a card looks like: while it is the same, the card stays. */
export const looks = (order) => [order.state, order.readyAt, order.acceptBy, order.delayReason, order.dayNumber, order.area?.title, heldOf(order)?.state, Boolean(undoOf(order))].join(' ');

/** A line of those that are over, or were looked for; its details open. */
export const closedOrder = (order) => el('li', {'data-number': order.number, 'data-state': order.state}, el('details', {},
  el('summary', {}, el('b', {}, order.dayNumber ? `${order.dayNumber} · ${order.number}` : order.number), ' ',
    el('span', {}, steps[order.state].heading, order.rejectionReason ? `: ${order.rejectionReason}` : ''), ' ',
    el('span.quiet', {}, time(order.placedAt)), ' ', el('span.sum', {}, money(order.total, order))),
  el('p.way', {}, way(order)), dishes(order), order.customer?.comment ? el('p.comment', {}, `“${order.customer.comment}”`) : null, who(order.customer ?? {}, true)));
