// A dish with its selected options and texts in the format of requests.

import {textsOf} from './dishTexts.js';

/** @typedef {import('./selectionRules.js').SelectionEntry} SelectionEntry */
/** @typedef {import('./selectionRules.js').HeldOption} HeldOption */
/**
 * A dish, such as a line or a request. Without `options` it has the defaults of its item.
 * @typedef {{menuItemId: number, options?: HeldOption[] | null} & import('./dishTexts.js').DishTexts} Dish
 */
/** @typedef {Dish & {options: HeldOption[]}} HeldDish */

/**
 * The selection in the format of requests: sorted, and with equal entries merged.
 * @param {HeldOption[] | null} [options]
 * @returns {SelectionEntry[]}
 */
export function selectionOf(options = []) {
  /** @type {Map<string, number>} */
  const units = new Map();
  for (const {optionId, quantity, options: below} of options ?? []) {
    const key = JSON.stringify([optionId, selectionOf(below)]);
    units.set(key, (units.get(key) ?? 0) + (quantity ?? 1));
  }
  return [...units].map(([key, quantity]) => {
    const [optionId, below] = JSON.parse(key);
    return {optionId, quantity, options: below};
  }).sort((a, b) => a.optionId - b.optionId || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/**
 * A dish or a unit of a set in the format of requests. Without options and texts it is the item with its defaults.
 * @param {Dish} dish
 * @returns {API.ChosenUnit}
 */
export const dishRequest = (dish) =>
  ({menuItemId: dish.menuItemId, ...dish.options ? {options: selectionOf(dish.options)} : {}, ...textsOf(dish)});

/**
 * The dish of a line: {menuItemId, options} and its texts. `options` is always a list.
 * @param {Dish} line
 * @returns {HeldDish}
 */
export const dishOfLine = (line) => ({menuItemId: line.menuItemId, options: line.options ?? [], ...textsOf(line)});

/**
 * The fields of the PATCH that turns a line into this dish.
 * @param {Dish} line
 * @param {Dish} dish
 */
export function lineChanges(line, dish) {
  /** @type {Array<Record<string, unknown>>} */
  const [before, after] = [line, dish].map((entry) => dishRequest(dishOfLine(entry)));
  /** @param {string} key */
  const isChanged = (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  return Object.fromEntries(Object.keys({...before, ...after}).filter(isChanged)
    .map((key) => [key, after[key] ?? null]));
}

/**
 * The units of a set that have options or texts, in the format of requests.
 * @param {{items: Array<Dish & {quantity: number}>}} set
 */
export const customUnits = ({items}) =>
  items.flatMap((item) => (Object.keys(dishRequest(item)).length > 1 ? Array(item.quantity).fill(dishRequest(item))
    : []));
