// What stands beside the checkout's form: what is ordered, what it comes to, how it is paid, and the button that orders. Used by the checkout's screen,
// judging.js and ordering.js. Read next: totals.js.

import {basket} from './basket.js';
import {dishList} from './chosen.js';
import {el} from './dom.js';
import {askAge} from './form.js';
import {money} from './money.js';
import {patch} from './parts/patch.js';
import {totalRows} from './totals.js';
import {t} from './words.js';

/** It knows the newest quote of the `form`, and what the guest was shown of it last. */
export function payingOf(form) {
  const dishes = el('div.dishes');
  const totals = el('div.totals', {'aria-live': 'polite'});
  const words = el('p.quiet');
  const button = el('button.button.big', {type: 'submit'}, t('Order'));
  let quote = null, shown = null, drawn = {}, label = null;

  /** The button says what is paid, or what it does while an order is pending. */
  function drawButton() {
    button.textContent = label ?? (quote ? `${t('Order')} · ${money(quote.total, quote)}` : t('Order'));
  }

  function drawTotals() {
    words.textContent = form.by.fulfilment.chosen === 'pickup' ? t('You pay in cash at pickup.') : t('You pay in cash on delivery.');
    // The basket's total stands there until the quote has come, so that nothing moves.
    drawButton();
    if (!quote) {
      const {total, currency} = basket.value ?? {};
      drawn = basket.value ? {expectedTotal: total, currency} : {};
      return patch(totals, basket.value ? el('p.total', {},
        el('span', {}, t('Total')), el('strong', {}, money(total, basket.value))) : null);
    }
    const {total, currency} = quote;
    shown = {expectedTotal: total, currency};
    drawn = {...shown, expectedTotals: quote.totals};
    form.fulfilment.show(quote);
    form.tips.show(quote);
    return patch(totals, [
      totalRows(quote),
      quote.conditions?.length
        ? el('p.quiet', {}, t('When you order, we check whether you have used this coupon before.')) : null,
    ]);
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
    /** The total that is on the screen, as a request names it: {expectedTotal, currency, expectedTotals}. */
    get drawn() { return drawn; },
    /** What the button says instead of the total; null for the total. */
    set label(text) {
      label = text;
      drawButton();
    },
    /** What is ordered, and whether it is for adults only. */
    drawDishes() {
      const now = basket.value;
      askAge(form, now?.minimumAge);
      if (!now) return;
      patch(dishes, el('details', {open: now.lines.length + now.sales.length <= 6},
        el('summary', {}, t('Your order ({count})', {count: now.totalCount})), dishList(now)));
    },
  };
}
