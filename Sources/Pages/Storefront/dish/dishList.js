// The dishes of a basket or an order as a list, with their options and prices.

import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {textList} from './dishTexts.js';

/** @typedef {import('../parts/money.js').Priced} Priced */

/**
 * The options of a line, each with its own surcharge. Included and free options show no price.
 * @param {API.LineOption[] | undefined} options
 * @param {Priced} priced
 * @returns {HTMLElement | null}
 */
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

/**
 * An amount with a plus sign if it is positive.
 * @param {number} amount
 * @param {Priced} priced
 */
export const signedMoney = (amount, priced) => (amount > 0 ? `+${money(amount, priced)}` : money(amount, priced));

/** @param {API.BasketLine | API.OrderLine} entry @param {Priced} priced */
const dishContent = (entry, priced) => [
  `${entry.quantity} × ${entry.title}`, ...textList(entry).map((text) => el('small', {}, `“${text}”`)),
  selectionList(entry.options, priced),
];

/**
 * The lines and sets of a basket or an order, with their prices.
 * @param {Pick<API.Basket | API.Order, 'lines' | 'sales'> & Priced} priced
 */
export const dishList = (priced) => el('ul.dishlist', {},
  priced.lines.map((line) =>
    el('li', {}, el('div', {}, dishContent(line, priced)), el('span', {}, money(line.total, priced)))),
  priced.sales.map((sale) =>
    el('li', {}, el('div', {}, sale.title,
      el('ul.units', {}, sale.items.map((item) => el('li', {}, dishContent(item, priced))))),
      el('span', {}, money(sale.total, priced)))));
