// What stands beside the checkout's form: what is ordered, what it comes to, how it is paid, and the button that orders. Used by the checkout's screen,
// judging.js and ordering.js. Read next: totals.js.

import {basket} from './basket.js';
import {dishList} from './chosen.js';
import {el, fill} from './dom.js';
import {askAge} from './form.js';
import {money} from './money.js';
import {totalRows} from './totals.js';
import {t} from './words.js';

/** It knows the newest quote of the `form`, and what the guest was shown of it last. */
export function payingOf(form) {
  const dishes = el('div.dishes');
  const totals = el('div.totals', {'aria-live': 'polite'});
  const words = el('p.quiet');
  const button = el('button.button.big', {type: 'submit'}, t('Order'));
  let quote = null, shown = null;

  function drawTotals() {
    words.textContent = form.by.fulfilment.chosen === 'pickup' ? t('You pay in cash when you fetch it.') : t('You pay in cash at your door.');
    // The basket's total stands there until the quote has come, so that nothing moves.
    if (!quote) return fill(totals, basket.value ? el('p.total', {}, el('span', {}, t('Total')), el('strong', {}, money(basket.value.total, basket.value))) : null);
    const {total, currency} = quote;
    shown = {expectedTotal: total, currency};
    form.fulfilment.show(quote);
    form.tips.show(quote);
    button.textContent = `${t('Order')} · ${money(total, quote)}`;
    return fill(totals,
      totalRows(quote),
      quote.conditions?.length ? el('p.quiet', {}, t('Whether you have used this coupon before is looked at when you order.')) : null);
  }

  return {
    nodes: [dishes, totals, words], button, drawTotals,
    /** What it comes to, as the server has told last; null before it has. */
    get quote() { return quote; },
    set quote(next) {
      quote = next;
      drawTotals();
    },
    /** What the guest has seen: {expectedTotal, currency}, or null. */
    get shown() { return shown; },
    /** What is ordered, and whether it is for adults only. */
    drawDishes() {
      const now = basket.value;
      askAge(form, now?.minimumAge);
      if (now) fill(dishes, el('details', {open: now.lines.length + now.sales.length <= 6}, el('summary', {}, t('What you order ({count})', {count: now.totalCount})), dishList(now)));
    },
  };
}
