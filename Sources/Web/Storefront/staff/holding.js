// A rejection can't be taken back: its guest is told at once. So it waits here for ten seconds before it is sent, and is sent at once when the
// page is left. Used by rejection.js, which asks why, and by ticket.js, which shows what waits.

import {now} from '../clock.js';
import {notice, trying} from '../notice.js';
import {token} from './door.js';
import {advance, orders} from './orders.js';

const wait = 10_000;
const held = new Map();

/** What waits to be sent of an order: {more, until}; null for nothing. */
export const heldOf = ({number}) => held.get(number) ?? null;

/** Tells the board to draw again. */
const shown = () => orders.value && orders.set({...orders.value, isOurs: true});

/** Rejects an order in ten seconds. */
export function holdRejection(number, more) {
  letGo(number);
  held.set(number, {more, until: now() + wait, timer: setTimeout(() => send(number), wait)});
  shown();
}

/** It stays as it is. */
export function letGo(number) {
  clearTimeout(held.get(number)?.timer);
  if (held.delete(number)) shown();
}

async function send(number) {
  const {more} = held.get(number);
  held.delete(number);
  await trying(async () => {
    await advance(number, 'rejected', more);
    notice(`Order ${number} is rejected.`);
  });
  shown();
}

addEventListener('pagehide', () => {
  for (const [number, {more, timer}] of held) {
    clearTimeout(timer);
    fetch(`/v1/staff/orders/${number}/advance`, {
      method: 'POST', keepalive: true, body: JSON.stringify({state: 'rejected', ...more}),
      headers: {'Content-Type': 'application/json', Authorization: `Bearer ${lastToken ?? token()}`},
    }).catch(() => {});
  }
  held.clear();
});

// Whoever leaves has no token any more when the page goes.
let lastToken = null;
setInterval(() => { lastToken = token() ?? lastToken; }, 1_000);
lastToken = token();
