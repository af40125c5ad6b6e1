// The strip below the header: what became of the order that this device sent, on whatever screen the guest is.

import {ordering, takeResult, withdraw} from './attempt.js';
import {arrange, el, icon} from '../dom.js';
import {notice} from '../notice.js';
import {go} from '../router.js';
import {t} from '../words.js';

const isAtCheckout = () => location.hash.split('?')[0] === '#/checkout';

/** The address of the order that an outcome tells of, if there is one. */
function orderOf({kind, order, orderId}) {
  const id = kind === 'placed' ? order.id : orderId;
  return id ? `#/orders/${id}` : null;
}

/** What is said of the state: {text, canWithdraw, link}, or null for nothing. */
function wordsOf({phase, result}) {
  if (phase === 'waiting') {
    const text = t('Your order is waiting for the network. We’ll send it as soon as you are back online.');
    return {text, canWithdraw: true};
  }
  if (phase === 'unknown') {
    const text = t('We don’t know yet whether your order has arrived. We’ll keep checking. It won’t be placed twice.');
    return {text};
  }
  if (isAtCheckout() && (phase === 'sending' || (result && !orderOf(result)))) return null;
  if (phase === 'sending') return {text: t('Your order is being sent.')};
  if (!result) return null;
  const order = orderOf(result);
  if (order) return {text: t('Your order is in.'), link: [order, t('See your order')]};
  const text = t('Nothing was ordered. Please check your order.');
  if (result.kind !== 'gone') return {text, link: ['#/checkout', t('Go to the checkout')]};
  return {text: t('This basket is gone. Please start a new one.'), link: ['#/menu', t('See the menu')]};
}

/** Keeps the strip right in its place. At the checkout, an order of this tab opens its own screen instead. */
export function startStrip(place) {
  const words = el('p', {role: 'status'});
  const link = el('a.button.small.plain', {});
  const keepBack = el('button.button.small.plain', {type: 'button', onclick: takeBack}, t('Don’t send it'));
  const closing = {type: 'button', 'aria-label': t('Close'), onclick: () => leave(takeResult)};
  const close = el('button.round', closing, icon('cross'));
  let timer = 0, known = null;

  /** The button that was pressed goes away: the focus moves to the screen's heading. */
  function leave(work) {
    document.querySelector('main h1')?.focus({preventScroll: true});
    work();
  }

  function takeBack() {
    leave(() => notice(withdraw() ? t('Your order was not sent.') : t('It is too late: your order has been sent.')));
  }

  function draw() {
    clearTimeout(timer);
    const {phase, result} = ordering.value;
    const isNew = result && result !== known;
    known = result;
    // A guest who waits at the checkout is shown the order at once.
    if (isNew && result.isHere && isAtCheckout() && orderOf(result)) return showOrder();
    const found = wordsOf(ordering.value);
    // Most orders are answered sooner.
    if (phase === 'sending' && found && !place.classList.contains('shown')) timer = setTimeout(show, 1_000);
    else show();
    return undefined;
  }

  function show() {
    const found = wordsOf(ordering.value);
    const text = found?.text ?? '';
    if (words.textContent !== text) words.textContent = text;
    if (found?.link) [link.href, link.textContent] = found.link;
    place.classList.toggle('shown', Boolean(found));
    arrange(place, [words, ...found?.canWithdraw ? [keepBack] : [], ...found?.link ? [link, close] : []]);
  }

  function showOrder() {
    const result = takeResult();
    if (result.kind === 'ordered') notice(t('This basket has already been ordered. Here is your order.'));
    go(orderOf(result));
  }

  /** The order's own screens show it from here on. */
  function move() {
    const {result} = ordering.value;
    if (result && orderOf(result) && /^#\/(orders.*)?$/.test(location.hash || '#/')) takeResult();
    else draw();
  }

  place.append(words);
  ordering.watch(draw);
  addEventListener('hashchange', move);
  draw();
}
