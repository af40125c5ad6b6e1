// The orders placed from this device, newest first, with the tokens that show their details: for a day after they are due, and where the guest asks
// for it until they are forgotten. Used by the checkout, the order screens, and home for what is on its way.

import {read} from './api.js';
import {dueAt, isClockKnown, now} from './clock.js';
import {keep, kept} from './store.js';

const most = 20;
const aDay = 24 * 3_600_000;
const without = (orders, id) => orders.filter((order) => order.id !== id);

const isExpired = ({until}) => until !== undefined && until <= now();

/** Asks the server for the time if the device's clock would hide an order: only the server's clock deletes one. */
export async function checkClock() {
  if (!isClockKnown() && kept('orders', []).some(isExpired)) await read('/v1/shop').catch(() => {});
}

/** [{id, number, at, due, token, until}]: `due` and `until` in milliseconds; one without `until` the guest has asked to keep. */
export function placedOrders() {
  const all = kept('orders', []);
  const orders = all.filter((order) => !isExpired(order));
  if (orders.length < all.length && isClockKnown()) keep('orders', orders.length ? orders : null);
  return orders.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The token of an order that was placed here. */
export const tokenOf = (id) => placedOrders().find((order) => order.id === id)?.token ?? null;

/** Whether the guest has asked to keep it. */
export const isKept = (id) => placedOrders().some((order) => order.id === id && order.until === undefined);

/** Remembers an order until a day after it is due, or for as long as was asked for before. */
export function remember(order) {
  const due = dueAt(order);
  const placed = {id: order.id, number: order.number, at: order.placedAt, due, token: order.accessToken, until: isKept(order.id) ? undefined : due + aDay};
  keep('orders', [placed, ...without(placedOrders(), order.id)].slice(0, most));
}

/** Keeps an order until the guest has it forgotten. */
export const keepOrder = (id) => keep('orders', placedOrders().map((order) => (order.id === id ? {...order, until: undefined} : order)));
