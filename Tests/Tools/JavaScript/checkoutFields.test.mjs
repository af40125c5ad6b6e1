// checkout/tip.js and checkout/timeField.js: the fields of the checkout that choose among offers of the shop.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {answer, openPage} from './page.mjs';

process.env.TZ = 'America/New_York';
const clock = installClock('2026-11-24T11:00:00Z');
const usd = {currency: 'USD', currencyExponent: 2};
const page = openPage({languages: ['en-GB'], server: () => answer(200, {timeZone: 'Europe/Berlin'})});
await (await page.load('parts/timeZone.js')).loadTimeZone();
const {parseTip, tipButtons} = await page.load('checkout/tip.js');
const {timeField} = await page.load('checkout/timeField.js');
const {Problem} = await page.load('parts/api.js');

test('A typed tip is an amount, nothing for an empty field, and null for an invalid text', () => {
  assert.equal(parseTip(' 2.50 ', usd), 250);
  assert.equal(parseTip('', usd), undefined);
  assert.equal(parseTip('  ', usd), undefined);
  assert.equal(parseTip('2.505', usd), null);
  assert.equal(parseTip('much', usd), null);
});

/** The percentage buttons beside a field: {field, buttons, show, tap}. */
function openTips() {
  const node = document.createElement('div'), input = document.createElement('input');
  node.append(input);
  const {show} = tipButtons({node, input, get value() { return input.value; }});
  const [chips] = node.children;
  return {
    node, input, chips,
    show: (quote) => show({...usd, tipMaximum: 10_000, ...quote}),
    get texts() { return chips.children.map(({textContent}) => textContent); },
    get chosen() { return chips.children.findIndex(({firstChild}) => firstChild.checked); },
    tap: (index) => chips.children[index].firstChild.dispatchEvent(new Event('change')),
    type(text) {
      input.value = text;
      input.dispatchEvent(new Event('input'));
    },
  };
}

test('The buttons offer percentages of the subtotal, rounded down', () => {
  const tips = openTips();
  tips.show({subtotal: 1_999});
  assert.deepEqual(tips.texts, ['No tip', '10% · US$1.99', '15% · US$2.99', '20% · US$3.99']);
});

test('A percentage of the largest subtotal is exact', () => {
  const tips = openTips();
  tips.show({subtotal: 9_007_199_254_740_980, tipMaximum: 9_007_199_254_740_980});
  tips.tap(1);
  assert.equal(tips.input.value, '9007199254740.98');
});

test('A percentage above the maximum, or of nothing, is not offered', () => {
  const tips = openTips();
  tips.show({subtotal: 2_000, tipMaximum: 300});
  assert.equal(tips.texts.length, 3);
  const none = openTips();
  none.show({subtotal: 4});
  assert.equal(none.chips.hidden, true);
});

test('A shop that takes no tip hides the field', () => {
  const tips = openTips();
  tips.show({subtotal: 2_000, tipMaximum: 0});
  assert.equal(tips.node.hidden, true);
  tips.show({subtotal: 2_000, tipMaximum: 500});
  assert.equal(tips.node.hidden, false);
});

test('A tap writes the amount into the field, and a typed amount chooses its button', () => {
  const tips = openTips();
  tips.show({subtotal: 2_000});
  assert.equal(tips.chosen, 0);
  tips.tap(1);
  assert.equal(tips.input.value, '2.00');
  tips.type('4');
  assert.equal(tips.chosen, 3);
  tips.type('4.01');
  assert.equal(tips.chosen, -1);
  tips.type('x');
  assert.equal(tips.chosen, -1);
  tips.tap(0);
  assert.equal(tips.input.value, '');
  assert.equal(tips.chosen, 0);
});

const slot = (startsAt, more = {}) =>
  ({startsAt, endsAt: new Date(Date.parse(startsAt) + 900_000).toISOString(), left: null, ...more});
const evening = slot('2026-11-24T17:00:00Z'), tomorrow = slot('2026-11-25T11:00:00Z');
const afterMidnight = slot('2026-11-24T23:15:00Z');

/** A field with these slots by date: {field, day, time, error, asked, choose}. A function may fail. */
async function openTimes(slots, offer = {}) {
  const field = timeField('wantedAt', 'Time'), asked = [];
  const [, , row, , error, others] = field.node.children;
  const [day, time] = row.children;
  const opened = {
    field, day, time, error, others, asked, changes: 0,
    get days() { return day.children.map(({textContent}) => textContent); },
    get times() { return time.children.map(({textContent}) => textContent); },
    async choose(select, value) {
      select.value = value;
      select.dispatchEvent(new Event('change'));
      await settle();
    },
    offer: (more = {}) => field.offer({latest: '2026-11-25T20:00:00Z', isOpen: true, slotsOn: async (date) => {
      asked.push(date);
      const found = slots[date] ?? [];
      return typeof found === 'function' ? found() : found;
    }, ...offer, ...more}),
  };
  field.changed = () => { opened.changes += 1; };
  await opened.offer();
  return opened;
}

test('The days reach from today to the latest time in the zone of the shop', async () => {
  const opened = await openTimes({}, {latest: '2026-11-26T23:30:00Z'});
  assert.deepEqual(opened.days.map((text) => text.replace(',', '')),
    ['As soon as possible', 'Today', 'Tomorrow', 'Thu 26 Nov', 'Fri 27 Nov']);
  assert.equal(opened.field.value, '');
  assert.equal(opened.time.hidden, true);
});

test('The list has at most 62 days', async () => {
  assert.equal((await openTimes({}, {latest: '2027-11-26T23:30:00Z'})).days.length, 63);
});

