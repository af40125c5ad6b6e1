// What the checkout says of refusals that carry an amount or a moment, which the guest's own language and clock write. Used by form.js,
// ordering.js and refusals.js.

import {money} from './money.js';
import {isToday, time, until, when} from './when.js';
import {t, told} from './words.js';

const sentences = {
  tip_out_of_range: ({maximum}, of) => of && t('The tip can be up to {amount}.', {amount: money(maximum, of)}),
  order_minimum_not_reached: ({missingAmount}, of) => of && t('Add {amount} more, and we’ll deliver there.', {amount: money(missingAmount, of)}),
  shop_closed: ({opensAt}) => opensAt && t('We are closed. We open {when}.', {when: when(opensAt)}),
  shop_paused: ({until: end}) => end && t('We are not taking orders {until}.', {until: until(end)}),
  too_soon: ({earliest}) => earliest && t('That is too soon for us. The earliest we can do is {when}.', {when: when(earliest)}),
  too_far: ({latest}) => latest && t('That is too far ahead. The latest we can do is {when}.', {when: isToday(latest) ? t('today at {time}', {time: time(latest)}) : when(latest)}),
  slot_full: ({limit, alternatives = []}) => (limit ? t('We can make at most {count, plural, one {# dish} other {# dishes}} for one time.', {count: limit}) : alternatives.length ? t('That time is taken. These are available:') : t('That time is taken. Please choose another one.')),
  stock_short: ({available}) => available > 0 && t('Only {count} left', {count: available}),
  item_not_served_then: ({from, until: end}) => from && (end ? t('not available then, but {when} until {time}.', {when: when(from), time: time(end)}) : t('not available then, but {when}.', {when: when(from)})),
};

/** The sentence of an error, in the currency that `of` has. */
export const sentenceOf = (error, of) => sentences[error.code]?.(error.params ?? {}, of) || told(error);
