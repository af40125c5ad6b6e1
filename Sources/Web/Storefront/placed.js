// The orders placed from this device, newest first, with the tokens that show their details. Used by the order screens.

import {keep, kept} from './store.js';

/** [{id, number, at, token}] */
export const placedOrders = () => kept('orders', []);

/** The token of an order that was placed here. */
export const tokenOf = (id) => placedOrders().find((order) => order.id === id)?.token ?? null;

/** Keeps an order's token; the newest twenty stay. */
export function remember(order) {
  const others = placedOrders().filter((other) => other.id !== order.id);
  keep('orders', [{id: order.id, number: order.number, at: order.placedAt, token: order.accessToken}, ...others].slice(0, 20));
}
