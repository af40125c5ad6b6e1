// A moment in words, by the shop's clock. Used wherever something opens, comes back, or is wanted.

import {now} from './clock.js';
import {timeZone} from './parts/timeZone.js';
import {locale, t} from './words.js';

let made = null;

/** The formats in the shop's time zone; other ones once the zone is known. */
function formats() {
  const zone = timeZone();
  if (made && made.zone === zone) return made;
  const format = (options, language = locale) => new Intl.DateTimeFormat(language, {timeZone: zone, ...options});
  made = {
    zone,
    time: format({timeStyle: 'short'}),
    moment: format({dateStyle: 'medium', timeStyle: 'short'}),
    second: format({dateStyle: 'short', timeStyle: 'medium'}),
    date: format({year: 'numeric', month: '2-digit', day: '2-digit'}, 'en-u-ca-gregory-nu-latn'),
  };
  return made;
}

/** "17:00" */
export const time = (moment) => formats().time.format(new Date(moment));

/** "Nov 24, 2026, 17:00" */
export const dateAndTime = (moment) => formats().moment.format(new Date(moment));

/** "11/24/26, 17:00:05" */
export const dateAndSecond = (moment) => formats().second.format(new Date(moment));

/** "2026-11-24" */
export function dateOf(moment) {
  const parts = formats().date.formatToParts(new Date(moment));
  return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type).value).join('-');
}

/** So many days after a date like "2026-11-24". */
export function shiftedDate(date, days) {
  const at = new Date(`${date}T12:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

const weekday = new Intl.DateTimeFormat(locale, {weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC'});
const isIn = (days, date) => date === shiftedDate(dateOf(now()), days);

/** A date like "2026-11-24" in words: "today", "tomorrow", else "Tue, Nov 24". */
export const dayOf = (date) => (isIn(0, date) ? t('today') : isIn(1, date) ? t('tomorrow')
  : weekday.format(new Date(`${date}T12:00Z`)));

/** Whether it is today. */
export const isToday = (moment) => isIn(0, dateOf(moment));
const isTomorrow = (moment) => isIn(1, dateOf(moment));

/** The day of a moment, in the same words. */
export const day = (moment) => dayOf(dateOf(moment));

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
