// The card of an order on the board: the dishes, the guest, the times, and the buttons that move the order on.

import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {required} from '../parts/required.js';
import {dueAt, serverNow} from '../parts/serverClock.js';
import {formatDateTime, formatDay, formatTime, isToday} from '../parts/timeFormat.js';
import {runAndReport, runBusy, showToast} from '../parts/toast.js';
import {currentMember, isPermitted} from './authentication.js';
import {advanceOrder, availableUndo, deliverOrder, undoStep, withdrawPendingStep} from './boardOrders.js';
import {cardDishes, orderComment} from './cardDishes.js';
import {deadlineLine} from './deadlineLine.js';
import {openDelayDialog} from './delayDialog.js';
import {itemVersionsKey} from './menuItemCache.js';
import {isOrderState, orderStates} from './orderStates.js';
import {openRejectionDialog} from './rejectionDialog.js';
import {unsentMailLines, unsentMailsKey} from './unsentMails.js';

/** @typedef {Partial<NonNullable<API.Order['customer']>>} Customer */
/** @typedef {import('../parts/dom.js').Attributes<HTMLButtonElement>} ButtonAttributes */
/** @typedef {MouseEvent & {currentTarget: HTMLElement}} Click */

/** For how many milliseconds before its wanted time an order is due, as in Sources/Ordering/Orders/Kitchen.swift. */
const dueLead = 3_600_000;

/**
 * Whether an order is for later and needs no work yet.
 * @param {API.Order} order
 */
export const isForLater = ({wantedAt, state}) => wantedAt !== null && (state === 'placed' || state === 'accepted')
  && Date.parse(wantedAt) - dueLead > serverNow();

/**
 * Whether an order waits for its acceptance and has no pending rejection.
 * @param {API.Order} order
 */
export const isNewOrder = (order) => order.state === 'placed' && !isForLater(order) && !order.pendingStep;

