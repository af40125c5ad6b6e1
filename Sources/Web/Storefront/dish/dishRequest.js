// A dish with its selected options and texts in the format of requests.

import {textsOf} from './dishTexts.js';

/** The selection in the format of requests: sorted, and with equal entries merged. */
export function selectionOf(options = []) {
  const units = new Map();
  for (const {optionId, quantity = 1, options: below} of options) {
    const key = JSON.stringify([optionId, selectionOf(below)]);
    units.set(key, (units.get(key) ?? 0) + quantity);
  }
  return [...units].map(([key, quantity]) => {
    const [optionId, below] = JSON.parse(key);
    return {optionId, quantity, options: below};
  }).sort((a, b) => a.optionId - b.optionId || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A dish or a unit of a set in the format of requests. Without options and texts it is the item with its defaults. */
export const dishRequest = (dish) =>
  ({menuItemId: dish.menuItemId, ...dish.options ? {options: selectionOf(dish.options)} : {}, ...textsOf(dish)});

/** The dish of a line: {menuItemId, options} and its texts. `options` is always a list. */
export const dishOfLine = (line) => ({menuItemId: line.menuItemId, options: line.options ?? [], ...textsOf(line)});

/** The fields of the PATCH that turns a line into this dish. */
export function lineChanges(line, dish) {
  const [before, after] = [line, dish].map((entry) => dishRequest(dishOfLine(entry)));
  const isChanged = (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  return Object.fromEntries(Object.keys({...before, ...after}).filter(isChanged)
    .map((key) => [key, after[key] ?? null]));
}

/** The units of a set that have options or texts, in the format of requests. */
export const customUnits = ({items}) =>
  items.flatMap((item) => (Object.keys(dishRequest(item)).length > 1 ? Array(item.quantity).fill(dishRequest(item))
    : []));
