// The summary of the dishes that the kitchen has to make, in total and by station.

import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {loadValue, saveValue} from '../parts/storage.js';
import {pruneTicks, untickedDishes} from './dishTicks.js';
import {stationOf} from './menuItemCache.js';

/** @typedef {Map<string, number>} Counts By title. */

/**
 * Adds the options of a dish, and their options, to counts.
 * @param {Counts} counts
 * @param {API.LineOptions} options
 * @param {number} factor
 */
function addOptions(counts, options, factor) {
  for (const {title, quantity, options: nested} of options) {
    counts.set(title, (counts.get(title) ?? 0) + factor * quantity);
    addOptions(counts, nested, factor * quantity);
  }
}

/** @param {Counts} counts */
const sortedByCount = (counts) => [...counts].sort(([oneTitle, oneCount], [otherTitle, otherCount]) =>
  otherCount - oneCount || oneTitle.localeCompare(otherTitle));
/** @param {Counts} counts */
const countsText = (counts) => sortedByCount(counts).map(([title, count]) => `${count} × ${title}`).join(', ');
/** @param {Counts} counts */
const totalOf = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/**
 * Counts the dishes to be made for accepted and preparing orders: {dishes, stations in the menu's order, options}.
 * @param {API.Order[]} open
 */
function countDishes(open) {
  /** @type {Counts} */
  const dishes = new Map();
  /** @type {Counts} */
  const options = new Map();
  /** @type {Map<string, {title: string, position: number, counts: Counts}>} */
  const stations = new Map();
  const pendingDishes = open.filter(({state}) => state === 'accepted' || state === 'preparing').flatMap(untickedDishes);
  for (const {menuItemId, title, quantity, options: selected} of pendingDishes) {
    const {title: name, position} = stationOf(menuItemId);
    const station = stations.get(name) ?? {title: name, position, counts: new Map()};
    stations.set(name, station);
    for (const counts of [dishes, station.counts]) {
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
    hidden: true, open: loadValue(storageName) === true,
    ontoggle: ({currentTarget}) => saveValue(storageName, currentTarget.open || null),
  }, el('summary', {}, total, ' ', dishTotals), list);
  let shownKey = '';
  /** @param {API.Order[]} open */
  function update(open) {
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
  }
  return {node, update};
}
