// Modules of the staff page: deadlines, arrivals, ticked dishes, and lanes.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock} from './clock.mjs';
import {answer, fakeStorage, openPage} from './page.mjs';

process.env.TZ = 'Asia/Tokyo';
const begin = '2026-11-24T11:00:00Z';
const clock = installClock(begin);

function restartClock() {
  clock.clear();
  clock.set(begin);
}

async function open(options = {}) {
  restartClock();
  const page = openPage({languages: ['en-GB'], server: () => answer(200, {timeZone: 'Europe/Berlin'}), ...options});
  await (await page.load('parts/timeZone.js')).loadTimeZone();
  return page;
}
const shared = await open();
const [{deadlineLine, updateDeadline}, {arrivalTracker}, {laneVisibility, trackLaneHeight}] = await Promise.all(
  ['staff/deadlineLine.js', 'staff/arrivalTracker.js', 'staff/laneLayout.js'].map(shared.load));
const later = (seconds) => new Date(Date.parse(begin) + seconds * 1_000).toISOString();

test('The deadline of an order shows its time and, within an hour, the time left', () => {
  restartClock();
  const status = (acceptBy) => {
    const line = deadlineLine({acceptBy});
    return line && [line.textContent, line.dataset.step];
  };
  assert.equal(status(null), null);
  assert.deepEqual(status(later(3_600)), ['accept by 13:00', 'calm']);
  assert.deepEqual(status(later(3_599)), ['accept by 12:59 · 59:59 left', 'calm']);
  assert.deepEqual(status(later(121)), ['accept by 12:02 · 2:01 left', 'calm']);
  assert.deepEqual(status(later(120)), ['accept by 12:02 · 2:00 left', 'soon']);
  assert.deepEqual(status(later(5)), ['accept by 12:00 · 0:05 left', 'soon']);
  assert.deepEqual(status(later(0)), ['accept by 12:00 · 0:00 left', 'soon']);
  assert.deepEqual(status(later(-1)), ['Not accepted in time', 'over']);
  assert.deepEqual(status('2026-11-25T11:00:00Z'), ['accept by tomorrow, 12:00', 'calm']);
});

test('The line of a deadline is updated as time passes', async () => {
  restartClock();
  const card = document.createElement('li'), order = {acceptBy: later(130)};
  card.append(deadlineLine(order));
  await clock.advance(20_000);
  updateDeadline(card, order);
  const [line] = card.children;
  assert.deepEqual([line.textContent, line.dataset.step], ['accept by 12:02 · 1:50 left', 'soon']);
  updateDeadline(card, {acceptBy: null});
  assert.equal(line.textContent, 'accept by 12:02 · 1:50 left');
});

const order = (number, state = 'placed', more = {}) => ({number, state, wantedAt: null, pendingStep: null, ...more});

test('In the first update only the orders that wait for acceptance have entered', () => {
  restartClock();
  const {update} = arrivalTracker();
  const forLater = order('C', 'placed', {wantedAt: later(7_200)});
  const isRejected = order('D', 'placed', {pendingStep: {state: 'rejected'}});
  assert.deepEqual(update([order('A'), order('B', 'accepted'), forLater, isRejected], false),
    {entered: ['A'], untapped: []});
});

test('An order enters once, in whatever state', () => {
  restartClock();
  const {update} = arrivalTracker();
  update([], false);
  assert.deepEqual(update([order('A', 'accepted')], false).entered, ['A']);
  assert.deepEqual(update([order('A', 'preparing')], false).entered, []);
  assert.deepEqual(update([], false).entered, []);
  assert.deepEqual(update([order('A')], false).entered, ['A']);
});

test('An order for later enters again when it becomes due, an hour before its time', async () => {
  restartClock();
  const {update} = arrivalTracker();
  const forLater = order('A', 'accepted', {wantedAt: later(3_610)});
  update([], false);
  assert.deepEqual(update([forLater], false).entered, ['A']);
  await clock.advance(9_000);
  assert.deepEqual(update([forLater], false).entered, []);
  await clock.advance(1_000);
  assert.deepEqual(update([forLater], false).entered, ['A']);
  assert.deepEqual(update([forLater], false).entered, []);
});

test('An automatically accepted order is untapped until a tap, its preparation or its end', () => {
  restartClock();
  const {update, markTapped} = arrivalTracker();
  update([], true);
  const all = ['A', 'B', 'C'].map((number) => order(number, 'accepted'));
  assert.deepEqual(update(all, true).untapped, ['A', 'B', 'C']);
  assert.equal(markTapped('A'), true);
  assert.equal(markTapped('A'), false);
  assert.deepEqual(update([all[0], order('B', 'preparing'), all[2]], true).untapped, ['C']);
  assert.deepEqual(update([], true).untapped, []);
});

test('An order that staff must accept is never untapped', () => {
  restartClock();
  const {update} = arrivalTracker();
  update([], false);
  assert.deepEqual(update([order('A')], false), {entered: ['A'], untapped: []});
});

const dishes = {number: 'A', lines: [{title: 'Burger'}, {title: 'Fries'}],
  sales: [{items: [{title: 'Soup'}, {title: 'Bread'}]}]};
const titles = (all) => all.map(({title}) => title);

