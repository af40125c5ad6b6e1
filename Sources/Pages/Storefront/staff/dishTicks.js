// The dishes that a cook has ticked off as done. Stored on this device until the order leaves the board.

import {loadValue, saveValue} from '../parts/storage.js';
import {allDishes} from './menuItemCache.js';

const storageName = 'staff.done';
/**
 * By order number: the indices of the ticked dishes.
 * @type {Record<string, number[]>}
 */
let tickedDishes = loadValue(storageName, {});

/** @param {Record<string, number[]>} next */
function save(next) {
  tickedDishes = next;
  saveValue(storageName, Object.keys(next).length ? next : null);
}

/**
 * Whether a dish is ticked off.
 * @type {(order: API.Order, index: number) => boolean}
 */
export const isTicked = ({number}, index) => tickedDishes[number]?.includes(index) ?? false;

/**
 * The dishes of an order that are not ticked off.
 * @param {API.Order} order
 */
export const untickedDishes = (order) => allDishes(order).filter((_, index) => !isTicked(order, index));

/**
 * Ticks a dish off, or undoes that.
 * @param {API.Order} order
 * @param {number} index
 * @param {boolean} isDone
 */
export function setTicked({number}, index, isDone) {
  const others = (tickedDishes[number] ?? []).filter((other) => other !== index);
  save({...tickedDishes, [number]: isDone ? [...others, index] : others});
}

/**
 * Removes the ticks of orders that are no longer on the board.
 * @param {API.Order[]} open
 */
export function pruneTicks(open) {
  const numbers = new Set(open.map(({number}) => number));
  const remaining = Object.entries(tickedDishes).filter(([number]) => numbers.has(number));
  if (remaining.length < Object.keys(tickedDishes).length) save(Object.fromEntries(remaining));
}
