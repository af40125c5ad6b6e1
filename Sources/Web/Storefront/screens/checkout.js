// The checkout: each field is judged as it is left, the coupon as it is typed, and the order is sent with a key that makes it safe to send
// again: while the shop is out of reach it waits, and goes on by itself. What the guest typed is kept until it is ordered.
// Read next: form.js, paying.js, judging.js, ordering.js.

import {unanswered} from '../attempt.js';
import {basket, refresh} from '../basket.js';
import {el, fill, icon} from '../dom.js';
import {checkoutForm} from '../form.js';
import {judgingOf, problemsOf} from '../judging.js';
import {orderingOf} from '../ordering.js';
import {payingOf} from '../paying.js';
import {title} from '../router.js';
import {kept} from '../store.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

export function checkoutScreen(place, route) {
  title(t('Checkout'), {silent: route.isFirst});
  const form = checkoutForm({changed: () => judging.quietly(), priced: () => paying.quote ?? basket.value});
  const paying = payingOf(form);
  const problems = problemsOf(form, paying.button);
  const judging = judgingOf(form, paying, problems);
  const {order, resume, wait} = orderingOf({form, paying, problems, judging});
  const node = el('form.checkout', {novalidate: true, onsubmit: submit, 'data-waiting': ''}, form.node,
    el('div.paying', {}, paying.nodes, problems.node, el('div.row', {}, paying.button)));

  function submit(event) {
    event.preventDefault();
    return order();
  }

  function draw() {
    const heading = el('h1', {tabindex: '-1'}, t('Checkout'));
    if (!unanswered() && !basket.value?.totalCount) {
      wait.stop();
      return fill(place, heading, nothingYet(t('There is nothing to order yet.')));
    }
    const hasFocus = place.contains(document.activeElement);
    fill(place, el('a.back', {href: '#/basket'}, icon('back'), t('Basket')), heading, node);
    if (hasFocus) heading.focus();
    paying.drawDishes();
    paying.drawTotals();
    if (!unanswered()) return judging.quietly().finally(() => delete node.dataset.waiting);
    delete node.dataset.waiting;
    return resume();
  }

  fill(place, el('h1', {}, t('Checkout')), el('p.quiet', {}, t('One moment…')));
  // What comes next, also for who is without a network then.
  import('./order.js').catch(() => {});
  let version = basket.value?.version;
  const asked = kept('basket') ? [form.fulfilment, form.tips].map((one) => one.load().catch(() => {})) : [];
  Promise.all([refresh().catch(() => {}), ...asked]).then(async () => {
    version = basket.value?.version;
    // What can't be had is told from the first, so that nothing moves.
    const {lines = [], sales = []} = basket.value ?? {};
    if ([...lines, ...sales].some((one) => !one.isAvailable) && !unanswered()) await judging.quietly();
    return judging.isOver || draw();
  });
  // Another tab changed the basket: its total is shown anew, and asked about when it is ordered.
  const stop = basket.watch((now) => {
    if (judging.isOver || now?.version === version || paying.button.getAttribute('aria-busy') === 'true') return;
    version = now?.version;
    if (now?.totalCount) {
      paying.drawDishes();
      judging.quietly();
    }
    else if (!unanswered()) draw();
  });
  return () => {
    judging.end();
    form.rest();
    wait.end();
    stop();
  };
}
