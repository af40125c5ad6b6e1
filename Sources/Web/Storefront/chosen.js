// What was chosen with a dish: as a request says it, and as guests read it, indented below the dish. Used by basket.js, and by the screens of the
// basket, the checkout and the bill, and by its receipt.

import {el} from './dom.js';
import {money} from './money.js';

/** What was chosen with a dish, of a request or of a line, as a request says it: in one order, equal ones together. */
export function choiceOf(options = []) {
  const units = new Map();
  for (const {optionId, quantity = 1, options: below} of options) {
    const key = JSON.stringify([optionId, choiceOf(below)]);
    units.set(key, (units.get(key) ?? 0) + quantity);
  }
  return [...units].map(([key, quantity]) => {
    const [optionId, below] = JSON.parse(key);
    return {optionId, quantity, options: below};
  }).sort((one, other) => one.optionId - other.optionId || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** A unit of a set, as a request says it. */
export const unitOf = ({menuItemId, options, note}) => ({menuItemId, ...options ? {options: choiceOf(options)} : {}, ...note ? {note} : {}});

/** The units of a set, as they are; those that are as they come are left out. */
export const unitsOf = ({items}) => items.flatMap((item) => (item.note || item.options ? Array(item.quantity).fill(unitOf(item)) : []));

/** The options of a line, each with what it adds itself; what is included or costs nothing has no price. */
export function chosenList(options, of) {
  if (!options?.length) return null;
  return el('ul.chosen', {}, options.map((one) => {
    const own = one.total - one.options.reduce((sum, {total}) => sum + total, 0);
    return el('li', {},
      el('span.pick', {}, el('span', {}, one.quantity > 1 ? `${one.quantity} × ${one.title}` : one.title), own ? el('span', {}, signed(own, of)) : null),
      chosenList(one.options, of));
  }));
}

/** An amount that is added, or taken off. */
export const signed = (amount, of) => (amount > 0 ? `+${money(amount, of)}` : money(amount, of));

const quoted = (note) => (note ? el('small', {}, `“${note}”`) : null);
const dish = (one, of) => [`${one.quantity} × ${one.title}`, quoted(one.note), chosenList(one.options, of)];

/** The lines and sets of a basket or an order, with what each costs. */
export const dishList = (of) => el('ul.dishlist', {},
  of.lines.map((line) => el('li', {}, el('div', {}, dish(line, of)), el('span', {}, money(line.total, of)))),
  of.sales.map((sale) => el('li', {}, el('div', {}, sale.title, el('ul.units', {}, sale.items.map((item) => el('li', {}, dish(item, of))))), el('span', {}, money(sale.total, of)))));
