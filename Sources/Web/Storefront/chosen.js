// The selected options of a dish: in the format of requests, and as a list below the dish.

import {textList, textsOf} from './dishTexts.js';
import {el} from './parts/dom.js';
import {money} from './parts/money.js';

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
export const dishOf = (line) => ({menuItemId: line.menuItemId, options: line.options ?? [], ...textsOf(line)});

/** The fields of the PATCH that turns a line into this dish. */
export function lineChanges(line, dish) {
  const [before, after] = [line, dish].map((entry) => dishRequest(dishOf(entry)));
  const isChanged = (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  return Object.fromEntries(Object.keys({...before, ...after}).filter(isChanged)
    .map((key) => [key, after[key] ?? null]));
}

/** The units of a set that have options or texts, in the format of requests. */
export const customUnits = ({items}) =>
  items.flatMap((item) => (Object.keys(dishRequest(item)).length > 1 ? Array(item.quantity).fill(dishRequest(item))
    : []));

/** The options of a line, each with its own surcharge. Included and free options show no price. */
export function selectionList(options, priced) {
  if (!options?.length) return null;
  return el('ul.chosen', {}, options.map((option) => {
    const own = option.total - option.options.reduce((sum, {total}) => sum + total, 0);
    return el('li', {},
      el('span.pick', {}, el('span', {}, option.quantity > 1 ? `${option.quantity} × ${option.title}` : option.title),
        own ? el('span', {}, signedMoney(own, priced)) : null),
      selectionList(option.options, priced));
  }));
}

/** An amount with a plus sign if it is positive. */
export const signedMoney = (amount, priced) => (amount > 0 ? `+${money(amount, priced)}` : money(amount, priced));

const dishContent = (entry, priced) => [
  `${entry.quantity} × ${entry.title}`, ...textList(entry).map((text) => el('small', {}, `“${text}”`)),
  selectionList(entry.options, priced),
];

/** The lines and sets of a basket or an order, with their prices. */
export const dishList = (priced) => el('ul.dishlist', {},
  priced.lines.map((line) =>
    el('li', {}, el('div', {}, dishContent(line, priced)), el('span', {}, money(line.total, priced)))),
  priced.sales.map((sale) =>
    el('li', {}, el('div', {}, sale.title,
      el('ul.units', {}, sale.items.map((item) => el('li', {}, dishContent(item, priced))))),
      el('span', {}, money(sale.total, priced)))));
