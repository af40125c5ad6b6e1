// A moment in words, on the clock of who reads it. Used wherever something opens, comes back, or is wanted.

import {now} from './clock.js';
import {locale, t} from './words.js';

const clock = new Intl.DateTimeFormat(locale, {timeStyle: 'short'});
const date = new Intl.DateTimeFormat(locale, {weekday: 'short', day: 'numeric', month: 'short'});

/** "17:00" */
export const time = (moment) => clock.format(new Date(moment));

function isIn(days, moment) {
  const other = new Date(now());
  other.setDate(other.getDate() + days);
  return new Date(moment).toDateString() === other.toDateString();
}

/** Whether it is today. */
export const isToday = (moment) => isIn(0, moment);
const isTomorrow = (moment) => isIn(1, moment);

/** "today", "tomorrow", else "Tue, Nov 24". */
export const day = (moment) => (isToday(moment) ? t('today') : isTomorrow(moment) ? t('tomorrow') : date.format(new Date(moment)));

/** "at 17:00" today, "tomorrow at 4:00", else "on Tue, Nov 24 at 4:00". */
export function when(moment) {
  const at = {day: day(moment), time: time(moment)};
  return isToday(moment) ? t('at {time}', at) : isTomorrow(moment) ? t('tomorrow at {time}', at) : t('on {day} at {time}', at);
}

/** "until 22:00", tonight's "2:00" too; with its day where that is farther away. */
export function until(moment) {
  const at = {day: day(moment), time: time(moment)};
  if (isToday(moment) || Date.parse(moment) - now() < 20 * 3_600_000) return t('until {time}', at);
  return isTomorrow(moment) ? t('until tomorrow at {time}', at) : t('until {day} at {time}', at);
}
