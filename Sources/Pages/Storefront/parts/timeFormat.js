// Formats times in the shop's time zone and the page's language.

import {serverNow} from './serverClock.js';
import {timeZone} from './timeZone.js';
import {locale, t} from './translation.js';

/** @type {{zone: string | undefined} & Record<'time' | 'moment' | 'second' | 'date', Intl.DateTimeFormat> | null} */
let cachedFormats = null;

/** The formats for the current zone; created again when the zone becomes known. */
function formats() {
  const zone = timeZone();
  if (cachedFormats && cachedFormats.zone === zone) return cachedFormats;
  /** @param {Intl.DateTimeFormatOptions} options @param {string} [language] */
  const format = (options, language = locale) => new Intl.DateTimeFormat(language, {timeZone: zone, ...options});
  cachedFormats = {
    zone,
    time: format({timeStyle: 'short'}),
    moment: format({dateStyle: 'medium', timeStyle: 'short'}),
    second: format({dateStyle: 'short', timeStyle: 'medium'}),
    date: format({year: 'numeric', month: '2-digit', day: '2-digit'}, 'en-u-ca-gregory-nu-latn'),
  };
  return cachedFormats;
}

/** @typedef {number | string} Moment In milliseconds since 1970, or as the API writes it. */

/**
 * "17:00"
 * @type {(moment: Moment) => string}
 */
export const formatTime = (moment) => formats().time.format(new Date(moment));

/**
 * "Nov 24, 2026, 17:00"
 * @type {(moment: Moment) => string}
 */
export const formatDateTime = (moment) => formats().moment.format(new Date(moment));

/**
 * "11/24/26, 17:00:05"
 * @type {(moment: Moment) => string}
 */
export const formatDateTimeSeconds = (moment) => formats().second.format(new Date(moment));

/**
 * "2026-11-24"
 * @param {Moment} moment
 */
export function dateOf(moment) {
  const parts = formats().date.formatToParts(new Date(moment));
  return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)?.value).join('-');
}

/**
 * The date a number of days after a date such as "2026-11-24".
 * @param {string} date
 * @param {number} days
 */
export function addDays(date, days) {
  const at = new Date(`${date}T12:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

const weekday = new Intl.DateTimeFormat(locale, {weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC'});
/** @type {(days: number, date: string) => boolean} */
const isDaysAhead = (days, date) => date === addDays(dateOf(serverNow()), days);

/**
 * A date such as "2026-11-24" as text: "today", "tomorrow", else "Tue, Nov 24".
 * @type {(date: string) => string}
 */
export const formatDate = (date) => (isDaysAhead(0, date) ? t('today') : isDaysAhead(1, date) ? t('tomorrow')
  : weekday.format(new Date(`${date}T12:00Z`)));

/**
 * Whether the moment is today.
 * @type {(moment: Moment) => boolean}
 */
export const isToday = (moment) => isDaysAhead(0, dateOf(moment));
/** @type {(moment: Moment) => boolean} */
const isTomorrow = (moment) => isDaysAhead(1, dateOf(moment));

/**
 * The day of a moment, in the format of `formatDate`.
 * @type {(moment: Moment) => string}
 */
export const formatDay = (moment) => formatDate(dateOf(moment));

/**
 * "at 17:00" today, "tomorrow at 4:00", else "on Tue, Nov 24 at 4:00".
 * @param {Moment} moment
 */
export function formatWhen(moment) {
  const at = {day: formatDay(moment), time: formatTime(moment)};
  return isToday(moment) ? t('at {time}', at) : isTomorrow(moment) ? t('tomorrow at {time}', at)
    : t('on {day} at {time}', at);
}

/**
 * "until 22:00", also for a time within 20 hours such as 2:00 tonight; later times have the day.
 * @param {string} moment
 */
export function formatUntil(moment) {
  const at = {day: formatDay(moment), time: formatTime(moment)};
  if (isToday(moment) || Date.parse(moment) - serverNow() < 20 * 3_600_000) return t('until {time}', at);
  return isTomorrow(moment) ? t('until tomorrow at {time}', at) : t('until {day} at {time}', at);
}
