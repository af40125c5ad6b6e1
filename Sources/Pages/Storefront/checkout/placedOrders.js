// The orders placed from this device, newest first, with their order tokens. An order is stored until a day after its
// promised time, or longer if the guest asks for that.

import {read} from '../parts/api.js';
import {dueAt, isClockKnown, serverNow} from '../parts/serverClock.js';
import {loadValue, saveValue} from '../parts/storage.js';

/**
 * An order as the device stores it. `due` and `until` are in milliseconds. Without `until` it is kept until the guest
 * deletes it.
 * @typedef {{id: string, number: string, at: string, due: number, token?: string, until?: number}} PlacedOrder
 */

const orderLimit = 20;
const retention = 24 * 3_600_000;
/** @returns {PlacedOrder[]} */
const allOrders = () => loadValue('orders', []);

/** @param {PlacedOrder[]} orders @param {string} id */
const without = (orders, id) => orders.filter((order) => order.id !== id);

/** @param {PlacedOrder} order */
const isExpired = ({until}) => until !== undefined && until <= serverNow();

/** Reads the server's time if an order seems to be expired: only by the server's clock may an order be deleted. */
export async function ensureClockIsKnown() {
  if (!isClockKnown() && allOrders().some(isExpired)) await read('/v1/shop').catch(() => {});
}

/**
 * The orders, newest first: [{id, number, at, due, token, until}]. `due` and `until` are in milliseconds. An order
 * without `until` is kept until the guest deletes it.
 * @returns {PlacedOrder[]}
 */
export function placedOrders() {
  /** @type {PlacedOrder[]} */
  const all = allOrders();
  const orders = all.filter((order) => !isExpired(order));
  if (orders.length < all.length && isClockKnown()) saveValue('orders', orders.length ? orders : null);
  return orders.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/**
 * The token of an order that was placed here, or null.
 * @param {string} id
 * @returns {string | null}
 */
export const orderToken = (id) => placedOrders().find((order) => order.id === id)?.token ?? null;

/**
 * Whether the guest has asked to keep the order.
 * @param {string} id
 */
export const isKept = (id) => placedOrders().some((order) => order.id === id && order.until === undefined);

/**
 * Stores an order until a day after its promised time, or without limit if the guest asked for that before.
 * @param {API.Order} order
 */
export function rememberOrder(order) {
  const due = dueAt(order);
  /** @type {PlacedOrder} */
  const placed = {id: order.id, number: order.number, at: order.placedAt, due, token: order.accessToken,
    until: isKept(order.id) ? undefined : due + retention};
  saveValue('orders', [placed, ...without(placedOrders(), order.id)].slice(0, orderLimit));
}

/**
 * Keeps an order until the guest deletes it.
 * @param {string} id
 */
export const keepOrder = (id) =>
  saveValue('orders', placedOrders().map((order) => (order.id === id ? {...order, until: undefined} : order)));
