// The dishes that a cook has ticked off as done. Stored on this device until the order leaves the board.

import {loadValue, saveValue} from '../parts/storage.js';
import {allDishes} from './menuItemCache.js';

const storageName = 'staff.done';
/** By order number: the indices of the ticked dishes. */
let tickedDishes = loadValue(storageName, {});

function save(next) {
  tickedDishes = next;
  saveValue(storageName, Object.keys(next).length ? next : null);
}

/** Whether a dish is ticked off. */
export const isTicked = ({number}, index) => tickedDishes[number]?.includes(index) ?? false;

/** The dishes of an order that are not ticked off. */
export const untickedDishes = (order) => allDishes(order).filter((_, index) => !isTicked(order, index));

/** Ticks a dish off, or undoes that. */
export function setTicked({number}, index, isDone) {
  const others = (tickedDishes[number] ?? []).filter((other) => other !== index);
  save({...tickedDishes, [number]: isDone ? [...others, index] : others});
}

/** Removes the ticks of orders that are no longer on the board. */
export function pruneTicks(open) {
  const numbers = new Set(open.map(({number}) => number));
  const remaining = Object.entries(tickedDishes).filter(([number]) => numbers.has(number));
  if (remaining.length < Object.keys(tickedDishes).length) save(Object.fromEntries(remaining));
}
