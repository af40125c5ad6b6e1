// An order once more: what it held goes into the basket, and what is another way now is said. Used by the order's screen and the list of orders.

import {addDish, addSale, heldLine, heldSale} from './basket.js';
import {unitsOf} from './chosen.js';
import {money} from './money.js';
import {notice} from './notice.js';
import {go} from './router.js';
import {t} from './words.js';

/** What this order held, into the basket, as far as it is still to be had. */
export async function orderAgain(order) {
  const missing = [];
  const attempt = (name, work) => work.catch((problem) => {
    if (problem.code === undefined || problem.passes) throw problem;
    if (problem.code !== 'sale_already_in_basket') missing.push(name);
  });
  for (const line of order.lines) await attempt(line.title, addDish(line, line.quantity));
  for (const sale of order.sales) await attempt(sale.title, addSale(sale.salesGroupId, unitsOf(sale)));
  const changed = [];
  const names = (many) => missing.slice(0, many).join(', ');
  if (missing.length > 3) changed.push(t('Not to be had today: {titles} and {count} more.', {titles: names(2), count: missing.length - 2}));
  else if (missing.length) changed.push(t('Not to be had today: {titles}.', {titles: names(3)}));
  const costs = ({title}, before, price) => {
    if (price !== undefined && price !== before) changed.push(t('{title} costs {amount} now.', {title, amount: money(price, order)}));
  };
  for (const line of order.lines) costs(line, line.unitPrice, heldLine(line)?.unitPrice);
  for (const sale of order.sales) costs(sale, sale.total, heldSale(sale.salesGroupId)?.total);
  go('#/basket');
  notice(changed.slice(0, 4).join(' ') || t('It is all in the basket.'), {isProblem: changed.length > 0});
}
