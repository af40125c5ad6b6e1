// Which orders enter the board, or become due on it, so that each is heard in whatever state it is.

import {isLater, isNew} from './ticket.js';

/** {look, tap}. `look` returns the numbers of the orders that have `entered` since it looked last, and of those that
 *  are `untapped`: the shop accepts them automatically, no member of staff has tapped them here, and nobody has begun
 *  to prepare them. On the first look only orders that wait for their acceptance have entered. */
export function arrivals() {
  /** The orders of the last look by number, each with whether it was for later; null before the first look. */
  let known = null;
  const untapped = new Set();

  const isArrival = (order) => {
    if (!known) return isNew(order);
    return !known.has(order.number) || (known.get(order.number) && !isLater(order));
  };

  return {
    look(open, isAutomatic) {
      const entered = open.filter(isArrival);
      if (isAutomatic) for (const {number} of entered) untapped.add(number);
      const unbegun = new Set(open.filter(({state}) => state === 'placed' || state === 'accepted').map(({number}) => number));
      for (const number of untapped) if (!unbegun.has(number)) untapped.delete(number);
      known = new Map(open.map((order) => [order.number, isLater(order)]));
      return {entered: entered.map(({number}) => number), untapped: [...untapped]};
    },
    /** Somebody has tapped an order; returns whether it was untapped. */
    tap: (number) => untapped.delete(number),
  };
}
