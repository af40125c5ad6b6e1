// The orders placed from this device, newest first, with the tokens that show their details: for this visit, and where the guest asks for it
// until they are forgotten. Used by the checkout and the order screens.

import {keep, kept, visit} from './store.js';

const most = 20;
const without = (orders, id) => orders.filter((order) => order.id !== id);

/** [{id, number, at, token}] */
export function placedOrders() {
  const forGood = kept('orders', []);
  const ids = new Set(forGood.map(({id}) => id));
  return [...visit.kept('orders', []).filter(({id}) => !ids.has(id)), ...forGood].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, most);
}

/** The token of an order that was placed here. */
export const tokenOf = (id) => placedOrders().find((order) => order.id === id)?.token ?? null;

/** Whether it is still known when the tab is closed. */
export const isKept = (id) => kept('orders', []).some((order) => order.id === id);

/** Remembers an order for this visit. */
export const remember = (order) => visit.keep('orders',
  [{id: order.id, number: order.number, at: order.placedAt, token: order.accessToken}, ...without(visit.kept('orders', []), order.id)].slice(0, most));

/** Keeps what this visit knows of an order on the device. */
export function keepOrder(id) {
  const order = placedOrders().find((one) => one.id === id);
  if (order) keep('orders', [order, ...without(kept('orders', []), id)].slice(0, most));
}

/** Forgets all of them; the orders themselves go on. */
export function forgetOrders() {
  keep('orders', null);
  visit.keep('orders', null);
}
