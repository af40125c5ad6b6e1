// The orders that were placed from this device, and the one tap that has it forget them, the guest and all else that it keeps.

import {read} from '../api.js';
import {el, fill, icon} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {isKept, placedOrders} from '../placed.js';
import {orderAgain} from '../reorder.js';
import {title} from '../router.js';
import {stateWords} from '../states.js';
import {forgetAll, visit} from '../store.js';
import {locale, t} from '../words.js';
import {nothingYet} from './loading.js';

export function ordersScreen(place, route) {
  title(t('Your orders'), {silent: route.isFirst});
  const orders = placedOrders();
  const rows = orders.map(row);
  fill(place, el('h1', {}, t('Your orders')),
    orders.length ? el('ul.orders', {}, rows.map(({node}) => node)) : nothingYet(t('Nothing was ordered from this device yet.')),
    orders.some(({id}) => !isKept(id)) ? el('p.quiet', {}, t('An order is forgotten here a day after it was due, unless you keep it: open the order to do so.')) : null,
    el('p', {}, el('button.button.plain', {type: 'button', onclick: forget}, icon('bin'), t('Forget me on this device'))));
  if (visit.kept('forgotten')) {
    visit.keep('forgotten', null);
    notice(t('This device has forgotten all that it knew of you.'));
  }
  // One after the other, the newest first; who has seen enough has left.
  const tell = async () => {
    for (const one of rows) if (one.node.isConnected) await one.tell().catch(isUntold);
  };
  tell();
}

/** An order that can't be had now stands there by its number. */
function isUntold(problem) {
  if (problem.code === undefined) throw problem;
}

const moment = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'});

/** An order of the list: {node, tell}. What it holds and where it is stands there once the shop has told. */
function row({id, number, at, token}) {
  const what = el('div.what');
  const node = el('li', {'data-order': id}, el('a', {href: `#/orders/${id}`}, t('Order {number}', {number})), el('span.quiet', {}, moment.format(new Date(at))), what);
  const tell = async () => {
    const order = await read(`/v1/orders/${id}`, {token});
    const dishes = [...order.lines.map((line) => `${line.quantity} × ${line.title}`), ...order.sales.map((sale) => sale.title)];
    fill(what,
      el('p', {}, el('strong', {}, stateWords(order)[0]), ` · ${money(order.total, order)}`),
      el('p.quiet', {}, dishes.join(', ')),
      el('button.button.small.plain', {type: 'button', 'aria-label': t('Order {number} again', {number}), onclick: (event) => doing(event.currentTarget, () => orderAgain(order))}, t('Order again')));
  };
  return {node, tell};
}

/** The page begins anew: its basket, its language and its colours are a newcomer's. */
function forget() {
  forgetAll();
  visit.keep('forgotten', true);
  location.reload();
}
