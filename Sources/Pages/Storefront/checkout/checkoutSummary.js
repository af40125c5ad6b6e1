// The summary beside the checkout form: the dishes, the totals, how the guest pays, and the Order button.

import {basket} from '../basket/basket.js';
import {dishList} from '../dish/dishList.js';
import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {totalRows} from '../parts/totalRows.js';
import {t} from '../parts/translation.js';
import {showAgeField} from './checkoutForm.js';

/** @typedef {import('./checkoutForm.js').CheckoutForm} CheckoutForm */
/** @typedef {ReturnType<typeof checkoutSummary>} CheckoutSummary */
/** @typedef {Pick<API.CheckoutForm, 'expectedTotal' | 'currency' | 'expectedTotals'>} SeenTotal */

/**
 * The summary of a `form`. It has the newest quote, and the totals that the guest has seen.
 * @param {CheckoutForm} form
 */
export function checkoutSummary(form) {
  const dishes = el('div.dishes');
  const totals = el('div.totals', {'aria-live': 'polite'});
  const words = el('p.quiet');
  const button = el('button.button.big', {type: 'submit'}, t('Order'));
  /** @type {API.Quote | null} */
  let quote = null;
  /** @type {SeenTotal | null} */
  let shownTotal = null;
  /** @type {SeenTotal} */
  let drawnTotal = {};
  /** @type {string | null} */
  let buttonLabel = null;

  /** The button shows the total, or the next action while an order is pending. */
  function drawButton() {
    button.textContent = buttonLabel ?? (quote ? `${t('Order')} · ${money(quote.total, quote)}` : t('Order'));
  }

  function drawTotals() {
    words.textContent = form.byName.fulfilment.chosen === 'pickup' ? t('You pay in cash at pickup.')
      : t('You pay in cash on delivery.');
    // Shows the basket's total until the quote arrives, so that nothing moves.
    drawButton();
    if (!quote) {
      const priced = basket.value;
      drawnTotal = priced ? {expectedTotal: priced.total, currency: priced.currency} : {};
      return patch(totals, priced ? el('p.total', {},
        el('span', {}, t('Total')), el('strong', {}, money(priced.total, priced))) : null);
    }
    const {total, currency} = quote;
    shownTotal = {expectedTotal: total, currency};
    drawnTotal = {...shownTotal, expectedTotals: quote.totals};
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
    /**
     * The last quote of the server, or null.
     * @returns {API.Quote | null}
     */
    get quote() { return quote; },
    /** @param {API.Quote | null} next */
    set quote(next) {
      quote = next;
      drawTotals();
    },
    /**
     * The total of the last quote that was shown: {expectedTotal, currency}, or null.
     * @returns {SeenTotal | null}
     */
    get shownTotal() { return shownTotal; },
    /** The total on the screen, as a request has it: {expectedTotal, currency, expectedTotals}. */
    get drawnTotal() { return drawnTotal; },
    /**
     * The button's text instead of the total; null for the total.
     * @param {string | null} text
     */
    set buttonLabel(text) {
      buttonLabel = text;
      drawButton();
    },
    /** Shows the dishes, and the age field if it is needed. */
    drawDishes() {
      const currentBasket = basket.value;
      showAgeField(form, currentBasket?.minimumAge);
      if (!currentBasket) return;
      patch(dishes, el('details', {open: currentBasket.lines.length + currentBasket.sales.length <= 6},
        el('summary', {}, t('Your order ({count})', {count: currentBasket.totalCount})), dishList(currentBasket)));
    },
  };
}
