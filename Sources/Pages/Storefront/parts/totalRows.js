// The total lines of a quote or an order, as the server has calculated them.

import {el} from './dom.js';
import {money, percentage} from './money.js';
import {t, translatedName} from './translation.js';

/** @typedef {API.Totals[number]} Total */
/**
 * The totals of a quote or an order. `titlesAreIn` is the language of the answer.
 * @typedef {Pick<API.Quote, 'totals' | 'discount' | 'currency' | 'currencyExponent'>
 *   & {titlesAreIn?: string | null}} Bill
 */

/**
 * The title of a total line: the shop's title if it is in the page's language, else a translation of its kind. A
 * discount has the coupon's title; without access to that title it is "Coupon".
 * @param {Total} total
 * @param {Bill} bill
 */
export function totalTitle({kind, code, title}, {titlesAreIn}) {
  if (kind === 'discount') return title ? `${title} (${code})` : t('Coupon');
  return titlesAreIn?.split('-')[0] === document.documentElement.lang ? title : translatedName(kind, title);
}

/**
 * The title of a tax with its rate, unless the title contains the rate. A tax that is part of the prices is marked as
 * included.
 * @param {Pick<Total, 'title' | 'rate' | 'isIncluded'>} tax
 */
export function taxTitle({title, rate, isIncluded}) {
  const name = rate === undefined || title?.includes(rate) ? title : `${title} ${percentage(rate)}`;
  return isIncluded ? t('including {name}', {name}) : name;
}

/**
 * The rows of a quote or an order. A subtotal that equals the total is left out.
 * @param {Bill} priced
 */
export function totalRows(priced) {
  const isAlone = priced.totals.length === 2;
  return priced.totals.map((total) => {
    const amount = money(total.amount, priced);
    switch (total.kind) {
      case 'subtotal': return isAlone ? null : el('p', {'data-key': 'subtotal'},
        el('span', {}, totalTitle(total, priced)),
        priced.discount ? el('s', {id: 'old-total'}, amount) : el('span', {}, amount));
      case 'discount': return el('p.saved', {'data-key': 'discount'},
        el('span', {}, totalTitle(total, priced)), el('span', {}, amount));
      case 'total': return el('p.total', {}, el('span', {}, totalTitle(total, priced)),
        el('strong', {id: 'new-total'}, amount));
      case 'tax': return el(total.isIncluded ? 'p.included' : 'p',
        {'data-total': 'tax', 'data-key': `tax ${total.code}`},
        el('span', {}, taxTitle(total)), el('span', {}, amount));
      default: return el('p', {'data-total': total.kind, 'data-key': total.kind},
        el('span', {}, totalTitle(total, priced)), el('span', {}, amount));
    }
  });
}
