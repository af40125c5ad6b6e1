// Whether the shop takes orders now, and what an order takes, in words: what home, the menu and the checkout say of it. A shop that never closes
// says nothing of its hours.

import {el} from './dom.js';
import {money} from './money.js';
import {until, when} from './when.js';
import {t} from './words.js';

const words = ({isOpen, until: closes, opensAt, pausedUntil, pauseReason}) => {
  if (pausedUntil) return `${t('paused {until}', {until: until(pausedUntil)})}${pauseReason ? `: ${pauseReason.replace(/\.$/, '')}` : ''}`;
  if (isOpen) return closes ? t('open {until}', {until: until(closes)}) : null;
  return opensAt ? t('closed now, opens {when}', {when: when(opensAt)}) : t('closed now');
};

/** How the shop takes orders at all, as home tells it: {delivery: {isOpen, until, opensAt, pausedUntil, pauseReason}, pickup}. */
export const doorsOf = (home) => Object.fromEntries((home.opening ?? [])
  .filter(({isOffered}) => isOffered).map((door) => [door.fulfilment, door]));

/** A sentence on these doors, each named where they differ; null where there is nothing to say. */
export function hoursOf(doors) {
  const all = Object.entries(doors).map(([fulfilment, door]) => [fulfilment, words(door)]);
  if (all.every(([, text]) => !text)) return null;
  const text = all.every(([, other]) => other === all[0][1]) ? all[0][1] : all.map(([fulfilment, own]) => t('{way} {words}', {way: fulfilment === 'pickup' ? t('pickup') : t('delivery'), words: own ?? t('open')})).join('; ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** The same as it stands beside a heading. */
export function openLine(home) {
  const doors = home ? doorsOf(home) : {};
  const text = hoursOf(doors);
  return text && el(Object.values(doors).some(({isOpen}) => isOpen) ? 'span.open' : 'span.open.shut', {}, text);
}

const spread = ({lowest, highest}, words) =>
  (lowest === highest ? words(lowest) : `${words(lowest)}–${words(highest)}`);

/** What an order takes by one door: "about 15 min · free". */
function terms({minutes, minimumSubtotal, fee, ...of}, hasFee) {
  const amounts = ({lowest, highest}) => (lowest === 0 && highest > 0
    ? t('up to {amount}', {amount: money(highest, of)})
    : spread({lowest, highest}, (amount) => money(amount, of)));
  return [
    t('{minutes} min', {minutes: spread(minutes, String)}),
    hasFee && (fee.highest ? t('fee {amount}', {amount: amounts(fee)}) : t('free')),
    minimumSubtotal.highest && t('minimum {amount}', {amount: amounts(minimumSubtotal)}),
  ].filter(Boolean).join(' · ');
}

/** What an order takes, a line for delivery and one for pickup; `own` is what delivery takes where it is known where to. */
export const termRows = (home, own = null) => Object.entries(home ? doorsOf(home) : {}).filter(([, {minutes}]) => minutes)
  .map(([fulfilment, door]) => el('li', {}, el('b', {}, fulfilment === 'delivery' ? t('Delivery') : t('Pickup')), ' ', fulfilment === 'delivery' && own ? own : terms(door, fulfilment === 'delivery')));

/** The same as a list; room for both where nothing is known yet. */
export const termsList = (home) => el('ul.terms', {}, termRows(home));
