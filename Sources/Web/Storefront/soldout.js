// What can't be had now, and when it can be had again, in words. Used wherever a dish or a set is offered, and by staff.

import {when} from './when.js';
import {t} from './words.js';

/** Whether it is only that it is served at other hours: it can be put into the basket for then. */
export const isForLater = ({isAvailable, unavailable}) => !isAvailable && unavailable?.reason === 'not_served';

/** Of things that are wanted together, each with its `unavailable`: the one of which there are too few says, else the one that comes back last. */
export function soldOut(...things) {
  const some = things.map((one) => one.unavailable?.available).filter((available) => available > 0);
  if (some.length) return t('Only {count} left', {count: Math.min(...some)});
  const out = things.filter((one) => !one.isAvailable);
  if (out.some((one) => one.unavailable?.reason === 'not_offered')) return t('No longer available');
  const untils = out.map((one) => one.unavailable?.until);
  const again = untils.every(Boolean) && untils.length ? when(untils.sort().at(-1)) : null;
  if (out.length && out.every(isForLater)) return again ? t('Served again {when}', {when: again}) : t('Not served now');
  return again ? t('Sold out, back {when}', {when: again}) : t('Sold out');
}

/** "3 left", where there are few enough to say so; null elsewhere. */
export const few = ({left}) => (left > 0 && left <= 10 ? t('{count} left', {count: left}) : null);
