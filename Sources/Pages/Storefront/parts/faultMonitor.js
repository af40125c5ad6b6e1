// The open faults of the shop, from its error channel. The page reads the list first, and then receives each fault and
// recovery. Screens of the menu show an error screen during a menu fault; other faults appear in the banner.

import {networkEvents, read} from './api.js';
import {signal} from './signal.js';

/** @typedef {Partial<Record<API.ErrorEvent['subject'], API.ErrorEvent>>} OpenFaults */
/** @typedef {'ok' | 'offline' | 'unreachable'} Reachability Whether the shop answers. */

/** The open faults by subject, e.g. {menu: event}. */
export const faults = signal(/** @type {OpenFaults} */ ({}));
export const reachability = signal(/** @type {Reachability} */ ('ok'));
/** For how many seconds the server could not refresh the menu. */
export const menuStaleness = signal(0);

/** @type {EventSource | null} */
let stream = null;

async function readFaults() {
  try {
    const {condition, events} = await read('/v1/errors');
    /** @type {OpenFaults} */
    const open = {};
    const settled = new Set();
    if (condition === 'degraded') {
      for (const event of events) {
        if (settled.has(event.subject)) continue;
        settled.add(event.subject);
        if (event.kind === 'fault') open[event.subject] = event;
      }
    }
    if (JSON.stringify(open) !== JSON.stringify(faults.value)) faults.set(open);
  } catch {
    // `reachability` reports this failure already.
  }
}

/** @param {MessageEvent<string>} message */
function applyEvent(message) {
  /** @type {API.ErrorEvent} */
  const event = JSON.parse(message.data);
  const open = {...faults.value};
  if (event.kind === 'fault') open[event.subject] = event;
  else delete open[event.subject];
  faults.set(open);
}

function listen() {
  if (stream) return;
  stream = new EventSource('/v1/errors/events');
  stream.addEventListener('open', () => {
    setReach('ok');
    void readFaults();
  });
  stream.addEventListener('fault', applyEvent);
  stream.addEventListener('recovery', applyEvent);
  stream.addEventListener('missed', readFaults);
  stream.addEventListener('error', () => {
    // A refused stream does not reconnect by itself.
    if (stream?.readyState !== EventSource.CLOSED) return;
    stop();
    void readFaults();
    setTimeout(() => document.visibilityState === 'visible' && listen(), 5_000);
  });
}

function stop() {
  stream?.close();
  stream = null;
}

/** @param {Reachability} next */
function setReach(next) {
  if (reachability.value !== next) reachability.set(next);
}

/**
 * Listens only while the page is visible, because a browser opens six connections to a server, for all tabs together.
 */
export function startFaultMonitor() {
  networkEvents.addEventListener('stale', (event) => {
    const seconds = event instanceof CustomEvent ? event.detail : 0;
    if (seconds !== menuStaleness.value) menuStaleness.set(seconds);
  });
  networkEvents.addEventListener('reached', () => setReach('ok'));
  networkEvents.addEventListener('unreached', () => setReach(navigator.onLine === false ? 'offline' : 'unreachable'));
  addEventListener('offline', () => setReach('offline'));
  addEventListener('online', () => {
    setReach('ok');
    void readFaults();
  });
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'visible' ? listen() : stop()));
  if (navigator.onLine === false) setReach('offline');
  listen();
  // Polls while the shop is out of reach or the menu is stale. Also polls if an answer arrived although the browser
  // reports no network: it may have been under way already.
  setInterval(() => {
    if (document.visibilityState !== 'visible' || reachability.value === 'offline') return;
    if (reachability.value === 'unreachable' || navigator.onLine === false) void readFaults();
    else if (menuStaleness.value > 0) read('/v1/categories').catch(() => {});
  }, 3_000);
}
