// The orders placed from this device, and a button that deletes all data on the device.

import {attemptState} from '../checkout/attempt.js';
import {ensureClockIsKnown, isKept, placedOrders} from '../checkout/placedOrders.js';
import {startSending} from '../checkout/startSending.js';
import {Problem, read} from '../parts/api.js';
import {askToConfirm} from '../parts/confirmation.js';
import {el, icon, reconcile} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {setTitle} from '../parts/router.js';
import {emptyState} from '../parts/screenLoading.js';
import {clearStoredData, sessionValues} from '../parts/storage.js';
import {formatDateTime} from '../parts/timeFormat.js';
import {runBusy, showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {orderAgain} from './orderAgain.js';
import {stateText} from './orderStateTexts.js';

/** @typedef {import('../checkout/placedOrders.js').PlacedOrder} PlacedOrder */
/** @typedef {import('../parts/router.js').Route} Route */

/** @param {HTMLElement} container @param {Route} route */
export function orderListScreen(container, route) {
  setTitle(t('Your orders'), {silent: route.isFirst});
  startSending();
  const heading = el('h1', {}, t('Your orders'));
  const forgetButton = el('p', {},
    el('button.button.plain', {type: 'button', onclick: forgetDevice}, icon('bin'), t('Forget me on this device')));
  const list = el('ul.orders');
  /**
   * The rows by order id: a row that stays keeps its focus and its busy button.
   * @type {Map<string, ReturnType<typeof orderRow>>}
   */
  const rows = new Map();
  let drawn = '', isOver = false;

  function draw() {
    const orders = placedOrders();
    const isPending = attemptState.value.attempt !== null;
    const state = JSON.stringify([isPending, orders]);
    if (isOver || state === drawn) return;
    drawn = state;
    const shown = orders.map((order) => {
      const row = rows.get(order.id) ?? orderRow(order);
      rows.set(order.id, row);
      return row;
    });
    reconcile(list, shown.map(({node}) => node));
    // While an order is being sent, "nothing ordered" may be wrong. The strip shows its state.
    const content = orders.length ? list
      : isPending ? null : emptyState(t('Nothing was ordered from this device yet.'));
    const retentionNote = orders.some(({id}) => !isKept(id))
      ? el('p.quiet', {},
        t('This device keeps an order for one day after it was due. To keep it longer, open the order.')) : null;
    reconcile(container, [heading, content, retentionNote, forgetButton].flatMap((node) => node ?? []));
    // Reads one order after another, newest first, until the guest leaves.
    const drawAllDetails = async () => {
      for (const row of shown) if (row.node.isConnected) await row.drawDetails().catch(ignoreProblem);
    };
    void drawAllDetails();
  }

  reconcile(container, [heading, forgetButton]);
  void ensureClockIsKnown().then(draw);
  const stop = attemptState.watch(draw);
  if (sessionValues.load('forgotten')) {
    sessionValues.save('forgotten', null);
    showToast(t('This device has forgotten all your data.'));
  }
  return () => {
    isOver = true;
    stop();
  };
}

/**
 * An order that cannot be read shows only its number.
 * @param {unknown} problem
 */
function ignoreProblem(problem) {
  if (!(problem instanceof Problem)) throw problem;
}

/**
 * A row of the list: {node, drawDetails}. `drawDetails` reads and shows the state and the dishes.
 * @param {PlacedOrder} order
 */
function orderRow({id, number, at, token}) {
  const description = el('div.what');
  const node = el('li', {'data-order': id}, el('a', {href: `#/orders/${id}`}, t('Order {number}', {number})),
    el('span.quiet', {}, formatDateTime(at)), description);
  const drawDetails = async () => {
    const order = await read(`/v1/orders/${id}`, {token});
    const dishes = [...order.lines.map((line) => `${line.quantity} × ${line.title}`),
      ...order.sales.map((sale) => sale.title)];
    patch(description, [
      el('p', {}, el('strong', {}, stateText(order)[0]), ` · ${money(order.total, order)}`),
      el('p.quiet', {}, dishes.join(', ')),
      el('button.button.small.plain', {
        type: 'button', 'aria-label': t('Order {number} again', {number}),
        onclick: (event) => runBusy(event.currentTarget, () => orderAgain(order)),
      }, t('Order again'))]);
  };
  return {node, drawDetails};
}

/** Deletes everything and reloads the page, which then has default settings. */
async function forgetDevice() {
  const isSure = await askToConfirm(t('Forget everything on this device?'),
    `${t('Your details, the list of your orders, your basket and your favourites are removed from this device.')} ${
      t('Orders that you have placed stay placed.')}`,
    {yes: t('Forget everything'), no: t('Keep it')});
  if (!isSure) return;
  await clearStoredData();
  sessionValues.save('forgotten', true);
  location.reload();
}
