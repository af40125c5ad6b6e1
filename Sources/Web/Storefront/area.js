// What delivery to a postcode costs and how long it takes, in words. Used by fulfilment.js and where.js.

import {read, remembered} from './api.js';
import {money} from './money.js';
import {named, t} from './words.js';

const pathOf = (postcode) => `/v1/delivery?postcode=${encodeURIComponent(postcode)}`;

/** What it takes to deliver to a postcode as it was typed. */
export const deliveryTo = (postcode) => read(pathOf(postcode));
/** The same as it was read last, without asking. */
export const deliveryBefore = (postcode) => remembered(pathOf(postcode));

/** The fee, and from which subtotal on it is another; the first holds below itself too. */
const costsOf = ({fees, ...of}) => (fees.length ? fees : [{fee: 0}]).map(({from, fee}, index) => {
  const cost = fee ? money(fee, of) : t('free');
  return index ? t('{fee} from {amount}', {fee: cost, amount: money(from, of)}) : cost;
}).join(', ');

/** An answer of GET /v1/delivery; null where it was no postcode, or nothing is asked of anybody. */
export function areaWords({isDelivered, postcode, area, minimum, minutes, ...of}) {
  if (!postcode) return null;
  if (!isDelivered) return t('We don’t deliver there.');
  if (!area) return null;
  return [
    t('{area}: delivery {costs}.', {area: area.title, costs: costsOf(of)}),
    minimum ? t('Orders of {amount} or more.', {amount: money(minimum, of)}) : '', minutes ? t('About {count} minutes.', {count: minutes}) : '',
  ].filter(Boolean).join(' ');
}

/** The same in as few words as the first screen has for it: {text, isWrong}; null where nothing is asked of anybody. */
export function areaTerms({isDelivered, postcode, area, minimum, minutes, ...of}) {
  if (!postcode) return {text: named('invalid_postcode', 'This is not a postcode. Please enter its letters and digits only.'), isWrong: true};
  if (!isDelivered) return {text: t('We don’t deliver there.'), isWrong: true};
  if (!area) return null;
  const text = [area.title, t('{minutes} min', {minutes}), costsOf(of), minimum && t('orders from {amount}', {amount: money(minimum, of)})].filter(Boolean).join(' · ');
  return {text, isWrong: false};
}
