// The orders that were placed from this device, and the one tap that has it forget them, the guest and all else that it keeps.

import {read} from '../api.js';
import {ordering} from '../checkout/attempt.js';
import {startSending} from '../checkout/sending.js';
import {arrange, el, icon} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {patch} from '../parts/patch.js';
import {checkClock, isKept, placedOrders} from '../placed.js';
import {question} from '../question.js';
import {orderAgain} from '../reorder.js';
import {title} from '../router.js';
import {stateWords} from '../states.js';
import {forgetAll, visit} from '../store.js';
import {dateAndTime} from '../when.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

export function ordersScreen(place, route) {
  title(t('Your orders'), {silent: route.isFirst});
  startSending();
  const heading = el('h1', {}, t('Your orders'));
  const forgetting = el('p', {},
    el('button.button.plain', {type: 'button', onclick: forget}, icon('bin'), t('Forget me on this device')));
  const list = el('ul.orders');
  /** The rows by the ids of their orders: a row that stays keeps its focus and its busy button. */
  const rows = new Map();
  let drawn = null, isOver = false;

  function draw() {
    const orders = placedOrders();
    const isPending = ordering.value.attempt !== null;
    const state = JSON.stringify([isPending, orders]);
    if (isOver || state === drawn) return;
    drawn = state;
    for (const order of orders) if (!rows.has(order.id)) rows.set(order.id, row(order));
    const shown = orders.map(({id}) => rows.get(id));
    arrange(list, shown.map(({node}) => node));
    // While an order is on its way, nobody knows that nothing was ordered: the strip says how it stands.
    const content = orders.length ? list
      : isPending ? null : nothingYet(t('Nothing was ordered from this device yet.'));
    const retention = orders.some(({id}) => !isKept(id))
      ? el('p.quiet', {}, t('This device keeps an order for one day after it was due. To keep it longer, open the order.')) : null;
    arrange(place, [heading, content, retention, forgetting].filter(Boolean));
    // One after the other, the newest first; who has seen enough has left.
    const tell = async () => {
      for (const one of shown) if (one.node.isConnected) await one.tell().catch(isUntold);
    };
    tell();
  }

  arrange(place, [heading, forgetting]);
  checkClock().then(draw);
  const stop = ordering.watch(draw);
  if (visit.kept('forgotten')) {
    visit.keep('forgotten', null);
    notice(t('This device has forgotten all your data.'));
  }
  return () => {
    isOver = true;
    stop();
  };
}

/** An order that can't be had now stands there by its number. */
function isUntold(problem) {
  if (problem.code === undefined) throw problem;
}

/** An order of the list: {node, tell}. What it holds and where it is stands there once the shop has told. */
function row({id, number, at, token}) {
  const what = el('div.what');
  const node = el('li', {'data-order': id}, el('a', {href: `#/orders/${id}`}, t('Order {number}', {number})), el('span.quiet', {}, dateAndTime(at)), what);
  const tell = async () => {
    const order = await read(`/v1/orders/${id}`, {token});
    const dishes = [...order.lines.map((line) => `${line.quantity} × ${line.title}`), ...order.sales.map((sale) => sale.title)];
    patch(what, [
      el('p', {}, el('strong', {}, stateWords(order)[0]), ` · ${money(order.total, order)}`),
      el('p.quiet', {}, dishes.join(', ')),
      el('button.button.small.plain', {
        type: 'button', 'aria-label': t('Order {number} again', {number}),
        onclick: (event) => doing(event.currentTarget, () => orderAgain(order)),
      }, t('Order again'))]);
  };
  return {node, tell};
}

/** The page begins anew: its basket, its language and its colours are a newcomer's. */
async function forget() {
  const isSure = await question(t('Forget everything on this device?'),
    t('Your details, the list of your orders, your basket and your favourites are removed from this device. Orders that you have placed stay placed.'),
    {yes: t('Forget everything'), no: t('Keep it')});
  if (!isSure) return;
  await forgetAll();
  visit.keep('forgotten', true);
  location.reload();
}
