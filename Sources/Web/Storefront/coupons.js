// The coupons of the home screen, as tickets: the key word is covered until it is tapped, and another tap has it go with the order.
// What is chosen waits in the form of the checkout, where it can be seen and taken out.

import {el, icon, say} from './dom.js';
import {draft, keepDraft} from './guest.js';
import {langOf} from './lang.js';
import {money} from './money.js';
import {notice} from './notice.js';
import {dateAndTime} from './when.js';
import {t} from './words.js';

/** The list's tickets. */
export function couponTickets(coupons) {
  const made = coupons.map((coupon) => ticket(coupon, () => made.forEach(({draw}) => draw())));
  return made.map(({node}) => node);
}

/** Calls `changed` when it is chosen, or is not any more. */
function ticket(coupon, changed) {
  const {key, title: name, description, ...terms} = coupon;
  const word = el('span.word', {}, '• • • • •');
  const small = el('small', {}, t('tap to show'));
  const cover = el('button.cover', {
    type: 'button', 'aria-label': t('Show the code for {name}', {name}),
    onclick: () => {
      uncover();
      say(t('The code is {key}.', {key}));
    },
  }, word, small);
  const use = el('button.button.small.plain', {
    type: 'button',
    onclick: () => {
      const {coupon: _, ...form} = draft();
      keepDraft(isUsed() ? form : {...form, coupon: key});
      notice(isUsed() ? t('{name} is applied to your order.', {name}) : t('{name} is not applied to your order.', {name}));
      changed();
    },
  });
  const isUsed = () => draft().coupon?.trim().toUpperCase() === key.toUpperCase();
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
  return {draw, node: el('li.ticket', {}, el('div', {}, el('h3', langOf(coupon), name), el('p', langOf(coupon, 'description'), description), conditions(terms)), el('div.keyword', {}, cover, use))};
}

/** Until when a coupon can be used, from when on, and from which sum; nothing where there is no such limit. */
function conditions({startsAt, endsAt, minimumSubtotal, ...shop}) {
  const sentences = [
    startsAt && Date.parse(startsAt) > Date.now() ? t('From {day} on.', {day: dateAndTime(startsAt)}) : '',
    endsAt ? t('Until {day}.', {day: dateAndTime(endsAt)}) : '',
    minimumSubtotal ? t('For orders of {amount} or more.', {amount: money(minimumSubtotal, shop)}) : '',
  ].filter(Boolean);
  return sentences.length ? el('p.muted', {}, sentences.join(' ')) : null;
}
