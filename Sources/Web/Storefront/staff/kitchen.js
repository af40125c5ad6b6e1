// What the kitchen makes now, in all and station by station, and the orders that somebody looks for. Used by board.js.

import {el, fill} from '../dom.js';
import {trying} from '../notice.js';
import {keep, kept} from '../store.js';
import {search} from './orders.js';
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
    const rows = [...stations, {title: 'With them', sum: chosen}].filter((row) => row.sum.size).map((row) => [`${row.title} · ${total(row.sum)}`, text(row.sum)]);
    node.hidden = sum.size === 0;
    if (drawn === JSON.stringify(rows)) return;
    drawn = JSON.stringify(rows);
    many.textContent = `In the kitchen now: ${total(sum)}`;
    all.textContent = text(sum);
    fill(list, rows.map(([heading, words]) => el('li', {}, el('b', {}, heading), ' ', words)));
  }};
}

/** The field that looks for an order by its number, its guest's name or phone. */
export function finder() {
  const input = el('input', {id: 'find', type: 'text', inputmode: 'search', autocomplete: 'off', maxlength: 100, placeholder: 'Number, name or phone'});
  const found = el('ul.over.found', {hidden: true, 'aria-label': 'Found'});
  let timer = 0, last = '';
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(look, 250);
  });
  function look() {
    const words = input.value.trim();
    last = words;
    found.hidden = !words;
    if (!words) return fill(found);
    return trying(async () => {
      const {items, isWhole} = await search(words, () => last === words);
      if (last !== words) return;
      const rest = isWhole ? null
        : el('li.quiet', {}, 'There may be older orders: write more of the number, the name or the phone.');
      fill(found, items.map(closedOrder), items.length || rest ? rest : el('li.quiet', {}, 'No order is called so.'));
    });
  }
  return {node: el('div.finder', {}, el('label.unseen', {for: 'find'}, 'Find an order'), input), found};
}
