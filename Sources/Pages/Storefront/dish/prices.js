// A price beside the crossed-out regular price, with words for screen readers.

import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../parts/money.js').Priced} Priced */

/**
 * The price, and the regular price if it differs; `priced` has the currency.
 * @param {number} now
 * @param {number | null | undefined} before
 * @param {Priced} priced
 */
export function prices(now, before, priced) {
  if (before == null || before === now) return el('span.prices', {}, el('span.now', {}, money(now, priced)));
  return el('span.prices', {},
    el('span.unseen', {}, `${t('now')} `), el('span.now', {}, money(now, priced)),
    el('span.unseen', {}, `, ${t('before')} `), el('s.before', {}, money(before, priced)));
}
