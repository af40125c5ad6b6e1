// The menu items of the dishes on the board: their option groups, whose defaults cards show in grey, and stations.
// An item is read when its first dish appears, and again when the entry has become too old.

import {Problem, read, readAll} from '../parts/api.js';
import {sleep} from '../parts/sleep.js';
import {monitorReads, retryDelay} from './connectionBanner.js';

/** @typedef {Pick<API.Order, 'lines' | 'sales'>} OrderDishes */
/**
 * The known parts of an item. `groups` is null before the item has been read; `version` counts the changes.
 * @typedef {{groups: API.OptionGroup[] | null, category?: API.StaffID, version: number, readAt: number}} Entry
 */

/** The milliseconds for which an entry is valid, and for which the board waits for missing entries. */
const [entryLifetime, loadTimeout] = [60_000, 600];
/**
 * The entries by item id.
 * @type {Map<API.StaffID, Entry>}
 */
const entries = new Map();
/**
 * The titles of the categories by id, in the menu's order.
 * @type {Map<API.StaffID, string>}
 */
let categoryTitles = new Map();
/** @type {Promise<void> | null} */
let categoriesRead = null;
let retryTimer = 0;
const reads = monitorReads('menu');
const readCategories = () => (categoriesRead ??= readAll('/v1/categories').then((categories) => {
  categoryTitles = new Map(categories.map(({id, title}) => [id, title]));
}).finally(() => { categoriesRead = null; }));

/**
 * The dishes of an order, those of sets included.
 * @param {OrderDishes} order
 */
export const allDishes = ({lines, sales}) => [...lines, ...sales.flatMap(({items}) => items)];

/**
 * The option groups of an item; null while they are unknown.
 * @param {API.StaffID} itemId
 */
export const optionGroupsOf = (itemId) => entries.get(itemId)?.groups ?? null;

/**
 * The station of an item, which is its category: {title, position among the stations}.
 * @param {API.StaffID} itemId
 */
export function stationOf(itemId) {
  const category = entries.get(itemId)?.category;
  const position = [...categoryTitles.keys()].findIndex((id) => id === category);
  const title = category === undefined ? undefined : categoryTitles.get(category);
  return title === undefined ? {title: 'Other', position: categoryTitles.size} : {title, position};
}

/**
 * A key that changes when an entry of an order's dishes changes.
 * @param {OrderDishes} order
 */
export const itemVersionsKey = (order) =>
  allDishes(order).map(({menuItemId}) => entries.get(menuItemId)?.version ?? 0).join('.');

/**
 * Reads an item; returns whether its entry changed, or null if the item can't be read now.
 * @param {API.StaffID} itemId
 */
async function readItem(itemId) {
  const readAt = performance.now();
  /** @type {Entry} */
  const entry = entries.get(itemId) ?? {groups: null, version: 0, readAt};
  entry.readAt = readAt;
  entries.set(itemId, entry);
  try {
    const item = await read(`/v1/menu/${itemId}`);
    const {optionGroups = [], category} = item;
    if (!categoryTitles.has(category)) await readCategories();
    if (JSON.stringify(optionGroups) === JSON.stringify(entry.groups)) return false;
    Object.assign(entry, {groups: optionGroups, category, version: entry.version + 1});
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    // The item is off the menu, or the server is unreachable: the card shows only the selected options.
    if (!problem.isTransient) return false;
    entry.readAt = -Infinity;
    return null;
  }
}

/** @param {OrderDishes[]} orders */
const itemIdsOf = (orders) => [...new Set(orders.flatMap(allDishes).map(({menuItemId}) => menuItemId))];

/**
 * Reads the items that have no entry, so that a card is drawn once. Returns a promise that resolves after
 * `loadTimeout` at the latest; null if no item is missing.
 * @param {OrderDishes[]} orders
 */
export function loadMissingItems(orders) {
  const missing = itemIdsOf(orders).filter((itemId) => !entries.has(itemId));
  if (!missing.length) return null;
  return Promise.race([Promise.all(missing.map(readItem)), sleep(loadTimeout)]);
}

/**
 * Reads the items whose entries are too old or could not be read; calls `onChange` if an entry changed.
 * @param {OrderDishes[]} orders
 * @param {() => void} onChange
 */
export async function refreshItems(orders, onChange) {
  const outdated = itemIdsOf(orders)
    .filter((itemId) => performance.now() - (entries.get(itemId)?.readAt ?? Infinity) > entryLifetime);
  if (!outdated.length) return;
  reads.begin();
  const results = await Promise.all(outdated.map(readItem));
  const isSuccess = !results.includes(null);
  reads.end(isSuccess);
  clearTimeout(retryTimer);
  if (!isSuccess) retryTimer = setTimeout(() => refreshItems(orders, onChange), retryDelay);
  if (results.includes(true)) onChange();
}
