// The summary of the dishes that the kitchen has to make, in total and by station, and the search for orders.

import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {loadValue, saveValue} from '../parts/storage.js';
import {runAndReport} from '../parts/toast.js';
import {monitorReads, retryDelay} from './connection.js';
import {orders, searchOrders} from './orders.js';
import {stationOf} from './recipes.js';
import {closedOrderRow} from './ticket.js';
import {pruneTicks, untickedDishes} from './ticks.js';

/** Adds the options of a dish, and their options, to a map of counts by title. */
function addOptions(counts, options, factor) {
  for (const {title, quantity, options: nested} of options) {
    counts.set(title, (counts.get(title) ?? 0) + factor * quantity);
    addOptions(counts, nested, factor * quantity);
  }
}

const sortedByCount = (counts) => [...counts].sort(([oneTitle, oneCount], [otherTitle, otherCount]) =>
  otherCount - oneCount || oneTitle.localeCompare(otherTitle));
const countsText = (counts) => sortedByCount(counts).map(([title, count]) => `${count} × ${title}`).join(', ');
const totalOf = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Counts the dishes to be made for accepted and preparing orders: {dishes, stations in the menu's order, options}. */
function countDishes(open) {
  const [dishes, stations, options] = [new Map(), new Map(), new Map()];
  const pendingDishes = open.filter(({state}) => state === 'accepted' || state === 'preparing').flatMap(untickedDishes);
  for (const {menuItemId, title, quantity, options: selected} of pendingDishes) {
    const {title: station, position} = stationOf(menuItemId);
    if (!stations.has(station)) stations.set(station, {title: station, position, counts: new Map()});
    for (const counts of [dishes, stations.get(station).counts]) {
      counts.set(title, (counts.get(title) ?? 0) + quantity);
    }
    addOptions(options, selected, quantity);
  }
  const sortedStations = [...stations.values()].sort((one, other) => one.position - other.position);
  return {dishes, stations: sortedStations, options};
}

/**
 * The summary: {node, update}. A tap shows the stations and options; this device remembers that. `update` gets the open
 * orders.
 */
export function kitchenSummary() {
  const [total, dishTotals, list] = [el('b'), el('span.dish-totals'), el('ul')];
  const storageName = 'staff.stations';
  const node = el('details.kitchen-now', {
    hidden: true, open: loadValue(storageName) === true, ontoggle: () => saveValue(storageName, node.open || null),
  }, el('summary', {}, total, ' ', dishTotals), list);
  let shownKey = '';
  return {node, update(open) {
    pruneTicks(open);
    const {dishes, stations, options} = countDishes(open);
    const rows = [...stations, {title: 'Options', counts: options}].filter(({counts}) => counts.size)
      .map(({title, counts}) => [`${title} · ${totalOf(counts)}`, countsText(counts)]);
    node.hidden = dishes.size === 0;
    const key = JSON.stringify(rows);
    if (shownKey === key) return;
    shownKey = key;
    total.textContent = `In the kitchen now: ${totalOf(dishes)}`;
    dishTotals.textContent = countsText(dishes);
    patch(list, rows.map(([heading, text]) => el('li', {}, el('b', {}, heading), ' ', text)));
  }};
}

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
  let timer = 0, query = '', results = [], isComplete = true, isRepeatScheduled = false;

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => runAndReport(search), 250);
  });

  function draw() {
    const {length} = results;
    const countText = length === 0 ? 'No orders found.' : `${length} ${length === 1 ? 'order' : 'orders'} found.`;
    const hint = isComplete ? '' : ' There may be older orders: enter more of the number, name or phone.';
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
    const answer = await searchOrders(words, () => query === words);
    if (query !== words) return undefined;
    [results, isComplete] = [answer.items, answer.isComplete];
    return draw();
  }

  // Results show the newest state of an order at once. Later the search is repeated, because other orders may match by
  // then.
  orders.watch(({open, closed, changed = []}) => {
    if (!query) return;
    const newest = new Map([...open, ...closed, ...changed].map((order) => [order.number, order]));
    results = results.map((order) => newest.get(order.number) ?? order);
    draw();
    repeatIn(repeatInterval);
  });

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
