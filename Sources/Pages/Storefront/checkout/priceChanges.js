// Price differences between two quotes, line by line.

import {titleAtPath} from '../basket/errorPaths.js';
import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {totalTitle} from '../parts/totalRows.js';
import {t, translatedName} from '../parts/translation.js';

/** @typedef {import('../parts/money.js').Priced} Priced */
/** @typedef {Pick<API.Quote, 'lines' | 'sales' | 'total'> & Priced} ComparedQuote A quote, or a basket. */
/** @typedef {{path: string, old?: number | string, new: number | string, was?: Priced}} ShownChange */

/**
 * The lines and sets whose price differs in the newer quote, and always the total. The format is that of the server's
 * error `price_changed`. With different currencies only the totals are compared. An old total whose number of decimals
 * is unknown is left out.
 * @param {ComparedQuote} before
 * @param {API.Quote} after
 */
export function priceChanges(before, after) {
  const isKnown = before.currencyExponent !== undefined;
  const total = {path: 'total', ...isKnown ? {old: before.total, was: before} : {}, new: after.total};
  if (before.currency !== after.currency) return [total];
  const lists = [['lines', 'lineId'], ['sales', 'salesGroupId']];
  const changes = lists.flatMap(([list, id]) => after[list].flatMap((entry) => {
    const old = before[list].find((other) => other[id] === entry[id] && other.quantity === entry.quantity);
    return old && old.total !== entry.total ? [{path: `${list}/${entry[id]}`, old: old.total, new: entry.total}] : [];
  }));
  return [...changes, total];
}

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
