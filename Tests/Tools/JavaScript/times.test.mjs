// parts/timeFormat.js, timeZone.js and serverClock.js: times in the shop's zone, by the server's clock.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock} from './clock.mjs';
import {answer, openPage} from './page.mjs';

// The device is far from the shop, and its date is another one.
process.env.TZ = 'Pacific/Auckland';
const noon = '2026-11-24T11:00:00Z';
const clock = installClock(noon);

/** Opens a page of a shop in this zone. The zone is known unless the server does not answer. */
async function openShop(timeZone, {server = () => answer(200, {timeZone}), ...options} = {}) {
  const page = openPage({languages: ['en-GB'], server, ...options});
  const zone = await page.load('parts/timeZone.js');
  void zone.loadTimeZone();
  await clock.advance(0);
  return {page, zone, format: await page.load('parts/timeFormat.js'), clock: await page.load('parts/serverClock.js')};
}
const berlin = await openShop('Europe/Berlin');
const {format} = berlin;

/** A date without the comma that some versions of ICU write after the weekday. */
const withoutComma = (text) => text.replace(',', '');

test('Times are in the zone of the shop, on a device in any zone', () => {
  assert.equal(format.formatTime('2026-11-24T17:05:00+01:00'), '17:05');
  assert.equal(format.formatTime(Date.parse(noon)), '12:00');
  assert.equal(format.formatDateTime(noon), '24 Nov 2026, 12:00');
  assert.equal(format.formatDateTimeSeconds('2026-11-24T11:00:05Z'), '24/11/2026, 12:00:05');
});

test('The date of a moment is the date in the zone of the shop', () => {
  assert.equal(format.dateOf('2026-11-24T22:59:59Z'), '2026-11-24');
  assert.equal(format.dateOf('2026-11-24T23:00:00Z'), '2026-11-25');
});

