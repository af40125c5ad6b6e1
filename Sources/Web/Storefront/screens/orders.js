// The orders that were placed from this device, and the one tap that has it forget them and the guest.

import {orderAgain} from '../again.js';
import {read} from '../api.js';
import {el, fill, icon} from '../dom.js';
import {forgetGuest, keepDraft, rememberedGuest} from '../guest.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {forgetOrders, isKept, placedOrders} from '../placed.js';
import {redraw, title} from '../router.js';
import {stateWords} from '../states.js';
import {locale, t} from '../words.js';
import {nothingYet} from './loading.js';

export function ordersScreen(place, route) {
  title(t('Your orders'), {silent: route.isFirst});
  const orders = placedOrders();
  const rows = orders.map(row);
  fill(place, el('h1', {}, t('Your orders')),
    orders.length ? el('ul.orders', {}, rows.map(({node}) => node)) : nothingYet(t('Nothing was ordered from this device yet.')),
    orders.some(({id}) => !isKept(id)) ? el('p.quiet', {}, t('What was ordered in this visit is forgotten when you close the page, unless you keep it: open the order to do so.')) : null,
    orders.length || rememberedGuest() ? el('p', {}, el('button.button.plain', {type: 'button', onclick: forget}, icon('bin'), t('Forget me on this device'))) : null);
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

function forget() {
  forgetGuest();
  keepDraft(null);
  forgetOrders();
  // The button that was pressed goes, and the heading takes the focus over.
  document.getElementById('main').focus({preventScroll: true});
  redraw();
  notice(t('This device has forgotten your details and your orders.'));
}
