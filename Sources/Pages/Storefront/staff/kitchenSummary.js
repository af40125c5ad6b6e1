// The summary of the dishes that the kitchen has to make, in total and by station.

import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {loadValue, saveValue} from '../parts/storage.js';
import {pruneTicks, untickedDishes} from './dishTicks.js';
import {stationOf} from './menuItemCache.js';

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