test('A ticked dish survives a reload, and a second tap removes the tick', async () => {
  const page = await open();
  const {isTicked, setTicked, untickedDishes} = await page.load('staff/dishTicks.js');
  setTicked(dishes, 1, true);
  setTicked(dishes, 2, true);
  setTicked(dishes, 2, true);
  assert.deepEqual(titles(untickedDishes(dishes)), ['Burger', 'Bread']);
  const next = await (await open({localStorage: page.localStorage})).load('staff/dishTicks.js');
  assert.deepEqual([0, 1, 2, 3].map((index) => next.isTicked(dishes, index)), [false, true, true, false]);
  next.setTicked(dishes, 2, false);
  assert.deepEqual(titles(next.untickedDishes(dishes)), ['Burger', 'Soup', 'Bread']);
  assert.equal(isTicked({number: 'B'}, 1), false);
});

test('The ticks of an order are deleted when it leaves the board, and those of other orders stay', async () => {
  const page = await open({localStorage: fakeStorage({'welms.staff.done': {A: [0], B: [1]}})});
  const {isTicked, pruneTicks} = await page.load('staff/dishTicks.js');
  pruneTicks([{number: 'A'}, {number: 'B'}]);
  assert.equal(isTicked({number: 'B'}, 1), true);
  pruneTicks([{number: 'B'}]);
  assert.equal(page.localStorage['welms.staff.done'], '{"B":[1]}');
  pruneTicks([]);
  assert.equal(page.localStorage['welms.staff.done'], undefined);
});

/** Lanes with these numbers of cards: {lanes, update, hidden, fill}. All lanes begin as shown. */
function openLanes(...counts) {
  restartClock();
  const element = (name) => {
    const node = document.createElement('div');
    node.className = name;
    return node;
  };
  const lanes = element('lanes');
  const fill = (index, count) => lanes.children[index].replaceChildren(...Array.from({length: count}, () =>
    element('ticket')));
  for (const [index, count] of counts.entries()) {
    lanes.append(element('lane'));
    fill(index, count);
  }
  return {lanes, update: laneVisibility(lanes), fill,
    get hidden() { return lanes.children.map(({classList}) => classList.contains('empty')); }};
}

test('The first update hides empty lanes at once', () => {
  const opened = openLanes(1, 0, 2);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, true, false]);
});

test('A lane that becomes empty is hidden after five seconds', async () => {
  const opened = openLanes(1, 0, 2);
  opened.update(false);
  opened.fill(2, 0);
  opened.update(false);
  await clock.advance(4_999);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, true, false]);
  await clock.advance(1);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, true, true]);
});

test('A touch delays the change until the lanes were untouched for five seconds', async () => {
  const opened = openLanes(1, 0, 2);
  opened.update(false);
  opened.fill(2, 0);
  opened.update(false);
  await clock.advance(4_000);
  opened.lanes.dispatchEvent(new Event('pointerdown'));
  await clock.advance(4_999);
  opened.update(false);
  assert.equal(opened.hidden[2], false);
  await clock.advance(1);
  opened.update(false);
  assert.equal(opened.hidden[2], true);
});

test('A card in a hidden lane is shown at once if no other card moves', () => {
  const opened = openLanes(0, 0);
  opened.update(false);
  opened.fill(0, 1);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, true]);
});

test('A lane that a tap here fills is shown at once, unless a finger is on the cards', () => {
  const opened = openLanes(2, 0, 0);
  opened.update(false);
  opened.fill(1, 1);
  opened.update(false);
  assert.equal(opened.hidden[1], true);
  opened.update(true);
  assert.equal(opened.hidden[1], false);
  opened.lanes.dispatchEvent(new Event('pointerdown'));
  opened.fill(2, 1);
  opened.update(true);
  assert.equal(opened.hidden[2], true);
  opened.update(false, {isRequested: true});
  assert.equal(opened.hidden[2], false);
});

test('The first lane that becomes empty on a full board is not hidden at once', () => {
  const opened = openLanes(1, 1);
  opened.update(false);
  opened.fill(1, 0);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, false]);
});

test('A lane that is filled and emptied again within five seconds starts a new delay', async () => {
  const opened = openLanes(1, 1);
  opened.update(false);
  opened.fill(1, 0);
  opened.update(false);
  await clock.advance(3_000);
  opened.fill(1, 1);
  opened.update(false);
  opened.fill(1, 0);
  opened.update(false);
  await clock.advance(3_000);
  opened.update(false);
  assert.deepEqual(opened.hidden, [false, false]);
});

test('The lanes reach from the nodes above them to the tabs at the bottom, or to the edge of the screen', async () => {
  const page = await open();
  globalThis.ResizeObserver = class { observe() {} };
  globalThis.innerHeight = 900;
  globalThis.scrollY = 10;
  let tabsTop = 850, height;
  document.getElementById = () => ({getBoundingClientRect: () => ({top: tabsTop})});
  const update = trackLaneHeight({
    getBoundingClientRect: () => ({top: 100}), style: {setProperty: (_, value) => { height = value; }}}, []);
  update();
  assert.equal(height, '736px');
  tabsTop = 20;
  page.dispatch('resize');
  assert.equal(height, '786px');
  globalThis.innerHeight = 200;
  update();
  assert.equal(height, '280px');
});
