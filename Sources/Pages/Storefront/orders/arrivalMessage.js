// The time at which an order arrives, as text.

import {dueAt, serverNow} from '../parts/serverClock.js';
import {formatDay, formatTime, formatWhen, isToday} from '../parts/timeFormat.js';
import {t} from '../parts/translation.js';

/** @param {number} many */
const durationText = (many) => (many === 1 ? t('a minute') : many < 120 ? t('{count} minutes', {count: many})
  : t('{count} hours', {count: Math.floor(many / 60)}));

/**
 * The promised time, or by how long the order is late: {text, isLate}.
 * @param {API.Order} order
 */
export function arrivalMessage(order) {
  const at = dueAt(order);
  const clock = isToday(at) ? formatTime(at) : `${formatDay(at)}, ${formatTime(at)}`;
  const left = (at - serverNow()) / 60_000;
  const where = order.fulfilment === 'pickup' ? t('Ready') : t('At your door');
  if (order.wantedAt && left > 60) return {text: t('{where} {when}.', {where, when: formatWhen(at)}), isLate: false};
  if (left > 0) {
    return {text: t('{where} in about {minutes}, by {clock}.',
      {where, minutes: durationText(Math.max(1, Math.round(left))), clock}), isLate: false};
  }
  if (left > -3) return {text: t('Any minute now. We promised it by {clock}.', {clock}), isLate: true};
  return {text: t('We are sorry: your order is running late. We promised it by {clock}, {minutes} ago.',
    {clock, minutes: durationText(Math.floor(-left))}), isLate: true};
}
