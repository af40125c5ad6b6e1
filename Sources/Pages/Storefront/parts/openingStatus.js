// Opening status and order terms as text. A shop that never closes shows no hours.

import {el} from './dom.js';
import {money} from './money.js';
import {formatUntil, formatWhen} from './timeFormat.js';
import {t} from './translation.js';

/** @typedef {Partial<Record<API.Fulfilment, API.Door>>} Openings */

/**
 * The opening status of a fulfilment, for guests or for staff.
 * @typedef {Pick<API.Door, 'isOpen' | 'until' | 'opensAt'> & Partial<Pick<API.Door, 'pausedUntil' | 'pauseReason'>>}
 *   OpeningState
 */

/** @param {OpeningState} opening */
const statusText = ({isOpen, until: closes, opensAt, pausedUntil, pauseReason}) => {
  if (pausedUntil) {
    return `${t('paused {until}', {until: formatUntil(pausedUntil)})}${pauseReason
      ? `: ${pauseReason.replace(/\.$/, '')}` : ''}`;
  }
  if (isOpen) return closes ? t('open {until}', {until: formatUntil(closes)}) : null;
  return opensAt ? t('closed now, opens {when}', {when: formatWhen(opensAt)}) : t('closed now');
};

/**
 * The offered fulfilments with their opening status, from /v1/home: {delivery: {isOpen, until, opensAt, pausedUntil,
 * pauseReason}, pickup}.
 * @param {API.Home} home
 * @returns {Openings}
 */
export const openingsOf = (home) => Object.fromEntries((home.opening ?? [])
  .filter(({isOffered}) => isOffered).map((opening) => [opening.fulfilment, opening]));

/**
 * A sentence on the opening status; names the fulfilments only if they differ. Null if there is nothing to say.
 * @param {Partial<Record<API.Fulfilment, OpeningState>>} openings
 */
export function openingText(openings) {
  const all = Object.entries(openings).map(([fulfilment, opening]) => ({fulfilment, status: statusText(opening)}));
  const first = all.find(({status}) => status)?.status;
  if (!first) return null;
  const text = all.every(({status}) => status === first) ? first
    : all.map(({fulfilment, status}) => {
      const way = fulfilment === 'pickup' ? t('pickup') : t('delivery');
      return t('{way} {words}', {way, words: status ?? t('open')});
    }).join('; ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/**
 * The opening status beside a heading.
 * @param {API.Home | null | undefined} home
 */
export function openingLine(home) {
  const openings = home ? openingsOf(home) : {};
  const text = openingText(openings);
  return text && el(Object.values(openings).some(({isOpen}) => isOpen) ? 'span.open' : 'span.open.shut', {}, text);
}

/** @param {API.Spread} range @param {(value: number) => string} words */
const rangeText = ({lowest, highest}, words) =>
  (lowest === highest ? words(lowest) : `${words(lowest)}–${words(highest)}`);

/**
 * The terms of a fulfilment, such as "15 min · free".
 * @param {API.Door} door
 * @param {boolean} hasFee
 */
function orderTerms({minutes, minimumSubtotal, fee, ...priced}, hasFee) {
  /** @param {API.Spread} range */
  const amounts = ({lowest, highest}) => (lowest === 0 && highest > 0
    ? t('up to {amount}', {amount: money(highest, priced)})
    : rangeText({lowest, highest}, (amount) => money(amount, priced)));
  return [
    minutes && t('{minutes} min', {minutes: rangeText(minutes, String)}),
    hasFee && (fee?.highest ? t('fee {amount}', {amount: amounts(fee)}) : t('free')),
    minimumSubtotal?.highest && t('minimum {amount}', {amount: amounts(minimumSubtotal)}),
  ].filter(Boolean).join(' · ');
}

/**
 * A line for delivery and one for pickup. `deliveryOverride` replaces the delivery terms once the postcode is known.
 * @param {API.Home | null | undefined} home
 * @param {Node | string | null} [deliveryOverride]
 */
export const termRows = (home, deliveryOverride = null) =>
  Object.entries(home ? openingsOf(home) : {}).filter(([, {minutes}]) => minutes).map(([fulfilment, opening]) => {
    const isDelivery = fulfilment === 'delivery';
    return el('li', {}, el('b', {}, isDelivery ? t('Delivery') : t('Pickup')), ' ',
      isDelivery && deliveryOverride ? deliveryOverride : orderTerms(opening, isDelivery));
  });

/**
 * The terms as a list; empty until they are known.
 * @param {API.Home | null | undefined} home
 */
export const termsList = (home) => el('ul.terms', {}, termRows(home));
