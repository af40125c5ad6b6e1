// The shop's time zone. Guests and staff see all times in it, wherever their devices are.

import {read} from './api.js';
import {sleep} from './sleep.js';
import {locale, t} from './translation.js';

/** For how many milliseconds a screen waits for the zone. Without it, times are in the device's zone. */
const waitLimit = 2_000;
/** @type {string | undefined} */
let zone;
/** @type {Promise<void> | null} */
let pendingRead = null;

/** The zone's name, such as Europe/Berlin. Undefined until it is known; Intl then uses the device's zone. */
export const timeZone = () => zone;

/** Resolves when the zone is known or cannot be read, after two seconds at the latest. */
export function loadTimeZone() {
  pendingRead ??= read('/v1/shop').then((shop) => {
    // Throws if the browser does not know the zone.
    new Intl.DateTimeFormat('en', {timeZone: shop.timeZone});
    zone = shop.timeZone;
  }).catch(() => { pendingRead = null; });
  return Promise.race([pendingRead, sleep(waitLimit)]);
}

/** @param {string | undefined} name @param {number} moment */
const clockIn = (name, moment) =>
  new Intl.DateTimeFormat('en', {dateStyle: 'short', timeStyle: 'short', timeZone: name}).format(moment);

/** Whether the device's time differs from the shop's, now or in half a year, because of daylight saving time. */
function isInOtherZone() {
  const moments = [Date.now(), Date.now() + 182 * 24 * 3_600_000];
  return zone !== undefined && moments.some((moment) => clockIn(zone, moment) !== clockIn(undefined, moment));
}

/**
 * Shows the note in a node, or hides the node.
 * @param {HTMLElement} node
 */
export function showZoneNote(node) {
  node.textContent = zoneNote();
  node.hidden = !node.textContent;
}

/** Says which time zone the times are in; '' if the device is in the same zone. */
export function zoneNote() {
  if (!isInOtherZone()) return '';
  const format = new Intl.DateTimeFormat(locale, {timeZone: zone, timeZoneName: 'shortGeneric'});
  const parts = format.formatToParts(Date.now());
  const name = parts.find(({type}) => type === 'timeZoneName')?.value ?? zone;
  return t('All times are in the restaurant’s time zone: {name}.', {name});
}
