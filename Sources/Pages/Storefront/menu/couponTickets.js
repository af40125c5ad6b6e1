// The coupons of the start page. A tap shows the code. The button "Apply" adds the code to the draft of the checkout
// form, where the guest can remove it.

import {checkoutDraft, saveCheckoutDraft} from '../checkout/checkoutDraft.js';
import {announce, el, icon} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {money} from '../parts/money.js';
import {formatDateTime} from '../parts/timeFormat.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';

/**
 * The coupons as list items.
 * @param {API.Coupon[]} coupons
 */
export function couponTickets(coupons) {
  /** @type {Array<{draw: () => void, node: HTMLElement}>} */
  const tickets = coupons.map((coupon) => ticket(coupon, () => tickets.forEach(({draw}) => draw())));
  return tickets.map(({node}) => node);
}

/**
 * One coupon. Calls `changed` when it is applied or removed.
 * @param {API.Coupon} coupon
 * @param {() => void} changed
 */
function ticket(coupon, changed) {
  const {key, title: name, description, ...terms} = coupon;
  const word = el('span.word', {}, '• • • • •');
  const small = el('small', {}, t('tap to show'));
  const cover = el('button.cover', {
    type: 'button', 'aria-label': t('Show the code for {name}', {name}),
    onclick: () => {
      uncover();
      announce(t('The code is {key}.', {key}));
    },
  }, word, small);
  const use = el('button.button.small.plain', {
    type: 'button',
    onclick: () => {
      const {coupon: _, ...form} = checkoutDraft();
      saveCheckoutDraft(isUsed() ? form : {...form, coupon: key});
      showToast(isUsed() ? t('{name} is applied to your order.', {name})
        : t('{name} is not applied to your order.', {name}));
      changed();
    },
  });
  const isUsed = () => checkoutDraft().coupon?.trim().toUpperCase() === key.toUpperCase();
  const uncover = () => {
    word.textContent = key;
    cover.classList.add('open');
    cover.setAttribute('aria-label', t('The code for {name} is {key}', {name, key}));
    small.textContent = t('its code');
  };
  const draw = () => {
    if (isUsed()) uncover();
    use.setAttribute('aria-pressed', String(isUsed()));
    use.setAttribute('aria-label', t('Apply {name}', {name}));
    use.replaceChildren(...isUsed() ? [icon('tick'), t('Applied')] : [icon('plus'), t('Apply')]);
  };
  draw();
  return {draw, node: el('li.ticket', {},
    el('div', {}, el('h3', langOf(coupon), name), el('p', langOf(coupon, 'description'), description),
      conditions(terms)), el('div.keyword', {}, cover, use))};
}

/**
 * The period and the minimum subtotal of a coupon, or null without limits.
 * @param {Pick<API.Coupon, 'startsAt' | 'endsAt' | 'minimumSubtotal' | 'currency' | 'currencyExponent'>} terms
 */
function conditions({startsAt, endsAt, minimumSubtotal, ...shop}) {
  const sentences = [
    startsAt && Date.parse(startsAt) > Date.now() ? t('From {day} on.', {day: formatDateTime(startsAt)}) : '',
    endsAt ? t('Until {day}.', {day: formatDateTime(endsAt)}) : '',
    minimumSubtotal ? t('For orders of {amount} or more.', {amount: money(minimumSubtotal, shop)}) : '',
  ].filter(Boolean);
  return sentences.length ? el('p.muted', {}, sentences.join(' ')) : null;
}
