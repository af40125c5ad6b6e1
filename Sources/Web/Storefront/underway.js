// The orders that are on their way, at the top of the start page: where each is, and one tap from all of it. Drawn by screens/home.js. Read next: follow.js.

import {read} from './api.js';
import {now} from './clock.js';
import {el} from './dom.js';
import {promise} from './due.js';
import {follow} from './follow.js';
import {placedOrders} from './placed.js';
import {ends, stateWords} from './states.js';
import {visit} from './store.js';
import {t} from './words.js';

/** What was due longer ago is found among “your orders”, and so is what comes after as many others. */
const patience = 6 * 3_600_000;
const most = 3;
/** A browser has six connections to a host, for all its tabs: a stream holds one for as long as it is open. */
const streams = 2;

const isOver = ({state}) => Boolean(ends[state]) || state === 'delivered';
const seenToEnd = () => visit.kept('over', []);

/** The strip of an order: {node, end}. It has its room before it is read, so that nothing moves. */
function strip(placed, index) {
  const words = el('span');
  const node = el('a.underway', {href: `#/orders/${placed.id}`}, el('b', {}, t('Order {number}', placed)), words);
  const get = () => read(`/v1/orders/${placed.id}`, {token: placed.token});
  let leave = () => {}, isLeft = false, latest = null;

  function draw(order) {
    latest = order;
    const text = isOver(order) ? stateWords(order)[0] : `${stateWords(order)[0]} · ${promise(order).text}`;
    if (words.textContent !== text) words.textContent = text;
    if (isOver(order)) visit.keep('over', [...new Set([...seenToEnd(), placed.id])]);
  }
  // "In about 12 minutes" becomes 11.
  const clock = setInterval(() => latest && draw(latest), 1_000);

  // Where it can't be read now, its own page says why.
  get().then((order) => {
    draw(order);
    if (!isLeft) leave = follow(order, get, draw, {hasStream: index < streams});
  }, () => {});
  return {node, end() {
    isLeft = true;
    clearInterval(clock);
    leave();
  }};
}

/** The orders of this device whose end this visit has not seen, the one that is due next first: {nodes, end}. */
export function underWay() {
  const over = seenToEnd();
  const strips = placedOrders().filter(({id, due}) => now() - due < patience && !over.includes(id)).sort((a, b) => a.due - b.due).slice(0, most).map(strip);
  return {nodes: strips.map(({node}) => node), end() { for (const one of strips) one.end(); }};
}
