// When an order comes, in words. Used by the order's screen, and by home for the one that is on its way. Read next: clock.js, when.js.

import {dueAt, now} from './clock.js';
import {day, isToday, time, when} from './when.js';
import {t} from './words.js';

const minutes = (many) => (many === 1 ? t('a minute') : many < 120 ? t('{count} minutes', {count: many}) : t('{count} hours', {count: Math.floor(many / 60)}));

/** When it comes: what was promised for as long as that can be kept, and how late it is from then on. */
export function promise(order) {
  const at = dueAt(order);
  const clock = isToday(at) ? time(at) : `${day(at)}, ${time(at)}`;
  const left = (at - now()) / 60_000;
  const where = order.fulfilment === 'pickup' ? t('Ready') : t('At your door');
  if (order.wantedAt && left > 60) return {text: t('{where} {when}.', {where, when: when(at)}), isLate: false};
  if (left > 0) return {text: t('{where} in about {minutes}, by {clock}.', {where, minutes: minutes(Math.max(1, Math.round(left))), clock}), isLate: false};
  if (left > -3) return {text: t('Any minute now. We promised it by {clock}.', {clock}), isLate: true};
  return {text: t('We are sorry: your order is running late. We promised it by {clock}, {minutes} ago.', {clock, minutes: minutes(Math.floor(-left))}), isLate: true};
}
