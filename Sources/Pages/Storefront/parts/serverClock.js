// The server's clock. The clock of a device may be minutes off, and an order is late by the server's time.

let clockOffset = 0, isOffsetKnown = false;

/**
 * Milliseconds since 1970, by the server's clock.
 * @type {() => number}
 */
export const serverNow = () => Date.now() + clockOffset;

/** Whether the server's time is known. Until then the device's clock may be days off. */
export const isClockKnown = () => isOffsetKnown;

/**
 * Sets the clock from the headers of an answer. An answer from a cache has an Age header (RFC 9111, section 5.1) and an
 * old time.
 * @param {Headers} headers
 */
export function syncClock(headers) {
  const serverTime = Date.parse(headers.get('Date') ?? '');
  // The header has whole seconds: adding half a second gives the smallest error.
  if (Number.isNaN(serverTime) || headers.has('Age')) return;
  clockOffset = serverTime + 500 - Date.now();
  isOffsetKnown = true;
}

/**
 * The promised time of an order, in milliseconds since 1970.
 * @type {(order: {readyAt: string}) => number}
 */
export const dueAt = (order) => Date.parse(order.readyAt);

/** @typedef {{placedAt: string, number: string}} PlacedOrder */

/**
 * Compares orders by the time of placement. Parses the times, because whole seconds are written without a fraction.
 * @type {(a: PlacedOrder, b: PlacedOrder) => number}
 */
export const byPlacedAt = (a, b) => Date.parse(a.placedAt) - Date.parse(b.placedAt)
  || a.number.localeCompare(b.number);
