// One order as the kitchen reads it: what, for whom, by when, and the buttons that move it on. Used by board.js. Read next: dishes.js.

import {dueAt, now} from '../clock.js';
import {el} from '../dom.js';
import {money} from '../money.js';
import {doing, notice, trying} from '../notice.js';
import {patch} from '../parts/patch.js';
import {day, time} from '../when.js';
import {deadlineLine} from './deadline.js';
import {askDelay} from './delay.js';
import {comment, dishes} from './dishes.js';
import {may, who} from './door.js';
import {unsentKey, unsentMails} from './mails.js';
import {advance, deliver, takeBack, undoOf, withdraw} from './orders.js';
import {knowledge} from './recipes.js';
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

/** Whether it waits for somebody to accept it, and no rejection is pending. */
export const isNew = (order) => order.state === 'placed' && !isLater(order) && !order.pendingStep;

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

/** What of the sum is not for dishes. */
const parts = {delivery_fee: 'of which delivery', tip: 'of which tip'};

/** What is paid for bringing it, nothing too where an area asks for nothing, and what the guest added for those who cook and carry. */
const extras = (order) => order.totals.filter(({kind}) => kind in parts)
  .map(({kind, amount}) => el('p.paid', {'data-total': kind}, el('span', {}, parts[kind]), el('span', {}, money(amount, order))));

