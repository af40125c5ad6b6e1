// staff/sharedStream.js: one event stream for all tabs of a browser.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {fakeChannels, fakeLocks, streamServer} from './fakeStream.mjs';
import {openPage} from './page.mjs';

const clock = installClock('2026-11-24T11:00:00Z');
const silence = 4_500;
Math.random = () => 0;

/** Opens a browser: {connections, document, openTab}. `openTab` follows the stream in another tab. */
async function openBrowser({locks = fakeLocks()} = {}) {
  clock.clear();
  const {server, connections} = streamServer();
  const page = openPage({server, locks});
  // A digest in the same turn, because the tests move the clock.
  globalThis.crypto = {subtle: {digest: async (_, bytes) => bytes.slice(-32)}};
  globalThis.BroadcastChannel = fakeChannels();
  const {followSharedStream} = await page.load('staff/sharedStream.js');
  return {connections, document: page.document, async openTab(token = 'token') {
    const tab = {events: [], states: []};
    void followSharedStream('/v1/staff/events', token, {
      silence,
      headers: () => ({Authorization: token}),
      onEvent: (...event) => tab.events.push(event),
      onLive: (...state) => tab.states.push(state),
    });
    await settle();
    return tab;
  }};
}

const isLive = (tab) => tab.states.at(-1)?.[0];

test('Two tabs with the same token have one connection, and both get its events', async () => {
  const {connections, openTab} = await openBrowser();
  const [first, second] = [await openTab(), await openTab()];
  connections[0].send('event: order_changed\ndata: {"number": "A1"}\n\n');
  await settle();
  assert.equal(connections.length, 1);
  assert.deepEqual(first.events, [['order_changed', {number: 'A1'}]]);
  assert.deepEqual(second.events.at(-1), ['order_changed', {number: 'A1'}]);
});

test('A tab that opens later learns that the stream runs, and reads the list once', async () => {
  const {connections, openTab} = await openBrowser();
  const [first, second] = [await openTab(), await openTab()];
  assert.equal(isLive(second), true);
  assert.deepEqual(second.events, [['list_changed', {}]]);
  assert.deepEqual(first.events, []);
  connections[0].send(': heartbeat\n\n');
  await settle();
  assert.deepEqual(second.events, [['list_changed', {}]]);
});

test('Tabs with other tokens have other connections', async () => {
  const {connections, openTab} = await openBrowser();
  await openTab('one');
  await openTab('two');
  assert.deepEqual(connections.map(({request: {headers}}) => headers.Authorization), ['one', 'two']);
});

test('A lost connection is reported in each tab, and the next one makes the other tab read the list', async () => {
  const {connections, openTab} = await openBrowser();
  const [first, second] = [await openTab(), await openTab()];
  connections[0].fail();
  await settle();
  assert.deepEqual([first, second].map((tab) => tab.states.at(-1)), Array(2).fill([false, {wasSilent: false}]));
  second.events.length = 0;
  await clock.advance(250);
  assert.deepEqual([first, second].map(isLive), [true, true]);
  assert.deepEqual(second.events, [['list_changed', {}]]);
});

test('Heartbeats keep the other tabs live', async () => {
  const {connections, openTab} = await openSilentBrowser();
  const second = await openTab();
  await clock.advance(3 * silence);
  assert.ok(second.states.every(([isRunning]) => isRunning));
  assert.equal(connections.length, 1);
});

test('A visible tab takes the stream from a tab that has been silent for twice the silence', async () => {
  const {connections, openTab, channels} = await openSilentBrowser();
  const second = await openTab();
  assert.equal(isLive(second), true);
  channels.isFrozen = true;
  await clock.advance(silence);
  assert.deepEqual(second.states.at(-1), [false, {wasSilent: true}]);
  assert.equal(connections.length, 1);
  await clock.advance(silence);
  assert.equal(connections.length, 2);
  assert.equal(connections[0].isOpen, false);
  assert.equal(isLive(second), true);
});

test('A hidden tab does not take the stream from a silent tab', async () => {
  const {connections, openTab, channels, document} = await openSilentBrowser();
  await openTab();
  document.visibilityState = 'hidden';
  channels.isFrozen = true;
  await clock.advance(3 * silence);
  assert.equal(connections.length, 1);
});

/** A browser whose first tab receives heartbeats all the time, and sends nothing to others while it is frozen. */
async function openSilentBrowser() {
  const browser = await openBrowser();
  const channels = {isFrozen: false}, {BroadcastChannel} = globalThis;
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    postMessage(data) { if (!channels.isFrozen) super.postMessage(data); }
  };
  await browser.openTab();
  globalThis.BroadcastChannel = BroadcastChannel;
  const beat = () => {
    if (browser.connections[0].isOpen) browser.connections[0].send(': heartbeat\n\n');
  };
  setInterval(beat, 1_000);
  return {...browser, channels};
}

for (const [name, prepare] of [
  ['Where the browser denies locks', () => openBrowser({locks: fakeLocks({isDenied: true})})],
  ['Without Web Locks', () => openBrowser({locks: null})],
]) {
  test(`${name}, each tab has its own connection while it is visible`, async () => {
    const {connections, document, openTab} = await prepare();
    const [first, second] = [await openTab(), await openTab()];
    assert.equal(connections.length, 2);
    connections[0].send('data: 1\n\n');
    await settle();
    assert.deepEqual([first.events, second.events], [[['message', 1]], []]);
    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    assert.deepEqual(connections.map(({isOpen}) => isOpen), [false, false]);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    assert.equal(connections.length, 4);
  });
}
