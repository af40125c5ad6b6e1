// Which dishes of an order are done, as whoever cooks it ticks them off: on this device, until the order leaves the board. Used by dishes.js, and by
// kitchen.js, which counts those that are not.

import {keep, kept} from '../store.js';
import {allDishes} from './recipes.js';

const name = 'staff.done';
/** By an order's number the places, among its dishes, of those that are done. */
let done = kept(name, {});

function save(next) {
  done = next;
  keep(name, Object.keys(next).length ? next : null);
}

/** Whether a dish is done. */
export const isDone = ({number}, place) => done[number]?.includes(place) ?? false;

/** The dishes that are not. */
export const undone = (order) => allDishes(order).filter((_, place) => !isDone(order, place));

/** Ticks a dish off, or takes that back. */
export function tickOff({number}, place, is) {
  const others = (done[number] ?? []).filter((other) => other !== place);
  save({...done, [number]: is ? [...others, place] : others});
}

/** Forgets what is not on the board any more. */
export function forgetOthers(open) {
  const numbers = new Set(open.map(({number}) => number));
  const left = Object.entries(done).filter(([number]) => numbers.has(number));
  if (left.length < Object.keys(done).length) save(Object.fromEntries(left));
}
