// The shop's clock: a kitchen's tablet or a guest's telephone may go minutes wrong, and what is late is late by the server's time.
// Taught by api.js; used where something is due.

let ahead = 0, isTaught = false;

/** Milliseconds since 1970, by the server's clock. */
export const now = () => Date.now() + ahead;

/** Whether the server has told the time. Until then the device's clock may be days wrong. */
export const isClockKnown = () => isTaught;

/** Learns the time from an answer's headers; one that lay in somebody's cache (RFC 9111, section 5.1) tells an older one. */
export function learn(headers) {
  const told = Date.parse(headers.get('Date'));
  // It is told in whole seconds: half of one more is nearest.
  if (Number.isNaN(told) || headers.has('Age')) return;
  ahead = told + 500 - Date.now();
  isTaught = true;
}

/** When an order was promised, in the same milliseconds. */
export const dueAt = (order) => Date.parse(order.readyAt);

/** The order of two orders by when they were placed; not by the texts, for a whole second is written without a fraction. */
export const byTime = (one, other) => Date.parse(one.placedAt) - Date.parse(other.placedAt) || one.number.localeCompare(other.number);
