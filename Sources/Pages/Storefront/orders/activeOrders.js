// The orders in progress, at the top of the start page: the state of each, with a link to it.

import {placedOrders} from '../checkout/placedOrders.js';
import {read} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {serverNow} from '../parts/serverClock.js';
import {sessionValues} from '../parts/storage.js';
import {t} from '../parts/translation.js';
import {arrivalMessage} from './arrivalMessage.js';
import {followOrder} from './followOrder.js';
import {endStates, stateText} from './orderStateTexts.js';

/** @typedef {import('../checkout/placedOrders.js').PlacedOrder} PlacedOrder */

/** Orders that were due more than six hours ago, and more than three orders, appear only in "Your orders". */
const recencyLimit = 6 * 3_600_000;
const stripLimit = 3;
/**
 * The maximum number of streams: each takes one of the six connections that a browser has for a host and all its tabs.
 */
const streamLimit = 2;

/** @param {API.Order} order */
const isOver = ({state}) => Boolean(endStates[state]) || state === 'delivered';
/** @returns {string[]} */
const finishedOrders = () => sessionValues.load('over', []);

/**
 * The strip of an order: {node, end}. Its space is reserved, so that nothing moves when it loads.
 * @param {PlacedOrder} placed
 * @param {number} index
 */
function orderStrip(placed, index) {
  const status = el('span');
  const node = el('a.underway', {href: `#/orders/${placed.id}`}, el('b', {}, t('Order {number}', placed)), status);
  const get = () => read(`/v1/orders/${placed.id}`, {token: placed.token});
  /** @type {API.Order | null} */
  let latest = null;
  let stopFollowing = () => {}, isEnded = false;

  /** @param {API.Order} order */
  function draw(order) {
    latest = order;
    const text = isOver(order) ? stateText(order)[0] : `${stateText(order)[0]} · ${arrivalMessage(order).text}`;
    if (status.textContent !== text) status.textContent = text;
    if (isOver(order)) sessionValues.save('over', [...new Set([...finishedOrders(), placed.id])]);
  }
  // Updates "in about 12 minutes".
  const clock = setInterval(() => latest && draw(latest), 1_000);

  // A failure is shown on the order's own page.
  get().then((order) => {
    draw(order);
    if (!isEnded) stopFollowing = followOrder(order, get, draw, {hasStream: index < streamLimit});
  }, () => {});
  return {node, end() {
    isEnded = true;
    clearInterval(clock);
    stopFollowing();
  }};
}

/** The orders of this device that are in progress, the next one due first: {nodes, end}. */
export function activeOrders() {
  const finished = finishedOrders();
  const strips = placedOrders().filter(({id, due}) => serverNow() - due < recencyLimit && !finished.includes(id))
    .sort((a, b) => a.due - b.due).slice(0, stripLimit).map(orderStrip);
  return {nodes: strips.map(({node}) => node), end() { for (const strip of strips) strip.end(); }};
}
