// What delivery to a postcode costs and how long it takes, in words. Used by wishes.js.

import {money} from './money.js';
import {t} from './words.js';

/** An answer of GET /v1/delivery; null where nothing is asked of anybody. */
export function areaWords({isDelivered, area, minimumSubtotal, fees, minutes, ...of}) {
  if (!isDelivered) return t('We don’t deliver there.');
  if (!area) return null;
  const tiers = fees[0]?.fromSubtotal === 0 ? fees : [{fromSubtotal: 0, fee: 0}, ...fees];
  const costs = tiers.map((tier) => {
    const fee = tier.fee ? money(tier.fee, of) : t('free');
    return tier.fromSubtotal ? t('{fee} from {amount}', {fee, amount: money(tier.fromSubtotal, of)}) : fee;
  });
  return [
    t('{area}: delivery {costs}.', {area: area.title, costs: costs.join(', ')}),
    minimumSubtotal ? t('Orders of {amount} or more.', {amount: money(minimumSubtotal, of)}) : '', minutes ? t('About {count} minutes.', {count: minutes}) : '',
  ].filter(Boolean).join(' ');
}

/** Whether the shop asks for postcodes at all, by its answer to any of them. */
export const needsPostcode = ({isDelivered, area}) => !isDelivered || area !== null;
