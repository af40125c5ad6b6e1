// Detects orders that enter the board or become due on it. A sound announces each of them, in whatever state.

import {isForLater, isNewOrder} from './orderCard.js';

/**
 * Returns {update, markTapped}. `update` returns the numbers of two kinds of orders. `entered`: new on the board since
 * the last update; in the first update only orders that wait for acceptance. `untapped`: accepted automatically, not
 * yet being prepared, and not yet tapped on this page.
 */
export function arrivalTracker() {
  /**
   * The orders of the last update: whether each was for later, by number. Null before the first update.
   * @type {Map<string, boolean> | null}
   */
  let known = null;
  /** @type {Set<string>} */
  const untapped = new Set();

  /** @param {API.Order} order */
  const isArrival = (order) => {
    if (!known) return isNewOrder(order);
    return !known.has(order.number) || (known.get(order.number) && !isForLater(order));
  };

  return {
    /** @param {API.Order[]} open @param {boolean} isAutomatic */
    update(open, isAutomatic) {
      const entered = open.filter(isArrival);
      if (isAutomatic) for (const {number} of entered) untapped.add(number);
      const notStarted = new Set(open.filter(({state}) => state === 'placed' || state === 'accepted')
        .map(({number}) => number));
      for (const number of untapped) if (!notStarted.has(number)) untapped.delete(number);
      known = new Map(open.map((order) => [order.number, isForLater(order)]));
      return {entered: entered.map(({number}) => number), untapped: [...untapped]};
    },
    /**
     * Records that a member tapped the order; returns whether it was untapped.
     * @param {string} number
     */
    markTapped: (number) => untapped.delete(number),
  };
}