/** For how long it has waited, in colours and in words. */
export function age(order) {
  const [minutes, left] = [Math.max(0, Math.floor((now() - Date.parse(order.placedAt)) / 60_000)), Math.ceil((dueAt(order) - now()) / 60_000)];
  const step = left <= 0 ? 'late' : left <= 10 ? 'soon' : 'calm';
  const words = {late: 'late', soon: `${left} left`, calm: 'on time'}[step];
  return {step, text: `${minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`} · ${words}`};
}

/** Whose it is: a tap calls them, and the address is where it is brought to. */
const contact = ({phone, address}) => [el('p.who', {}, el('a.button.plain', {href: `tel:${phone}`}, `Call ${phone}`)), address ? el('p.who', {}, address) : null];

/** By when, which way and for whom; that somebody comes for it first, for the end of the line may be cut. Who cooks needs no more of it; who hands it
 *  over finds the phone, the address and the money there, open by then. */
function guest(order) {
  const [customer, when] = [order.customer ?? {}, due(order)];
  const line = [el(when.isLate ? 'span.due.late' : 'span.due', {}, when.text), ' · ', el('span.way', {'data-way': order.fulfilment}, way(order))];
  return el('details.guest', {open: order.state === 'on_the_way'},
    el('summary', {}, order.fulfilment === 'pickup' ? line.reverse() : line, ' · ', el('b', {}, customer.name)),
    order.dayNumber ? el('p.quiet', {}, `Order ${order.number}`) : null,
    contact(customer),
    el('p.paid', {}, el('span', {}, `placed ${time(order.placedAt)}`), el('b', {}, money(order.total, order))),
    extras(order));
}

/** In how many minutes it can be accepted for, other than it was promised. */
const times = [20, 30, 45, 60];

/** In how many minutes it is promised: that is what the tap which accepts it says. Empty where that time is over, or another one is wanted. */
export function promised(order) {
  const left = Math.ceil((dueAt(order) - now()) / 60_000);
  return order.wantedAt === null && left > 0 ? `${left} min` : '';
}

/** The card of an open order. */
export function ticket(order) {
  const node = el('li.ticket', {
    'data-number': order.number, 'data-state': order.state, tabindex: '-1', 'aria-label': `Order ${order.number}`,
  });
  return drawTicket(node, order);
}

/** Draws the card of an order that has changed without leaving its state. */
export function drawTicket(node, order) {
  const since = age(order);
  return patch(node, [
    el('div.head', {}, el('h3', {}, order.dayNumber ? el('b.day-number', {}, el('span.unseen', {}, 'Number '), order.dayNumber) : order.number),
      el('span.timer', {'data-step': since.step}, since.text)),
    guest(order),
    deadlineLine(order),
    order.delayReason ? el('p.delayed', {}, `Delayed: “${order.delayReason}”`) : null,
    unsentMails(order),
    dishes(order, order.state === 'preparing'),
    comment(order),
    order.minimumAge ? el('p.age', {}, `${order.minimumAge} or older: check ID`) : null,
    actions(order)]);
}

/** What can be done with it, in one row: the step, what else there is, and the rejection. */
function actions(order) {
  const next = order.actions.find((state) => state !== 'rejected');
  const [isPlaced, pending] = [order.state === 'placed', order.pendingStep];
  const button = (attributes, words) =>
    el('button.button.plain', {type: 'button', 'data-key': words, ...attributes}, words);
  if (pending) {
    const by = pending.by === who().name ? null : el('span.quiet.by', {}, `by ${pending.by}`);
    return el('div.row', {},
      undoing(`${become(pending.state, order)} · Undo`, () => trying(() => withdraw(order)), order), by);
  }
  const choice = el('div.times', {role: 'group', 'aria-label': 'Accept for', hidden: true}, times.map((minutes) => button({
    'aria-label': `Accept order ${order.number}, ready in ${minutes} minutes`, 'data-minutes': minutes, onclick: (event) => move(order, next, event, {minutes}),
  }, `${minutes} min`)));
  return el('div.row', {},
    next ? el('button.button', {
      type: 'button', 'data-key': 'next', 'data-next': next, onclick: (event) => move(order, next, event),
    }, `${tapOf(next, order)} `,
      isPlaced ? el('span.promised', {}, promised(order)) : null, el('span.unseen', {}, `: order ${order.number}`)) : null,
    undoOf(order) ? undoing('Undo', () => trying(() => takeBack(order.number)), order)
      : !isPlaced ? button({'aria-label': `Delay order ${order.number}`, onclick: () => askDelay(order)}, 'Delay')
        : order.wantedAt === null ? button(
          {'aria-label': `Time for order ${order.number}`, 'aria-expanded': 'false', onclick: showTimes}, 'Time')
          : null,
    may('cancel_orders') ? button({'aria-label': `Reject order ${order.number}`, onclick: () => askReason(order)}, 'Reject') : null,
    isPlaced && order.wantedAt === null ? choice : null);
}

/** Shows the row of times, or hides it. The row stays as it is when the card is drawn again. */
function showTimes({currentTarget}) {
  const times = currentTarget.closest('.ticket').querySelector('.times');
  times.hidden = !times.hidden;
  currentTarget.setAttribute('aria-expanded', String(!times.hidden));
}

/** Moves it on. */
function move(order, next, event, more) {
  // The second tap of a hasty double tap would hit the card that has moved up.
  if (event.detail > 1) return undefined;
  const done = `Order ${order.number} ${steps[next].done}.`;
  if (next === 'delivered') return doing(event.currentTarget, () => deliver(order.number));
  return doing(event.currentTarget, async () => {
    await advance(order.number, next, more);
    notice(done);
  });
}

/** Not by a hasty double tap, whose first one has put this button there. */
const undoing = (words, undo, order) => el('button.button.undo', {
  type: 'button', 'data-key': 'undo', 'aria-label': `Undo: order ${order.number}`,
  onclick: (event) => event.detail <= 1 && undo(),
}, words);

/** What a card looks like: while it is the same, the card stays. */
export const looks = (order) => [
  order.state, order.readyAt, order.acceptBy, order.delayReason, order.dayNumber, order.area?.title,
  order.pendingStep?.state, order.pendingStep?.by, Boolean(undoOf(order)), knowledge(order), unsentKey(order),
].join(' ');

/** A line of those that are over, or were looked for; its details open. */
export const closedOrder = (order) => el('li', {
  'data-key': order.number, 'data-number': order.number, 'data-state': order.state,
}, el('details', {},
  el('summary', {}, el('b', {}, order.dayNumber ? `${order.dayNumber} · ${order.number}` : order.number), ' ',
    el('span', {}, steps[order.state].heading, order.rejectionReason ? `: ${order.rejectionReason}` : ''), ' ',
    el('span.quiet', {}, time(order.placedAt)), ' ', el('span.sum', {}, money(order.total, order))),
  el('p.way', {}, way(order)), unsentMails(order), dishes(order), comment(order),
  el('b', {}, order.customer?.name), contact(order.customer ?? {})));
