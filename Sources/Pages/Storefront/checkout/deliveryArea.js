// Texts about the delivery to a postcode: whether the shop delivers there, at what cost and in how many minutes.

import {cachedBody, read} from '../parts/api.js';
import {money} from '../parts/money.js';
import {t, translatedName} from '../parts/translation.js';

/** @typedef {import('../parts/money.js').Priced} Priced */

/** @param {string} postcode @returns {`/v1/delivery?${string}`} */
const pathOf = (postcode) => `/v1/delivery?postcode=${encodeURIComponent(postcode)}`;

/**
 * Reads the delivery terms of a postcode as the guest typed it.
 * @param {string} postcode
 */
export const readDeliveryTerms = (postcode) => read(pathOf(postcode));
/**
 * The last delivery terms of a postcode, without a request.
 * @param {string} postcode
 */
export const cachedDeliveryTerms = (postcode) => cachedBody(pathOf(postcode));

/**
 * The delivery fees by subtotal. The first fee also applies below its own `from`.
 * @param {Pick<API.Delivery, 'fees'> & Priced} terms
 */
const feeText = ({fees, ...priced}) => (fees.length ? fees : [{from: 0, fee: 0}]).map(({from, fee}, index) => {
  const cost = fee ? money(fee, priced) : t('free');
  return index ? t('{fee} from {amount}', {fee: cost, amount: money(from, priced)}) : cost;
}).join(', ');

/**
 * An answer of GET /v1/delivery as sentences. Null without a postcode, and if the shop has no delivery areas.
 * @param {API.Delivery} terms
 */
export function areaText({isDelivered, postcode, area, minimum, minutes, ...priced}) {
  if (!postcode) return null;
  if (!isDelivered) return t('We don’t deliver there.');
  if (!area) return null;
  return [
    t('{area}: delivery {costs}.', {area: area.title, costs: feeText(priced)}),
    minimum ? t('Orders of {amount} or more.', {amount: money(minimum, priced)}) : '',
    minutes ? t('About {count} minutes.', {count: minutes}) : '',
  ].filter(Boolean).join(' ');
}

/**
 * A short form for the start page: {text, isWrong}. Null if the shop has no delivery areas.
 * @param {API.Delivery} terms
 */
export function areaSummary({isDelivered, postcode, area, minimum, minutes, ...priced}) {
  if (!postcode) {
    return {text: translatedName('invalid_postcode',
      'This is not a postcode. Please enter its letters and digits only.'), isWrong: true};
  }
  if (!isDelivered) return {text: t('We don’t deliver there.'), isWrong: true};
  if (!area) return null;
  const text = [area.title, t('{minutes} min', {minutes}), feeText(priced),
    minimum && t('orders from {amount}', {amount: money(minimum, priced)})].filter(Boolean).join(' · ');
  return {text, isWrong: false};
}
