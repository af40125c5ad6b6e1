// What the kitchen makes now, in all and station by station, and the orders that somebody looks for. Used by board.js.

import {el} from '../dom.js';
import {trying} from '../notice.js';
import {patch} from '../parts/patch.js';
import {keep, kept} from '../store.js';
import {retryAfter, watchReads} from './connection.js';
import {orders, search} from './orders.js';
import {stationOf} from './recipes.js';
import {closedOrder} from './ticket.js';
import {forgetOthers, undone} from './ticks.js';

/** Adds what is chosen with a dish to a sum. */
function addOptions(sum, options, many) {
  for (const {title, quantity, options: below} of options) {
    sum.set(title, (sum.get(title) ?? 0) + many * quantity);
    addOptions(sum, below, many * quantity);
  }
}

const mostFirst = (sum) => [...sum].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
const text = (sum) => mostFirst(sum).map(([title, many]) => `${many} × ${title}`).join(', ');
const total = (sum) => [...sum.values()].reduce((all, many) => all + many, 0);

/** How many of each dish are still to be made for the orders that are accepted or cooking: {all, stations: [{title, sum}] in the menu's order, chosen}. */
function sums(open) {
  const [all, stations, chosen] = [new Map(), new Map(), new Map()];
  for (const {menuItemId, title, quantity, options} of open.filter(({state}) => state === 'accepted' || state === 'preparing').flatMap(undone)) {
    const {title: station, place} = stationOf(menuItemId);
    if (!stations.has(station)) stations.set(station, {title: station, place, sum: new Map()});
    for (const sum of [all, stations.get(station).sum]) sum.set(title, (sum.get(title) ?? 0) + quantity);
    addOptions(chosen, options, quantity);
  }
  return {all, stations: [...stations.values()].sort((one, other) => one.place - other.place), chosen};
}

/** Where they stand: all of them, and by a tap, which this device remembers, those of each station and what is chosen with them; `draw` has the open orders. */
export function kitchenNow() {
  const [many, all, list] = [el('b'), el('span.sums'), el('ul')];
  const name = 'staff.stations';
  const node = el('details.kitchen-now', {hidden: true, open: kept(name) === true, ontoggle: () => keep(name, node.open || null)},
    el('summary', {}, many, ' ', all), list);
  let drawn = '';
  return {node, draw(open) {
    forgetOthers(open);
    const {all: sum, stations, chosen} = sums(open);
    const rows = [...stations, {title: 'Options', sum: chosen}].filter((row) => row.sum.size).map((row) => [`${row.title} · ${total(row.sum)}`, text(row.sum)]);
    node.hidden = sum.size === 0;
    if (drawn === JSON.stringify(rows)) return;
    drawn = JSON.stringify(rows);
    many.textContent = `In the kitchen now: ${total(sum)}`;
    all.textContent = text(sum);
    patch(list, rows.map(([heading, words]) => el('li', {}, el('b', {}, heading), ' ', words)));
  }};
}

/** How often a search is repeated at most while orders change, in milliseconds. */
const pause = 5_000;

/** The field that looks for an order by its number, its guest's name or phone. The result follows the orders. */
export function finder() {
  const input = el('input', {
    id: 'find', type: 'text', inputmode: 'search', autocomplete: 'off', maxlength: 100,
    placeholder: 'Number, name or phone',
  });
  const status = el('p.quiet', {role: 'status'});
  const list = el('ul.over', {'aria-label': 'Search results'});
  const found = el('div.found', {hidden: true}, status, list);
  const reads = watchReads('search');
  let timer = 0, last = '', items = [], isWhole = true, isDue = false;

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => trying(look), 250);
  });

  function draw() {
    const {length} = items;
    const words = length === 0 ? 'No orders found.' : `${length} ${length === 1 ? 'order' : 'orders'} found.`;
    const rest = isWhole ? '' : ' There may be older orders: enter more of the number, name or phone.';
    const text = last ? `${words}${rest}` : '';
    // Only a change is written, because what is written is read aloud.
    if (status.textContent !== text) status.textContent = text;
    patch(list, items.map(closedOrder));
  }

  async function look() {
    const words = input.value.trim();
    last = words;
    found.hidden = !words;
    [items, isWhole] = words ? [items, isWhole] : [[], true];
    if (!words) return draw();
    const answer = await search(words, () => last === words);
    if (last !== words) return undefined;
    ({items, isWhole} = answer);
    return draw();
  }

  // An order that was found is shown at once as the board knows it. The search is repeated later, because other orders
  // may match by then.
  orders.watch(({open, closed, news = []}) => {
    if (!last) return;
    const newest = new Map([...open, ...closed, ...news].map((order) => [order.number, order]));
    items = items.map((order) => newest.get(order.number) ?? order);
    draw();
    repeatLater(pause);
  });

  function repeatLater(wait) {
    if (isDue) return;
    isDue = true;
    setTimeout(repeat, wait);
  }

  async function repeat() {
    isDue = false;
    const problem = last ? await reads.attempt(look) : reads.ended(true);
    if (problem) repeatLater(retryAfter);
  }

  return {node: el('div.finder', {}, el('label.unseen', {for: 'find'}, 'Find an order'), input), found};
}
