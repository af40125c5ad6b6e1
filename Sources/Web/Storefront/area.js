// What delivery to a postcode costs and how long it takes, in words. Used by wishes.js.

import {money} from './money.js';
import {t} from './words.js';

/** An answer of GET /v1/delivery; null where it was no postcode, or nothing is asked of anybody. */
export function areaWords({isDelivered, postcode, area, minimum, fees, minutes, ...of}) {
  if (!postcode) return null;
  if (!isDelivered) return t('We don’t deliver there.');
  if (!area) return null;
  // The first holds below itself too.
  const costs = (fees.length ? fees : [{fee: 0}]).map(({from, fee}, index) => {
    const cost = fee ? money(fee, of) : t('free');
    return index ? t('{fee} from {amount}', {fee: cost, amount: money(from, of)}) : cost;
  });
  return [
    t('{area}: delivery {costs}.', {area: area.title, costs: costs.join(', ')}),
    minimum ? t('Orders of {amount} or more.', {amount: money(minimum, of)}) : '', minutes ? t('About {count} minutes.', {count: minutes}) : '',
  ].filter(Boolean).join(' ');
}
