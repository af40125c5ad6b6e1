// The search for orders by number, name or phone, whose results follow the orders.

import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {runAndReport, runBusy, showToast} from '../parts/toast.js';
import {boardOrders, newestFirst, searchOrders} from './boardOrders.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {closedOrderRow} from './orderCard.js';

/** The shortest time in milliseconds before a search is repeated because orders have changed. */
const repeatInterval = 5_000;
/** How many pages without results a tap reads at most. */
const maximumEmptyPages = 5;

/**
 * Whether the server searches for this number by indexes: it finds orders of any age, but only by the start of their
 * number or by their whole phone number.
 * @param {string} words
 */
const isIndexed = (words) => !/\p{L}/u.test(words) && words.replace(/\D/g, '').length >= 5;

/** The search for orders by number, name or phone: {node, found}. The results follow the orders. */
export function orderSearch() {
  const input = el('input', {
    id: 'find', type: 'text', inputmode: 'search', autocomplete: 'off', maxlength: 100,
    placeholder: 'Number, name or phone',
  });
  const status = el('p.quiet', {role: 'status'});
  const list = el('ul.closed-orders', {'aria-label': 'Search results'});
  /** @type {HTMLButtonElement} */
  const more = el('button.button.plain', {
    type: 'button', hidden: true, onclick: () => runBusy(more, searchOlder),
  }, 'Search older orders');
  const found = el('div.found', {hidden: true}, status, list, el('p.row', {}, more));
  const reads = monitorReads('search');
  let timer = 0, query = '', isRepeatScheduled = false;
  /** @type {API.Order[]} */
  let results = [];
  /** The position of the next page of `query`; null if there is none. `hasOlder`: whether older pages were loaded. */
  let cursor = /** @type {string | null} */ (null), hasOlder = false;

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => runAndReport(search), 250);
  });

  function draw() {
    const {length} = results;
    const countText = length === 0 ? 'No orders found.' : `${length} ${length === 1 ? 'order' : 'orders'} found.`;
    const hint = isIndexed(query) ? ' Older ones are found by their whole number or phone.' : '';
    const text = query ? `${countText}${cursor ? ' Older orders are not searched yet.' : hint}` : '';
    // Written only if it changes, because screen readers announce each write.
    if (status.textContent !== text) status.textContent = text;
    patch(list, results.map(closedOrderRow));
    more.hidden = !cursor;
  }

  async function search() {
    const words = input.value.trim();
    if (words !== query) [query, cursor, hasOlder, more.hidden] = [words, null, false, true];
    found.hidden = !words;
    if (!words) {
      results = [];
      return draw();
    }
    const {items, nextCursor} = await searchOrders(words);
    if (query !== words) return undefined;
    if (hasOlder) results = newestFirst([...results, ...items]);
    else [results, cursor] = [items, nextCursor];
    return draw();
  }

  async function searchOlder() {
    const [words, {length}] = [query, results];
    hasOlder = true;
    for (let page = 0; page < maximumEmptyPages && cursor && results.length === length; page += 1) {
      const {items, nextCursor} = await searchOrders(words, cursor);
      if (query !== words) return undefined;
      results = newestFirst([...results, ...items]);
      cursor = nextCursor;
    }
    if (cursor && results.length === length) showToast('None found yet. There are still older orders.');
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
