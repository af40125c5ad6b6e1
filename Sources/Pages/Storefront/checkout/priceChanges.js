// Price differences between two quotes, line by line.

import {titleAtPath} from '../basket/errorPaths.js';
import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {totalTitle} from '../parts/totalRows.js';
import {t, translatedName} from '../parts/translation.js';

/** @typedef {import('../parts/money.js').Priced} Priced */
/**
 * A quote, a basket, or only the total that the guest saw, perhaps without its number of decimals.
 * @typedef {object} ComparedQuote
 * @property {Array<{lineId: number, quantity: number, total: number}>} lines
 * @property {Array<{salesGroupId: number, total: number}>} sales
 * @property {number | null | undefined} total
 * @property {string} currency
 * @property {number} [currencyExponent]
 */
/** @typedef {{path: string, old?: number | string, new: number | string, was?: Priced}} ShownChange */

/**
 * The lines and sets whose price differs in the newer quote, and always the total. The format is that of the server's
 * error `price_changed`. With different currencies only the totals are compared. An old total whose number of decimals
 * is unknown is left out.
 * @param {ComparedQuote} before
 * @param {API.Quote} after
 * @returns {ShownChange[]}
 */
export function priceChanges(before, after) {
  const {total: oldTotal, currency, currencyExponent} = before;
  const old = oldTotal == null || currencyExponent === undefined ? {}
    : {old: oldTotal, was: {currency, currencyExponent}};
  const total = {path: 'total', ...old, new: after.total};
  if (currency !== after.currency) return [total];
  return [
    ...after.lines.flatMap(({lineId, quantity, total: newTotal}) => totalChange(`lines/${lineId}`,
      before.lines.find((line) => line.lineId === lineId && line.quantity === quantity)?.total, newTotal)),
    ...after.sales.flatMap(({salesGroupId, total: newTotal}) => totalChange(`sales/${salesGroupId}`,
      before.sales.find((sale) => sale.salesGroupId === salesGroupId)?.total, newTotal)),
    total];
}

/**
 * The change of a total, or nothing if the old total is unknown or the same.
 * @param {string} path
 * @param {number | undefined} old
 * @param {number} next
 * @returns {ShownChange[]}
 */
const totalChange = (path, old, next) => (old === undefined || old === next ? [] : [{path, old, new: next}]);

/**
 * The changes as a list, old → new, with the titles of the quote. Without an old value only the new one is shown.
 * @param {ShownChange[]} changes
 * @param {API.Quote} quote
 */
export function changeList(changes, quote) {
  // Values are amounts or currency codes.
  /** @param {string | number} value @param {Priced} priced */
  const format = (value, priced) => (typeof value === 'string' ? value : money(value, priced));
  /** @param {string} path */
  const name = (path) => {
    if (path === 'currency') return t('Currency');
    if (path.startsWith('totals/')) {
      const [, kind, code] = path.split('/');
      const total = quote.totals.find((entry) => entry.kind === kind && entry.code === code);
      return total ? totalTitle(total, quote)
        : translatedName(kind, kind[0].toUpperCase() + kind.slice(1).replaceAll('_', ' '));
    }
    return titleAtPath(path, quote) ?? t('Total');
  };
  return el('ul', {}, changes.map((change) => el('li', {}, `${name(change.path)}: `,
    change.old === undefined ? [] : [el('s', {}, format(change.old, change.was ?? quote)), ' → '],
    el('strong', {}, format(change.new, quote)))));
}
