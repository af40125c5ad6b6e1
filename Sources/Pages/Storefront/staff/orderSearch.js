// The search for orders by number, name or phone, whose results follow the orders.

import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {runAndReport} from '../parts/toast.js';
import {boardOrders, searchOrders} from './boardOrders.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {closedOrderRow} from './orderCard.js';

/** The shortest time in milliseconds before a search is repeated because orders have changed. */
const repeatInterval = 5_000;

/** The search for orders by number, name or phone: {node, found}. The results follow the orders. */
export function orderSearch() {
  const input = el('input', {
    id: 'find', type: 'text', inputmode: 'search', autocomplete: 'off', maxlength: 100,
    placeholder: 'Number, name or phone',
  });
  const status = el('p.quiet', {role: 'status'});
  const list = el('ul.closed-orders', {'aria-label': 'Search results'});
  const found = el('div.found', {hidden: true}, status, list);
  const reads = monitorReads('search');
  let timer = 0, query = '', isComplete = true, isRepeatScheduled = false;
  /** @type {API.Order[]} */
  let results = [];

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => runAndReport(search), 250);
  });

  function draw() {
    const {length} = results;
    const countText = length === 0 ? 'No orders found.' : `${length} ${length === 1 ? 'order' : 'orders'} found.`;
    const hint = isComplete
      ? ' Older ones are found by their whole number or phone.'
      : ' There are more orders: enter more of the number, name or phone.';
    const text = query ? `${countText}${hint}` : '';
    // Written only if it changes, because screen readers announce each write.
    if (status.textContent !== text) status.textContent = text;
    patch(list, results.map(closedOrderRow));
  }

  async function search() {
    const words = input.value.trim();
    query = words;
    found.hidden = !words;
    if (!words) {
      [results, isComplete] = [[], true];
      return draw();
    }
    const answer = await searchOrders(words);
    if (query !== words) return undefined;
    [results, isComplete] = [answer.items, answer.isComplete];
    return draw();
  }

  // Results show the newest state of an order at once. Later the search is repeated, because other orders may match by
  // then.
  boardOrders.watch((snapshot) => {
    if (!snapshot || !query) return;
    const {open, closed, changed = []} = snapshot;
    const newest = new Map([...open, ...closed, ...changed].map((order) => [order.number, order]));
    results = results.map((order) => newest.get(order.number) ?? order);
    draw();
    repeatIn(repeatInterval);
  });

  /** @param {number} delay */
  function repeatIn(delay) {
    if (isRepeatScheduled) return;
    isRepeatScheduled = true;
    setTimeout(repeat, delay);
  }

  async function repeat() {
    isRepeatScheduled = false;
    const problem = query ? await reads.attempt(search) : reads.end(true);
    if (problem) repeatIn(retryDelay);
  }

  return {node: el('div.finder', {}, el('label.unseen', {for: 'find'}, 'Find an order'), input), found};
}
