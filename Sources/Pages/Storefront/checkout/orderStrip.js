// The strip below the header: the state of the order that this device has sent, on every screen.

import {el, icon, reconcile} from '../parts/dom.js';
import {navigate} from '../parts/router.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {attemptState, takeAttemptResult, withdrawAttempt} from './attempt.js';

/** @typedef {import('./attempt.js').AttemptResult} AttemptResult */
/** @typedef {import('./attempt.js').AttemptState} AttemptState */
/** @typedef {{text: string, canWithdraw?: boolean, link?: [string, string]}} Message */

const isAtCheckout = () => location.hash.split('?')[0] === '#/checkout';

/**
 * The address of the order in an outcome, or null.
 * @param {AttemptResult} result
 */
function orderAddress(result) {
  const id = result.kind === 'placed' ? result.order.id : result.kind === 'ordered' ? result.orderId : null;
  return id ? `#/orders/${id}` : null;
}

/**
 * The message for a state, or null.
 * @param {Pick<AttemptState, 'phase' | 'result'>} state
 * @returns {Message | null}
 */
function messageFor({phase, result}) {
  if (phase === 'waiting') {
    return {canWithdraw: true,
      text: t('Your order is waiting for the network. We’ll send it as soon as you are back online.')};
  }
  if (phase === 'unknown') {
    return {text:
      t('We don’t know yet whether your order has arrived. We’ll keep checking. It won’t be placed twice.')};
  }
  if (isAtCheckout() && (phase === 'sending' || (result && !orderAddress(result)))) return null;
  if (phase === 'sending') return {text: t('Your order is being sent.')};
  if (!result) return null;
  const order = orderAddress(result);
  if (order) return {text: t('Your order is in.'), link: [order, t('See your order')]};
  const text = t('Nothing was ordered. Please check your order.');
  if (result.kind !== 'gone') return {text, link: ['#/checkout', t('Go to the checkout')]};
  return {text: t('This basket is gone. Please start a new one.'), link: ['#/menu', t('See the menu')]};
}

/**
 * Keeps the strip up to date. At the checkout, an order of this tab opens the order's screen instead.
 * @param {HTMLElement} container
 */
export function startOrderStrip(container) {
  const words = el('p', {role: 'status'});
  const link = el('a.button.small.plain', {});
  const withdrawButton = el('button.button.small.plain', {type: 'button', onclick: withdrawOrder}, t('Don’t send it'));
  const closing = {type: 'button', 'aria-label': t('Close'), onclick: () => leaveButton(takeAttemptResult)};
  const close = el('button.round', closing, icon('cross'));
  let timer = 0;
  /** @type {AttemptResult | null} */
  let lastResult = null;

  /**
   * The pressed button disappears, so the focus moves to the screen's heading.
   * @param {() => unknown} action
   */
  function leaveButton(action) {
    /** @type {HTMLElement | null} */
    const heading = document.querySelector('main h1');
    heading?.focus({preventScroll: true});
    action();
  }

  function withdrawOrder() {
    leaveButton(() =>
      showToast(withdrawAttempt() ? t('Your order was not sent.') : t('It is too late: your order has been sent.')));
  }

  function draw() {
    clearTimeout(timer);
    const {phase, result} = attemptState.value;
    const isNew = result !== lastResult;
    lastResult = result;
    // At the checkout the order is shown at once.
    if (isNew && result?.isHere && isAtCheckout() && orderAddress(result)) return showOrder();
    const found = messageFor(attemptState.value);
    // Shows the strip after one second, because most orders are answered earlier.
    if (phase === 'sending' && found && !container.classList.contains('shown')) timer = setTimeout(show, 1_000);
    else show();
    return undefined;
  }

  function show() {
    const found = messageFor(attemptState.value);
    const text = found?.text ?? '';
    if (words.textContent !== text) words.textContent = text;
    if (found?.link) [link.href, link.textContent] = found.link;
    container.classList.toggle('shown', Boolean(found));
    reconcile(container, [words, ...found?.canWithdraw ? [withdrawButton] : [], ...found?.link ? [link, close] : []]);
  }

  function showOrder() {
    const result = takeAttemptResult();
    const address = result && orderAddress(result);
    if (!address) return;
    if (result.kind === 'ordered') showToast(t('This basket has already been ordered. Here is your order.'));
    navigate(address);
  }

  /** The start page and the screens of orders show an order themselves: there the outcome counts as shown. */
  function onNavigation() {
    const {result} = attemptState.value;
    if (result && orderAddress(result) && /^#\/(orders.*)?$/.test(location.hash || '#/')) takeAttemptResult();
    else draw();
  }

  container.append(words);
  attemptState.watch(draw);
  addEventListener('hashchange', onNavigation);
  draw();
}
