// Texts for unavailable dishes, and when they are available again.

import {formatWhen} from '../parts/timeFormat.js';
import {t} from '../parts/translation.js';

/** @typedef {{isAvailable: boolean, unavailable: API.Unavailable}} Availability */

/**
 * Whether the item is unavailable only because of its serving hours: then it can be ordered for later.
 * @param {Availability} thing
 */
export const isServedLater = ({isAvailable, unavailable}) => !isAvailable && unavailable?.reason === 'not_served';

/**
 * Whether the item can be ordered, now or for later.
 * @param {Availability} item
 */
export const isOrderable = (item) => item.isAvailable || isServedLater(item);

/**
 * The reason why items cannot be ordered together. A low stock comes first, else the latest return counts.
 * @param {...Availability} things
 */
export function unavailableText(...things) {
  const stocks = things.map((thing) => thing.unavailable?.available ?? 0).filter((available) => available > 0);
  if (stocks.length) return t('Only {count} left', {count: Math.min(...stocks)});
  const unavailable = things.filter((thing) => !thing.isAvailable);
  if (unavailable.some((thing) => thing.unavailable?.reason === 'not_offered')) return t('No longer available');
  const returnTimes = unavailable.map((thing) => thing.unavailable?.until ?? '').sort();
  const backText = returnTimes[0] ? formatWhen(returnTimes[returnTimes.length - 1]) : null;
  if (unavailable.length && unavailable.every(isServedLater)) {
    return backText ? t('Served again {when}', {when: backText}) : t('Not served now');
  }
  return backText ? t('Sold out, back {when}', {when: backText}) : t('Sold out');
}

/**
 * "3 left" for a stock of at most ten; null otherwise.
 * @param {{left: number | null}} thing
 */
export const fewLeft = ({left}) => (left !== null && left > 0 && left <= 10 ? t('{count} left', {count: left}) : null);
