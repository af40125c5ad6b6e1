// The checkout. Each field is validated when the guest leaves it, the coupon while typing. checkout/attempt.js sends
// the order, on every screen. The typed values are kept until the guest orders.

import {basket, refreshBasket} from '../basket/basket.js';
import {el, icon, replaceChildren} from '../parts/dom.js';
import {preloadScreen, setTitle} from '../parts/router.js';
import {emptyState} from '../parts/screenLoading.js';
import {sleep} from '../parts/sleep.js';
import {loadValue} from '../parts/storage.js';
import {t} from '../parts/translation.js';
import {attemptState} from './attempt.js';
import {checkoutForm} from './checkoutForm.js';
import {checkoutSummary} from './checkoutSummary.js';
import {checkoutProblems, checkoutValidation} from './checkoutValidation.js';
import {moveOnEnter} from './moveOnEnter.js';
import {orderSubmission} from './orderSubmission.js';
import {startSending} from './startSending.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {import('./checkoutForm.js').CheckoutForm} CheckoutForm */
/** @typedef {import('./checkoutValidation.js').CheckoutValidation} CheckoutValidation */

/** The form is drawn after this time at the latest, with or without the fees. */
const quoteLimit = 1_500;

/** @param {HTMLElement} container @param {Route} route */
export function checkoutScreen(container, route) {
  setTitle(t('Checkout'), {silent: route.isFirst});
  startSending();
  /** @type {CheckoutForm} */
  const form = checkoutForm({
    changed: () => validation.validateQuietly(), currencySource: () => summary.quote ?? basket.value,
  });
  const summary = checkoutSummary(form);
  const problems = checkoutProblems(form, summary.button);
  /** @type {CheckoutValidation} */
  const validation = checkoutValidation(form, summary, problems);
  const submission = orderSubmission({form, summary, problems, validation});
  const node = el('form.checkout', {novalidate: true, onsubmit: submit}, form.node,
    el('div.checkout-summary', {}, summary.nodes, problems.node, el('div.row', {}, summary.button)));
  const isPending = () => attemptState.value.attempt !== null;
  moveOnEnter(node);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    return submission.order();
  }

  function draw() {
    const heading = el('h1', {tabindex: '-1'}, t('Checkout'));
    if (!isPending() && !basket.value && loadValue('basket')) {
      // basket.js retries by itself.
      const message = t('We can’t load your basket right now. It is saved, and we’ll keep trying.');
      return replaceChildren(container, heading, el('p.warn', {role: 'alert'}, message));
    }
    if (!isPending() && !basket.value?.totalCount) {
      return replaceChildren(container, heading, emptyState(t('There is nothing to order yet.')));
    }
    const hasFocus = container.contains(document.activeElement);
    replaceChildren(container, el('a.back', {href: '#/basket'}, icon('back'), t('Basket')), heading, node);
    if (hasFocus) heading.focus();
    summary.drawDishes();
    summary.drawTotals();
    return submission.drawState();
  }

  /** Waits for the first quote, so that the first total has the fees. */
  async function start() {
    const hasBasket = Boolean(loadValue('basket'));
    await Promise.all([refreshBasket().catch(() => {}), hasBasket ? form.fulfilment.load().catch(() => {}) : null]);
    version = basket.value?.version;
    if (basket.value?.totalCount && !isPending()) await Promise.race([validation.validateQuietly(), sleep(quoteLimit)]);
    isStarted = true;
    if (validation.isEnded) return;
    draw();
    onBasketChange(basket.value);
  }

  replaceChildren(container, el('h1', {}, t('Checkout')), el('p.quiet', {}, t('One moment…')));
  preloadScreen('#/orders/:id');
  let version = basket.value?.version, isStarted = false;
  void start();
  // Shows the new total when another tab has changed the basket. If the guest orders, the difference is shown first.
  /** @param {API.Basket | null} currentBasket */
  function onBasketChange(currentBasket) {
    if (!isStarted || validation.isEnded || currentBasket?.version === version
      || summary.button.getAttribute('aria-busy') === 'true') return;
    version = currentBasket?.version;
    if (!currentBasket?.totalCount) {
      if (!isPending()) draw();
      return;
    }
    void validation.validateQuietly();
    if (node.isConnected) summary.drawDishes();
    else draw();
  }
  const stop = basket.watch(onBasketChange);
  return () => {
    validation.end();
    submission.end();
    form.cancelValidation();
    stop();
  };
}
