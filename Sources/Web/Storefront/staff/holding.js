// What can't be taken back, for guests are told of it at once, waits here for ten seconds before it is sent: a rejection, and that it is delivered. It
// is sent at once when the page is left. Used by rejection.js, which asks why, and by ticket.js, which shows what waits.

import {notice, trying} from '../notice.js';
import {token} from './door.js';
import {advance, orders} from './orders.js';

const wait = 10_000;
const held = new Map();

/** What waits to be sent of an order: {state, more, done}; null for nothing. */
export const heldOf = ({number}) => held.get(number) ?? null;

/** Tells the board to draw again. */
const shown = () => orders.value && orders.set({...orders.value, isOurs: true});

/** Moves an order to a state in ten seconds, `more` says why, and `done` what is said then. */
export function hold(number, state, done, more = {}) {
  drop(number);
  held.set(number, {state, more, done, timer: setTimeout(() => send(number), wait)});
  shown();
}

/** Sends nothing of it; whether something waited. */
function drop(number) {
  clearTimeout(held.get(number)?.timer);
  return held.delete(number);
}

/** It stays as it is. */
export const letGo = (number) => drop(number) && shown();

async function send(number) {
  const {state, more, done} = held.get(number);
  held.delete(number);
  await trying(async () => {
    await advance(number, state, more);
    notice(done);
  });
  shown();
}

// What somebody else has ended is not sent any more.
orders.watch((all) => {
  for (const {number} of all.closed) drop(number);
});

addEventListener('pagehide', () => {
  for (const [number, {state, more, timer}] of held) {
    clearTimeout(timer);
    fetch(`/v1/staff/orders/${number}/advance`, {
      method: 'POST', keepalive: true, body: JSON.stringify({state, ...more}),
      headers: {'Content-Type': 'application/json', Authorization: `Bearer ${lastToken ?? token()}`},
    }).catch(() => {});
  }
  held.clear();
});

// Whoever leaves has no token any more when the page goes.
let lastToken = null;
setInterval(() => { lastToken = token() ?? lastToken; }, 1_000);
lastToken = token();
