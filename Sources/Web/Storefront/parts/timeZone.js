// The shop's time zone. Guests and staff read all times by the shop's clock, wherever their devices are.

import {read} from '../api.js';
import {locale, t} from '../words.js';

/** How long a screen waits for the zone. After that, times are in the device's zone. */
const patience = 2_000;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
let zone, reading = null;

/** The zone's name, such as Europe/Berlin. Undefined, which Intl takes as the device's zone, until it is known. */
export const timeZone = () => zone;

/** Resolves when the zone is known or can't be read now. */
export function zoneIsRead() {
  reading ??= read('/v1/shop').then((shop) => {
    // Throws if the browser does not know the zone.
    new Intl.DateTimeFormat('en', {timeZone: shop.timeZone});
    zone = shop.timeZone;
  }).catch(() => { reading = null; });
  return Promise.race([reading, pause(patience)]);
}

const clockIn = (name, moment) =>
  new Intl.DateTimeFormat('en', {dateStyle: 'short', timeStyle: 'short', timeZone: name}).format(moment);

/** Whether the device's clock shows other times than the shop's, now or in half a year. */
function differs() {
  const moments = [Date.now(), Date.now() + 182 * 24 * 3_600_000];
  return zone !== undefined && moments.some((moment) => clockIn(zone, moment) !== clockIn(undefined, moment));
}

/** Shows the note in a node of its own. */
export function showZoneNote(node) {
  node.textContent = zoneNote();
  node.hidden = !node.textContent;
}

/** Says which time zone times are in; '' if the device is in the same zone. */
export function zoneNote() {
  if (!differs()) return '';
  const format = new Intl.DateTimeFormat(locale, {timeZone: zone, timeZoneName: 'shortGeneric'});
  const parts = format.formatToParts(Date.now());
  const name = parts.find(({type}) => type === 'timeZoneName')?.value ?? zone;
  return t('All times are in the restaurant’s time zone: {name}.', {name});
}
