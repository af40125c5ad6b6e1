// parts/faultMonitor.js: the faults of the shop, and whether the shop is in reach.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {answer, openPage} from './page.mjs';

const clock = installClock('2026-11-24T11:00:00Z');

/** A stream that a test opens itself. */
class FakeEventSource extends EventTarget {
  static CLOSED = 2;
  readyState = 0;
  constructor() {
    super();
    FakeEventSource.last = this;
  }
  close() { this.readyState = FakeEventSource.CLOSED; }
}
globalThis.EventSource = FakeEventSource;

/** Starts the monitor on a page: {page, monitor, stream, shop}. `shop.isReachable` decides whether the shop answers. */
async function startMonitor() {
  clock.clear();
  const shop = {isReachable: true};
  const page = openPage({server: () => {
    if (!shop.isReachable) throw new TypeError('There is no connection.');
    return answer(200, {condition: 'ok', events: []});
  }});
  const monitor = await page.load('parts/faultMonitor.js');
  monitor.startFaultMonitor();
  await settle();
  return {page, monitor, stream: FakeEventSource.last, shop};
}

/** Disconnects the device. */
function disconnect({page, shop}) {
  shop.isReachable = false;
  page.navigator.onLine = false;
  page.dispatch('offline');
}

test('A device without a network is offline until the network returns', async () => {
  const started = await startMonitor();
  disconnect(started);
  assert.equal(started.monitor.reachability.value, 'offline');
  await clock.advance(60_000);
  assert.equal(started.monitor.reachability.value, 'offline');
  started.shop.isReachable = true;
  started.page.navigator.onLine = true;
  started.page.dispatch('online');
  assert.equal(started.monitor.reachability.value, 'ok');
});

test('A stream that opens after the network was lost hides that only until the next poll', async () => {
  const started = await startMonitor();
  disconnect(started);
  started.shop.isReachable = true;
  started.stream.dispatchEvent(new Event('open'));
  await settle();
  assert.equal(started.monitor.reachability.value, 'ok');
  started.shop.isReachable = false;
  await clock.advance(3_000);
  assert.equal(started.monitor.reachability.value, 'offline');
});

test('A shop that answers is in reach, although the browser reports no network', async () => {
  const started = await startMonitor();
  started.page.navigator.onLine = false;
  started.page.dispatch('offline');
  started.stream.dispatchEvent(new Event('open'));
  await clock.advance(30_000);
  assert.equal(started.monitor.reachability.value, 'ok');
});
