// The checkout: each field is judged when it is left, the coupon while it is typed. The order is handed to
// checkout/attempt.js, which sends it on whatever screen the guest is. What was typed is kept until it is ordered.

import {basket, refresh} from '../basket.js';
import {ordering} from '../checkout/attempt.js';
import {moveOnEnter} from '../checkout/enter.js';
import {orderingOf} from '../checkout/ordering.js';
import {startSending} from '../checkout/sending.js';
import {el, fill, icon} from '../dom.js';
import {checkoutForm} from '../form.js';
import {judgingOf, problemsOf} from '../judging.js';
import {loadPart} from '../parts/loadPart.js';
import {payingOf} from '../paying.js';
import {title} from '../router.js';
import {kept} from '../store.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

/** The form is drawn after this time at the latest, with or without the fees. */
const quoteLimit = 1_500;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export function checkoutScreen(place, route) {
  title(t('Checkout'), {silent: route.isFirst});
  startSending();
  const form = checkoutForm({changed: () => judging.quietly(), priced: () => paying.quote ?? basket.value});
  const paying = payingOf(form);
  const problems = problemsOf(form, paying.button);
  const judging = judgingOf(form, paying, problems);
  const orders = orderingOf({form, paying, problems, judging});
  const node = el('form.checkout', {novalidate: true, onsubmit: submit}, form.node,
    el('div.paying', {}, paying.nodes, problems.node, el('div.row', {}, paying.button)));
  const isPending = () => ordering.value.attempt !== null;
  moveOnEnter(node);

  function submit(event) {
    event.preventDefault();
    return orders.order();
  }

  function draw() {
    const heading = el('h1', {tabindex: '-1'}, t('Checkout'));
    if (!isPending() && !basket.value && kept('basket')) {
      // basket.js reads it again by itself.
      const unread = t('We can’t load your basket right now. It is saved, and we’ll keep trying.');
      return fill(place, heading, el('p.warn', {role: 'alert'}, unread));
    }
    if (!isPending() && !basket.value?.totalCount) {
      return fill(place, heading, nothingYet(t('There is nothing to order yet.')));
    }
    const hasFocus = place.contains(document.activeElement);
    fill(place, el('a.back', {href: '#/basket'}, icon('back'), t('Basket')), heading, node);
    if (hasFocus) heading.focus();
    paying.drawDishes();
    paying.drawTotals();
    return orders.drawState();
  }

  /** The first quote, so that the fees are part of the first total that is drawn. */
  async function begin() {
    await Promise.all([refresh().catch(() => {}), kept('basket') ? form.fulfilment.load().catch(() => {}) : null]);
    version = basket.value?.version;
    if (basket.value?.totalCount && !isPending()) await Promise.race([judging.quietly(), pause(quoteLimit)]);
    isBegun = true;
    if (judging.isOver) return;
    draw();
    follow(basket.value);
  }

  fill(place, el('h1', {}, t('Checkout')), el('p.quiet', {}, t('One moment…')));
  // What comes next, also for who is without a network then.
  loadPart('screens/order', () => import('./order.js')).catch(() => {});
  let version = basket.value?.version, isBegun = false;
  begin();
  // Another tab changed the basket: its total is shown anew, and asked about when it is ordered.
  function follow(now) {
    if (!isBegun || judging.isOver || now?.version === version || paying.button.getAttribute('aria-busy') === 'true') return;
    version = now?.version;
    if (!now?.totalCount) {
      if (!isPending()) draw();
      return;
    }
    judging.quietly();
    if (node.isConnected) paying.drawDishes();
    else draw();
  }
  const stop = basket.watch(follow);
  return () => {
    judging.end();
    orders.end();
    form.rest();
    stop();
  };
}
