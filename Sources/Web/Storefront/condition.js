// What is wrong with the shop now, from its error channel: the list first, then each fault and recovery as it happens.
// Screens of the menu give way to the error screen while the menu has a fault; all else is a banner. Read next: banner.js.

import {network, read} from './api.js';
import {signal} from './store.js';

/** The open faults by subject, e.g. {menu: event}. */
export const faults = signal({});
/** Whether the shop answers: `ok`, `offline` or `unreachable`. */
export const reach = signal('ok');
/** For how many seconds the menu could not be read anew. */
export const staleness = signal(0);

let stream = null;

async function takeList() {
  try {
    const {condition, events} = await read('/v1/errors');
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
    // `reach` says it already.
  }
}

function take(message) {
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
    takeList();
  });
  stream.addEventListener('fault', take);
  stream.addEventListener('recovery', take);
  stream.addEventListener('missed', takeList);
  stream.addEventListener('error', () => {
    // A refused stream does not come back by itself.
    if (stream?.readyState !== EventSource.CLOSED) return;
    stop();
    takeList();
    setTimeout(() => document.visibilityState === 'visible' && listen(), 5_000);
  });
}

function stop() {
  stream?.close();
  stream = null;
}

function setReach(next) {
  if (reach.value !== next) reach.set(next);
}

/** Starts to listen, while the page is looked at: a browser has six connections for all tabs of a shop. */
export function startCondition() {
  network.addEventListener('stale', (event) => event.detail !== staleness.value && staleness.set(event.detail));
  network.addEventListener('reached', () => setReach('ok'));
  network.addEventListener('unreached', () => setReach(navigator.onLine === false ? 'offline' : 'unreachable'));
  addEventListener('offline', () => setReach('offline'));
  addEventListener('online', () => {
    setReach('ok');
    takeList();
  });
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'visible' ? listen() : stop()));
  if (navigator.onLine === false) setReach('offline');
  listen();
  // While the shop is out of reach, or the menu is stale, look again until it is well.
  setInterval(() => {
    if (document.visibilityState !== 'visible' || reach.value === 'offline') return;
    if (reach.value === 'unreachable') takeList();
    else if (staleness.value > 0) read('/v1/categories').catch(() => {});
  }, 3_000);
}