test('Days are added across the ends of months and years, and across changes of clocks', () => {
  assert.equal(format.addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(format.addDays('2026-03-01', -1), '2026-02-28');
  assert.equal(format.addDays('2028-02-28', 1), '2028-02-29');
  assert.equal(format.addDays('2026-03-28', 1), '2026-03-29');
  assert.equal(format.addDays('2026-10-25', 1), '2026-10-26');
  assert.equal(format.addDays('2026-11-24', 62), '2027-01-25');
});

test('Today and tomorrow have a name, and other days have their date', () => {
  assert.equal(format.formatDate('2026-11-24'), 'today');
  assert.equal(format.formatDate('2026-11-25'), 'tomorrow');
  assert.equal(withoutComma(format.formatDate('2026-11-26')), 'Thu 26 Nov');
  assert.equal(withoutComma(format.formatDate('2026-11-23')), 'Mon 23 Nov');
});

test('A moment is today until midnight in the zone of the shop', () => {
  assert.equal(format.isToday('2026-11-23T22:59:00Z'), false);
  assert.equal(format.isToday('2026-11-23T23:00:00Z'), true);
  assert.equal(format.isToday('2026-11-24T22:59:00Z'), true);
  assert.equal(format.isToday('2026-11-24T23:00:00Z'), false);
});

test('A text of when something happens names the day unless it is today', () => {
  assert.equal(format.formatWhen('2026-11-24T16:00:00Z'), 'at 17:00');
  assert.equal(format.formatWhen('2026-11-25T03:00:00Z'), 'tomorrow at 04:00');
  assert.equal(withoutComma(format.formatWhen('2026-11-26T03:00:00Z')), 'on Thu 26 Nov at 04:00');
});

test('An end within 20 hours has no day, and a later end has it', () => {
  assert.equal(format.formatUntil('2026-11-24T21:00:00Z'), 'until 22:00');
  assert.equal(format.formatUntil('2026-11-25T06:59:00Z'), 'until 07:59');
  assert.equal(format.formatUntil('2026-11-25T07:00:00Z'), 'until tomorrow at 08:00');
  assert.equal(withoutComma(format.formatUntil('2026-11-26T07:00:00Z')), 'until Thu 26 Nov at 08:00');
});

test('An end on the same day has no day, even if it is more than 20 hours away', () => {
  clock.set('2026-11-23T23:00:00Z');
  assert.equal(format.formatUntil('2026-11-24T22:30:00Z'), 'until 23:30');
  clock.set(noon);
});

test('Formats change when the zone of the shop becomes known', async () => {
  let answerLater;
  const shop = await openShop('Asia/Tokyo', {server: () => new Promise((resolve) => { answerLater = resolve; })});
  assert.equal(shop.zone.timeZone(), undefined);
  assert.equal(shop.format.formatTime(noon), '00:00');
  answerLater(answer(200, {timeZone: 'Asia/Tokyo'}));
  await clock.advance(0);
  assert.equal(shop.format.formatTime(noon), '20:00');
});

test('A screen waits for the zone at most two seconds', async () => {
  const page = openPage({server: () => new Promise(() => {})});
  const {loadTimeZone} = await page.load('parts/timeZone.js');
  let isDone = false;
  void loadTimeZone().then(() => { isDone = true; });
  await clock.advance(1_999);
  assert.equal(isDone, false);
  await clock.advance(1);
  assert.equal(isDone, true);
  clock.set(noon);
});

test('The zone is read once, and again after a failure', async () => {
  let isReachable = false;
  const shop = await openShop('Europe/Berlin', {server() {
    if (!isReachable) throw new TypeError('There is no connection.');
    return answer(200, {timeZone: 'Europe/Berlin'});
  }});
  assert.equal(shop.zone.timeZone(), undefined);
  isReachable = true;
  await shop.zone.loadTimeZone();
  assert.equal(shop.zone.timeZone(), 'Europe/Berlin');
  await shop.zone.loadTimeZone();
  assert.equal(shop.page.requests.length, 2);
});

test('A zone that the browser does not know leaves the times in the zone of the device', async () => {
  const shop = await openShop('Mars/Olympus');
  assert.equal(shop.zone.timeZone(), undefined);
  assert.equal(shop.format.formatTime(noon), '00:00');
});

test('A note names the zone of the shop if the device is in another one', async () => {
  const shop = await openShop('Europe/Berlin');
  assert.match(shop.zone.zoneNote(), /^All times are in the restaurant’s time zone: .*(CET|Central|Germany).*\.$/);
  const node = {textContent: '', hidden: true};
  shop.zone.showZoneNote(node);
  assert.equal(node.hidden, false);
});

test('No note appears if the device is in the zone of the shop, or while the zone is unknown', async () => {
  assert.equal((await openShop('Pacific/Auckland')).zone.zoneNote(), '');
  const node = {textContent: 'old', hidden: false};
  (await openShop('Europe/Berlin', {server: () => new Promise(() => {})})).zone.showZoneNote(node);
  assert.deepEqual(node, {textContent: '', hidden: true});
});

test('A note appears if the times differ only in half a year', async () => {
  // Berlin and Lagos have the same time in winter, and Lagos has no summer time.
  process.env.TZ = 'Africa/Lagos';
  const shop = await openShop('Europe/Berlin');
  assert.equal(shop.format.formatTime(noon), '12:00');
  assert.notEqual(shop.zone.zoneNote(), '');
  process.env.TZ = 'Pacific/Auckland';
});

const headers = (entries) => new Headers(entries);

test('The server’s clock is the Date header of an answer and half a second, and runs on', async () => {
  const {serverNow, isClockKnown, syncClock} = await openPage().load('parts/serverClock.js');
  assert.equal(isClockKnown(), false);
  assert.equal(serverNow(), clock.now());
  syncClock(headers({Date: 'Tue, 24 Nov 2026 12:30:00 GMT'}));
  assert.equal(isClockKnown(), true);
  assert.equal(serverNow(), Date.parse('2026-11-24T12:30:00.500Z'));
  await clock.advance(1_500);
  assert.equal(serverNow(), Date.parse('2026-11-24T12:30:02Z'));
  clock.set(noon);
});

test('An answer from a cache, and one without a valid date, do not set the clock', async () => {
  const {serverNow, isClockKnown, syncClock} = await openPage().load('parts/serverClock.js');
  syncClock(headers({Date: 'Tue, 24 Nov 2026 12:30:00 GMT', Age: '0'}));
  syncClock(headers({}));
  syncClock(headers({Date: 'yesterday'}));
  assert.equal(isClockKnown(), false);
  assert.equal(serverNow(), clock.now());
});

test('Orders are compared by the moment of their placement, then by number', async () => {
  const {byPlacedAt, dueAt} = await openPage().load('parts/serverClock.js');
  const orders = [
    {number: 'D', placedAt: '2026-11-24T11:00:01Z'}, {number: 'C', placedAt: '2026-11-24T11:00:00.5Z'},
    {number: 'B', placedAt: '2026-11-24T12:00:00+01:00'}, {number: 'A', placedAt: '2026-11-24T11:00:00Z'},
  ];
  assert.deepEqual(orders.sort(byPlacedAt).map(({number}) => number), ['A', 'B', 'C', 'D']);
  assert.equal(dueAt({readyAt: '2026-11-24T12:30:00+01:00'}), Date.parse('2026-11-24T11:30:00Z'));
});
