// What it comes to, line by line, as the server has added it up. Used by the checkout, by the bill and its receipt, and where a change of price is told.

import {el} from './dom.js';
import {money, percentage} from './money.js';
import {named, t} from './words.js';

/** The name of a total: the shop's where that is in the page's language. Who has no right to know of a coupon is told of none. */
export function nameOf({kind, code, title}, {titlesAreIn}) {
  if (kind === 'discount') return title ? `${title} (${code})` : t('Coupon');
  return titlesAreIn?.split('-')[0] === document.documentElement.lang ? title : named(kind, title);
}

/** The name of a tax with its rate, unless that stands in its title; what is in the prices already does not add up. */
export function taxOf({title, rate, isIncluded}) {
  const name = rate === undefined || title.includes(rate) ? title : `${title} ${percentage(rate)}`;
  return isIncluded ? t('including {name}', {name}) : name;
}

/** The rows of a quote or an order; a subtotal that is the total is left out. */
export function totalRows(of) {
  const isAlone = of.totals.length === 2;
  return of.totals.map((total) => {
    const amount = money(total.amount, of);
    switch (total.kind) {
      case 'subtotal': return isAlone ? null : el('p', {'data-key': 'subtotal'},
        el('span', {}, nameOf(total, of)), of.discount ? el('s', {id: 'old-total'}, amount) : el('span', {}, amount));
      case 'discount': return el('p.saved', {'data-key': 'discount'},
        el('span', {}, nameOf(total, of)), el('span', {}, amount));
      case 'total': return el('p.total', {}, el('span', {}, nameOf(total, of)), el('strong', {id: 'new-total'}, amount));
      case 'tax': return el(total.isIncluded ? 'p.included' : 'p',
        {'data-total': 'tax', 'data-key': `tax ${total.code}`},
        el('span', {}, taxOf(total)), el('span', {}, amount));
      default: return el('p', {'data-total': total.kind, 'data-key': total.kind},
        el('span', {}, nameOf(total, of)), el('span', {}, amount));
    }
  });
}
