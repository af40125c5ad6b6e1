// An order once more: what it held goes into the basket, and what is another way now is said. Used by the order's screen and the list of orders.

import {addDish, addSale, heldLine, heldSale, quantityOf, refresh} from './basket.js';
import {unitsOf} from './chosen.js';
import {money} from './money.js';
import {notice} from './notice.js';
import {go} from './router.js';
import {visit} from './store.js';
import {t} from './words.js';

/** By the index of a line, how many of its dish the basket held before a failed "Order again" of this order. */
async function heldBefore({id}) {
  const last = visit.kept('again');
  if (last?.order !== id) return {};
  // Only the server knows whether a line was added whose answer was lost.
  await refresh();
  return last.held;
}

/** By order, the "Order again" that is under way. */
const running = new Map();

/** Puts what this order held into the basket, as far as it is still to be had. A second tap, on any screen, joins the
 *  first one. */
export function orderAgain(order) {
  if (!running.has(order.id)) running.set(order.id, addAgain(order).finally(() => running.delete(order.id)));
  return running.get(order.id);
}

async function addAgain(order) {
  const missing = [];
  const attempt = (name, work) => work.catch((problem) => {
    if (problem.code === undefined || problem.passes) throw problem;
    if (problem.code !== 'sale_already_in_basket') missing.push(name);
  });
  const held = await heldBefore(order);
  for (const [index, line] of order.lines.entries()) {
    const quantity = quantityOf(line);
    // A failed attempt has added it.
    if (quantity >= held[index] + line.quantity) continue;
    held[index] = quantity;
    visit.keep('again', {order: order.id, held});
    await attempt(line.title, addDish(line, line.quantity));
  }
  for (const sale of order.sales) await attempt(sale.title, addSale(sale.salesGroupId, unitsOf(sale)));
  visit.keep('again', null);
  const changed = [];
  const names = (many) => missing.slice(0, many).join(', ');
  if (missing.length > 3) changed.push(t('Not available today: {titles} and {count} more.', {titles: names(2), count: missing.length - 2}));
  else if (missing.length) changed.push(t('Not available today: {titles}.', {titles: names(3)}));
  const costs = ({title}, before, price) => {
    if (price !== undefined && price !== before) changed.push(t('{title} costs {amount} now.', {title, amount: money(price, order)}));
  };
  for (const line of order.lines) costs(line, line.unitPrice, heldLine(line)?.unitPrice);
  for (const sale of order.sales) costs(sale, sale.total, heldSale(sale.salesGroupId)?.total);
  go('#/basket');
  notice(changed.slice(0, 4).join(' ') || t('Everything is in the basket.'), {isProblem: changed.length > 0});
}
