// "Order again": adds the dishes of an order to the basket, and shows what is missing or has another price.

import {addDish, addSale, basketLine, basketSale, quantityOf, refreshBasket} from '../basket/basket.js';
import {customUnits} from '../dish/dishRequest.js';
import {Problem} from '../parts/api.js';
import {money} from '../parts/money.js';
import {navigate} from '../parts/router.js';
import {sessionValues} from '../parts/storage.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';

/**
 * The quantities before a failed "Order again" of this order, by the index of the line.
 * @param {API.Order} order
 * @returns {Promise<Record<number, number>>}
 */
async function quantitiesBefore({id}) {
  const last = sessionValues.load('again');
  if (last?.order !== id) return {};
  // Only the server knows whether a line was added whose answer was lost.
  await refreshBasket();
  return last.held;
}

/**
 * The running "Order again" of each order.
 * @type {Map<string, Promise<void>>}
 */
const pending = new Map();

/**
 * Adds the available dishes of this order to the basket. A second tap, on any screen, joins the first one.
 * @param {API.Order} order
 */
export function orderAgain(order) {
  if (!pending.has(order.id)) pending.set(order.id, addToBasket(order).finally(() => pending.delete(order.id)));
  return pending.get(order.id);
}

/** @param {API.Order} order */
async function addToBasket(order) {
  /** @type {string[]} */
  const missing = [];
  /** @param {string} name @param {Promise<unknown>} action */
  const collectFailure = (name, action) => action.catch((problem) => {
    if (!(problem instanceof Problem) || problem.isTransient) throw problem;
    if (problem.code !== 'sale_already_in_basket') missing.push(name);
  });
  const held = await quantitiesBefore(order);
  for (const [index, line] of order.lines.entries()) {
    const quantity = quantityOf(line);
    // An earlier attempt, which failed later, has already added this line.
    if (quantity >= held[index] + line.quantity) continue;
    held[index] = quantity;
    sessionValues.save('again', {order: order.id, held});
    await collectFailure(line.title, addDish(line, line.quantity));
  }
  for (const sale of order.sales) await collectFailure(sale.title, addSale(sale.salesGroupId, customUnits(sale)));
  sessionValues.save('again', null);
  /** @type {string[]} */
  const changed = [];
  /** @param {number} many */
  const names = (many) => missing.slice(0, many).join(', ');
  if (missing.length > 3) {
    changed.push(t('Not available today: {titles} and {count} more.', {titles: names(2), count: missing.length - 2}));
  } else if (missing.length) changed.push(t('Not available today: {titles}.', {titles: names(3)}));
  /** @param {{title: string}} entry @param {number} before @param {number | undefined} price */
  const notePriceChange = ({title}, before, price) => {
    if (price !== undefined && price !== before) {
      changed.push(t('{title} costs {amount} now.', {title, amount: money(price, order)}));
    }
  };
  for (const line of order.lines) notePriceChange(line, line.unitPrice, basketLine(line)?.unitPrice);
  for (const sale of order.sales) notePriceChange(sale, sale.total, basketSale(sale.salesGroupId)?.total);
  navigate('#/basket');
  showToast(changed.slice(0, 4).join(' ') || t('Everything is in the basket.'), {isProblem: changed.length > 0});
}