test('A closed shop offers no order as soon as possible, and without a latest time the field is hidden', async () => {
  assert.equal((await openTimes({}, {isOpen: false})).days[0], 'Choose a day');
  assert.equal((await openTimes({}, {latest: null})).field.isVisible, false);
});

test('The slots of a day show their times and a low remaining number', async () => {
  const opened = await openTimes({'2026-11-24': [evening, slot('2026-11-24T17:15:00Z', {left: 2})]});
  await opened.choose(opened.day, '2026-11-24');
  assert.deepEqual(opened.times, ['Choose a time', '18:00 – 18:15', '18:15 – 18:30 (2 left)']);
  assert.deepEqual(opened.asked, ['2026-11-24']);
  await opened.choose(opened.time, evening.startsAt);
  assert.equal(opened.field.drawn, evening.startsAt);
  assert.equal(opened.changes, 2);
});

test('A slot after midnight belongs to its own date, in the order of time', async () => {
  const late = {'2026-11-24': [evening, afterMidnight], '2026-11-25': [tomorrow]};
  const opened = await openTimes(late);
  await opened.choose(opened.day, '2026-11-25');
  assert.deepEqual(opened.times, ['Choose a time', '12:00 – 12:15']);
  await opened.choose(opened.day, '2026-11-24');
  assert.deepEqual(opened.times, ['Choose a time', '18:00 – 18:15']);
  const nextNight = slot('2026-11-25T23:15:00Z');
  const early = await openTimes({'2026-11-24': [evening, afterMidnight], '2026-11-25': [tomorrow, nextNight]});
  await early.choose(early.day, '2026-11-25');
  assert.deepEqual(early.times, ['Choose a time', '00:15 – 00:30', '12:00 – 12:15']);
  assert.deepEqual(early.asked, ['2026-11-25', '2026-11-24', '2026-11-26']);
});

test('A day without slots says so', async () => {
  const opened = await openTimes({});
  await opened.choose(opened.day, '2026-11-24');
  assert.deepEqual(opened.times, ['No times available']);
  assert.equal(opened.error.textContent, 'No times are available on that day. Please choose another one.');
});

test('A day whose slots cannot be read shows the reason', async () => {
  const opened = await openTimes({'2026-11-24': () => {
    throw new Problem(0, 'unreachable', 'No answer.');
  }});
  await opened.choose(opened.day, '2026-11-24');
  assert.equal(opened.error.textContent, 'No answer. Please choose the day again.');
  assert.equal(opened.field.localError(), 'No answer. Please choose the day again.');
});

test('The slots of a day that was chosen earlier do not replace those of the current day', async () => {
  let answerSlowly;
  const opened = await openTimes({
    '2026-11-24': () => new Promise((resolve) => { answerSlowly = resolve; }), '2026-11-25': [tomorrow]});
  await opened.choose(opened.day, '2026-11-24');
  assert.equal(opened.field.localError({all: false}), null);
  assert.equal(opened.field.localError(), 'Please choose a time.');
  await opened.choose(opened.day, '2026-11-25');
  answerSlowly([evening]);
  await settle();
  assert.deepEqual(opened.times, ['Choose a time', '12:00 – 12:15']);
});

test('A day without a chosen time is an error, and as soon as possible is none', async () => {
  const opened = await openTimes({'2026-11-24': [evening]});
  assert.equal(opened.field.localError(), null);
  await opened.choose(opened.day, '2026-11-24');
  assert.equal(opened.field.localError(), 'Please choose a time.');
  await opened.choose(opened.time, evening.startsAt);
  assert.equal(opened.field.localError(), null);
});

test('A new offer keeps the chosen time, whatever the form of its text', async () => {
  const opened = await openTimes({'2026-11-24': [evening]});
  opened.field.value = '2026-11-24T18:00:00+01:00';
  await opened.offer();
  assert.equal(opened.day.value, '2026-11-24');
  assert.equal(opened.field.drawn, evening.startsAt);
});

test('A chosen time that is no longer offered is not sent, and is an error until the guest has seen it', async () => {
  const opened = await openTimes({'2026-11-25': [tomorrow]});
  opened.field.value = tomorrow.startsAt;
  await opened.offer();
  await opened.offer({latest: '2026-11-24T20:00:00Z'});
  assert.equal(opened.field.drawn, '');
  assert.match(opened.field.localError(), /no longer available/);
  assert.match(opened.error.textContent, /no longer available/);
  opened.field.acknowledge();
  assert.equal(opened.field.localError(), null);
});

test('Alternative times are buttons that choose their time', async () => {
  const opened = await openTimes({'2026-11-24': [evening], '2026-11-25': [tomorrow]});
  opened.field.showError('Taken.', [evening.startsAt, tomorrow.startsAt]);
  assert.deepEqual(opened.others.children.map(({textContent}) => textContent), ['18:00', 'Tomorrow at 12:00']);
  assert.equal(opened.day.getAttribute('aria-invalid'), 'true');
  opened.others.children[1].dispatchEvent(new Event('click'));
  await settle();
  assert.equal(opened.field.drawn, tomorrow.startsAt);
  assert.equal(opened.others.hidden, true);
  assert.equal(opened.day.hasAttribute('aria-invalid'), false);
});

test('The number of available times is announced once the day is chosen', async () => {
  const opened = await openTimes({'2026-11-24': [evening]});
  await opened.choose(opened.day, '2026-11-24');
  await clock.advance(60);
  assert.equal(document.getElementById('announcer').textContent, '1 time is available.');
});
