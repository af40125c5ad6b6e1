// Texts for checkout errors with an amount or a time, which are formatted in the guest's language.

import {money} from './money.js';
import {formatTime, formatUntil, formatWhen, isToday} from './timeFormat.js';
import {errorText, t} from './translation.js';

/** @typedef {import('./money.js').Priced} Priced */
/**
 * The params of the errors that have a sentence here.
 * @typedef {object} ErrorParams
 * @property {number} maximum
 * @property {number} missingAmount
 * @property {string} [opensAt]
 * @property {string} [until]
 * @property {string} [earliest]
 * @property {string} [latest]
 * @property {number} [limit]
 * @property {string[]} [alternatives]
 * @property {number} [available]
 * @property {string} [from]
 */

/** @type {Record<string, (params: ErrorParams, priced?: Priced | null) => string | null | undefined | false>} */
const sentences = {
  tip_out_of_range: ({maximum}, priced) => priced
    && t('The tip can be up to {amount}.', {amount: money(maximum, priced)}),
  order_minimum_not_reached: ({missingAmount}, priced) =>
    priced && t('Add {amount} more, and we’ll deliver there.', {amount: money(missingAmount, priced)}),
  shop_closed: ({opensAt}) => opensAt && t('We are closed. We open {when}.', {when: formatWhen(opensAt)}),
  shop_paused: ({until: end}) => end && t('We are not taking orders {until}.', {until: formatUntil(end)}),
  too_soon: ({earliest}) =>
    earliest && t('That is too soon for us. The earliest we can do is {when}.', {when: formatWhen(earliest)}),
  too_far: ({latest}) =>
    latest && t('That is too far ahead. The latest we can do is {when}.',
      {when: isToday(latest) ? t('today at {time}', {time: formatTime(latest)}) : formatWhen(latest)}),
  slot_full: ({limit, alternatives = []}) => (limit
    ? t('We can make at most {count, plural, one {# dish} other {# dishes}} for one time.', {count: limit})
    : alternatives.length ? t('That time is taken. These are available:')
    : t('That time is taken. Please choose another one.')),
  stock_short: ({available = 0}) => available > 0 && t('Only {count} left', {count: available}),
  item_not_served_then: ({from, until: end}) =>
    from && (end ? t('not available then, but {when} until {time}.', {when: formatWhen(from), time: formatTime(end)})
      : t('not available then, but {when}.', {when: formatWhen(from)})),
};

/**
 * The text of an error; `priced` has the currency.
 * @param {Pick<API.FieldError, 'code' | 'field' | 'message' | 'params'>} error
 * @param {Priced | null} [priced]
 */
export const errorSentence = (error, priced) =>
  sentences[error.code]?.(/** @type {ErrorParams} */ (/** @type {unknown} */ (error.params ?? {})), priced)
    || errorText(error);
