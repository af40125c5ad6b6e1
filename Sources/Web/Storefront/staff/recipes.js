// What the menu says of the dishes on the board: what comes with each where nobody chooses, so that a cook sees what is other, and who makes it, by its
// category. Read when a dish comes, and again after a while. Used by dishes.js, kitchen.js and board.js. Read next: orders.js.

import {read, readAll} from '../api.js';
import {retryAfter, watchReads} from './connection.js';

/** How long what was read holds, and how long an order waits for it. */
const [good, patience] = [60_000, 600];
/** By item: {groups: what can be chosen, or null before anybody knows, category, version, at}. */
const known = new Map();
/** The titles of the categories by id, in the menu's order. */
let titles = new Map();
let reading = null, retry = 0;
const reads = watchReads('menu');
const readTitles = () => (reading ??= readAll('/v1/categories').then((categories) => {
  titles = new Map(categories.map(({id, title}) => [id, title]));
}).finally(() => { reading = null; }));

/** Its dishes, those of sets too. */
export const allDishes = ({lines, sales}) => [...lines, ...sales.flatMap(({items}) => items)];

/** What can be chosen with a dish; null while nobody knows. */
export const groupsOf = (item) => known.get(item)?.groups ?? null;

/** Where a dish is made: {title, place: of it among the others}. */
export function stationOf(item) {
  const id = known.get(item)?.category;
  const place = [...titles.keys()].indexOf(id);
  return place < 0 ? {title: 'Other', place: titles.size} : {title: titles.get(id), place};
}

/** Changes whenever more is known of an order's dishes. */
export const knowledge = (order) => allDishes(order).map(({menuItemId}) => known.get(menuItemId)?.version ?? 0).join('.');

/** Reads what can be chosen with a dish; whether that is other than before, or null if it can't be read now. */
async function readOne(item) {
  const entry = known.get(item) ?? {groups: null, version: 0};
  entry.at = performance.now();
  known.set(item, entry);
  try {
    const {optionGroups, category} = await read(`/v1/menu/${item}`);
    if (!titles.has(category)) await readTitles();
    if (JSON.stringify(optionGroups) === JSON.stringify(entry.groups)) return false;
    Object.assign(entry, {groups: optionGroups, category, version: entry.version + 1});
    return true;
  } catch (problem) {
    if (problem.code === undefined) throw problem;
    // It is off the menu, or the server is away: what was chosen is all that is told.
    if (!problem.passes) return false;
    entry.at = -Infinity;
    return null;
  }
}

const itemsOf = (orders) => [...new Set(orders.flatMap(allDishes).map(({menuItemId}) => menuItemId))];

/** Reads of the orders' dishes what nobody has asked for yet, so that a card is drawn once: what to wait for, and not for long; null where all is known. */
export function informed(orders) {
  const wanted = itemsOf(orders).filter((item) => !known.has(item));
  return wanted.length ? Promise.race([Promise.all(wanted.map(readOne)), new Promise((done) => setTimeout(done, patience))]) : null;
}

/** Reads what has become too old, and again what could not be read; `changed` is called when there is more to tell. */
export async function learn(orders, changed) {
  const wanted = itemsOf(orders).filter((item) => performance.now() - known.get(item)?.at > good);
  if (!wanted.length) return;
  reads.began();
  const results = await Promise.all(wanted.map(readOne));
  const isRead = !results.includes(null);
  reads.ended(isRead);
  clearTimeout(retry);
  if (!isRead) retry = setTimeout(() => learn(orders, changed), retryAfter);
  if (results.includes(true)) changed();
}