/** @param {number} minutes */
const durationText = (minutes) => (minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`);

/**
 * The due time or the wanted time of an order, and by how much it is late: {text, isLate}.
 * @param {API.Order} order
 */
export function dueStatus(order) {
  const moment = dueAt(order);
  const minutesLate = Math.floor((serverNow() - moment) / 60_000);
  const dateText = formatDay(moment) === 'today' ? '' : `${formatDay(moment)}, `;
  const text = `${order.wantedAt === null ? 'due' : 'for'} ${dateText}${formatTime(moment)}`;
  if (minutesLate < 1) return {text, isLate: false};
  return {text: `${text}, ${durationText(minutesLate)} late`, isLate: true};
}

/**
 * The fulfilment, and for a delivery the area and the postcode.
 * @param {API.Order} order
 */
const fulfilmentText = ({fulfilment, area, customer}) => (fulfilment === 'pickup'
  ? 'Pickup' : ['Delivery', area?.title, customer?.postcode].filter(Boolean).join(' · '));

/**
 * The label of the button that leads to a state.
 * @param {API.OrderState} state
 * @param {API.Order} order
 */
const actionLabel = (state, {fulfilment}) =>
  (fulfilment === 'pickup' && orderStates[state].pickupAction) || orderStates[state].action;

/**
 * The label of the pending step to a state.
 * @param {API.OrderState} state
 * @param {API.Order} order
 */
const pendingLabel = (state, order) =>
  (state === 'delivered' ? actionLabel(state, order) : orderStates[state].heading);

/**
 * The labels of the total lines that a card shows.
 * @type {Record<string, string>}
 */
const totalLabels = {delivery_fee: 'of which delivery', tip: 'of which tip'};

/**
 * The delivery fee, even if it is zero, and the tip.
 * @param {API.Order} order
 */
const totalLines = (order) => order.totals.filter(({kind}) => kind in totalLabels).map(({kind, amount}) =>
  el('p.payment-line', {'data-total': kind}, el('span', {}, totalLabels[kind]), el('span', {}, money(amount, order))));

/**
 * For how long an order has waited: {step: the colour, text}.
 * @param {API.Order} order
 */
export function waitingTime(order) {
  const waited = Math.max(0, Math.floor((serverNow() - Date.parse(order.placedAt)) / 60_000));
  const remaining = Math.ceil((dueAt(order) - serverNow()) / 60_000);
  const step = remaining <= 0 ? 'late' : remaining <= 10 ? 'soon' : 'calm';
  const stepText = {late: 'late', soon: `${remaining} left`, calm: 'on time'}[step];
  return {step, text: `${durationText(waited)} · ${stepText}`};
}

/**
 * A link that calls the guest, and the address. Nothing if the shop has deleted the guest's details.
 * @param {Customer} customer
 */
const contactLines = ({phone, address}) => [
  phone ? el('p.contact', {}, el('a.button.plain', {href: `tel:${phone}`}, `Call ${phone}`)) : null,
  address ? el('p.contact', {}, address) : null,
];

/**
 * The guest's part of a card. Its summary has the due time, the fulfilment and the name; pickups name the fulfilment
 * first, because the end may be cut off. Its details have phone, address and money, and are open once the order is on
 * its way.
 * @param {API.Order} order
 */
function guestDetails(order) {
  /** @type {Customer} */
  const customer = order.customer ?? {};
  const due = dueStatus(order);
  const line = [
    el(due.isLate ? 'span.due.late' : 'span.due', {}, due.text), ' · ',
    el('span.fulfilment', {'data-fulfilment': order.fulfilment}, fulfilmentText(order)),
  ];
  return el('details.guest', {open: orderStates[order.state].lane === 'outgoing'},
    el('summary', {}, order.fulfilment === 'pickup' ? line.reverse() : line, ' · ', el('b', {}, customer.name)),
    order.dayNumber ? el('p.quiet', {}, `Order ${order.number}`) : null,
    contactLines(customer),
    el('p.payment-line', {},
      el('span', {}, `placed ${formatTime(order.placedAt)}`), el('b', {}, money(order.total, order))),
    totalLines(order));
}

/** The estimates in minutes that an order can be accepted with, instead of the promised time. */
const estimateChoices = [20, 30, 45, 60];

/**
 * The promised minutes for the button that accepts the order. Empty if the promised time has passed, or if the guest
 * wants a certain time.
 * @param {API.Order} order
 */
export function promisedMinutes(order) {
  const remaining = Math.ceil((dueAt(order) - serverNow()) / 60_000);
  return order.wantedAt === null && remaining > 0 ? `${remaining} min` : '';
}

/**
 * Creates the card of an open order.
 * @param {API.Order} order
 */
export function createCard(order) {
  const node = el('li.ticket', {
    'data-number': order.number, 'data-state': order.state, tabindex: '-1', 'aria-label': `Order ${order.number}`,
  });
  return updateCard(node, order);
}

/**
 * Updates the card of an order that has changed and is still in the same state.
 * @param {HTMLElement} node
 * @param {API.Order} order
 */
export function updateCard(node, order) {
  const waited = waitingTime(order);
  const dayNumber = order.dayNumber
    ? el('b.day-number', {}, el('span.unseen', {}, 'Number '), String(order.dayNumber)) : order.number;
  return patch(node, [
    el('div.head', {}, el('h3', {}, dayNumber), el('span.timer', {'data-step': waited.step}, waited.text)),
    guestDetails(order),
    deadlineLine(order),
    order.delayReason ? el('p.delayed', {}, `Delayed: “${order.delayReason}”`) : null,
    unsentMailLines(order),
    cardDishes(order, order.state === 'preparing'),
    orderComment(order),
    order.minimumAge ? el('p.minimum-age', {}, `${order.minimumAge} or older: check ID`) : null,
    actionButtons(order)]);
}

/** @param {ButtonAttributes} attributes @param {string} label */
const plainButton = (attributes, label) =>
  el('button.button.plain', {type: 'button', 'data-key': label, ...attributes}, label);

/**
 * The buttons of a card in one row: the next step, undo or a change of the time, and the rejection.
 * @param {API.Order} order
 */
function actionButtons(order) {
  const nextState = order.actions.filter(isOrderState).find((state) => state !== 'rejected');
  const [isPlaced, pendingStep] = [order.state === 'placed', order.pendingStep];
  if (pendingStep) {
    const member = pendingStep.by === currentMember().name ? null : el('span.quiet.by', {}, `by ${pendingStep.by}`);
    const label = `${pendingLabel(pendingStep.state, order)} · Undo`;
    return el('div.row', {}, undoButton(label, () => runAndReport(() => withdrawPendingStep(order)), order), member);
  }
  /** @param {number} minutes */
  const estimateButton = (minutes) => plainButton({
    'aria-label': `Accept order ${order.number}, ready in ${minutes} minutes`, 'data-minutes': minutes,
    onclick: (event) => nextState && advance(order, nextState, event, {minutes}),
  }, `${minutes} min`);
  const estimates = el('div.times', {role: 'group', 'aria-label': 'Accept for', hidden: true},
    estimateChoices.map(estimateButton));
  return el('div.row', {},
    nextState ? el('button.button', {
      type: 'button', 'data-key': 'next', 'data-next': nextState,
      onclick: (event) => advance(order, nextState, event),
    }, `${actionLabel(nextState, order)} `,
      isPlaced ? el('span.promised-minutes', {}, promisedMinutes(order)) : null,
      el('span.unseen', {}, `: order ${order.number}`)) : null,
    secondButton(order),
    isPermitted('cancel_orders') ? plainButton(
      {'aria-label': `Reject order ${order.number}`, onclick: () => openRejectionDialog(order)}, 'Reject') : null,
    isPlaced && order.wantedAt === null ? estimates : null);
}

/**
 * The button beside the next step: undo, else delay, or for a new order the choice of the time.
 * @param {API.Order} order
 */
function secondButton(order) {
  if (availableUndo(order)) return undoButton('Undo', () => runAndReport(() => undoStep(order.number)), order);
  if (order.state !== 'placed') {
    return plainButton({'aria-label': `Delay order ${order.number}`, onclick: () => openDelayDialog(order)}, 'Delay');
  }
  return order.wantedAt === null ? plainButton(
    {'aria-label': `Time for order ${order.number}`, 'aria-expanded': 'false', onclick: toggleEstimates}, 'Time')
    : null;
}

/**
 * Shows or hides the row of estimates. The row keeps that state when the card is updated.
 * @param {Click} click
 */
function toggleEstimates({currentTarget}) {
  const card = required(currentTarget.closest('.ticket'));
  const estimates = required(/** @type {HTMLElement | null} */ (card.querySelector('.times')));
  estimates.hidden = !estimates.hidden;
  currentTarget.setAttribute('aria-expanded', String(!estimates.hidden));
}

/**
 * Moves an order to the next state.
 * @param {API.Order} order
 * @param {API.OrderState} nextState
 * @param {Click} event
 * @param {{minutes?: number}} [details]
 */
function advance(order, nextState, event, details) {
  // Ignores the second click of a double tap: it would hit the card that has moved up.
  if (event.detail > 1) return undefined;
  const text = `Order ${order.number} ${orderStates[nextState].done}.`;
  if (nextState === 'delivered') return runBusy(event.currentTarget, () => deliverOrder(order.number));
  return runBusy(event.currentTarget, async () => {
    await advanceOrder(order.number, nextState, details);
    showToast(text);
  });
}

/**
 * An undo button. Ignores the second click of the double tap that made the button appear.
 * @param {string} label
 * @param {() => unknown} undo
 * @param {API.Order} order
 */
const undoButton = (label, undo, order) => el('button.button.undo', {
  type: 'button', 'data-key': 'undo', 'aria-label': `Undo: order ${order.number}`,
  onclick: (event) => event.detail <= 1 && undo(),
}, label);

/**
 * A key of everything that a card shows. The card is updated only when the key changes.
 * @param {API.Order} order
 */
export const cardKey = (order) => [
  order.state, order.readyAt, order.acceptBy, order.delayReason, order.dayNumber, order.area?.title,
  order.pendingStep?.state, order.pendingStep?.by, Boolean(availableUndo(order)), itemVersionsKey(order),
  unsentMailsKey(order),
].join(' ');

/**
 * The time of the placement, with the date unless it is today.
 * @param {API.Order} order
 */
const placementText = ({placedAt}) => (isToday(placedAt) ? formatTime(placedAt) : formatDateTime(placedAt));

/**
 * The row of a closed order or of a search result, with details to open.
 * @param {API.Order} order
 */
export const closedOrderRow = (order) => el('li', {
  'data-key': order.number, 'data-number': order.number, 'data-state': order.state,
}, el('details', {},
  el('summary', {}, el('b', {}, order.dayNumber ? `${order.dayNumber} · ${order.number}` : order.number), ' ',
    el('span', {}, orderStates[order.state].heading, order.rejectionReason ? `: ${order.rejectionReason}` : ''), ' ',
    el('span.quiet', {}, placementText(order)), ' ', el('span.sum', {}, money(order.total, order))),
  el('p.fulfilment', {}, fulfilmentText(order)), unsentMailLines(order), cardDishes(order), orderComment(order),
  el('b', {}, order.customer?.name), contactLines(order.customer ?? {})));
