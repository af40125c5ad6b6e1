// The order that is on its way, at the top of the start page: where it is, and one tap from all of it. Drawn by screens/home.js. Read next: follow.js.

import {read} from './api.js';
import {el, fill} from './dom.js';
import {promise} from './due.js';
import {follow} from './follow.js';
import {placedOrders} from './placed.js';
import {ends, stateWords} from './states.js';
import {visit} from './store.js';
import {t} from './words.js';

/** What was ordered longer ago is found among “your orders”. */
const patience = 6 * 3_600_000;

const isOver = ({state}) => Boolean(ends[state]) || state === 'delivered';

/** The newest order of this device, unless this visit has seen its end: {node, end}, the node null where there is none. It has its room before it is
 *  read, so that nothing moves. */
export function underWay() {
  const [placed] = placedOrders();
  if (!placed || Date.now() - Date.parse(placed.at) > patience || visit.kept('over') === placed.id) return {node: null, end() {}};
  const words = el('span');
  const node = el('a.underway', {href: `#/orders/${placed.id}`}, el('b', {}, t('Order {number}', placed)), words);
  const get = () => read(`/v1/orders/${placed.id}`, {token: placed.token});
  let leave = () => {}, isLeft = false;

  function draw(order) {
    fill(words, stateWords(order)[0], isOver(order) ? null : ` · ${promise(order).text}`);
    if (isOver(order)) visit.keep('over', placed.id);
  }

  // Where it can't be read now, its own page says why.
  get().then((order) => {
    draw(order);
    if (!isLeft) leave = follow(order, get, draw);
  }, () => {});
  return {node, end() {
    isLeft = true;
    leave();
  }};
}
