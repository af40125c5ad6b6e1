// Closes dialogs about an open order when the order ends, because the dialog's action is then impossible.

import {showToast} from '../parts/toast.js';
import {boardOrders} from './boardOrders.js';

/**
 * The current state of an order on the board; undefined if the order is not open any more.
 * @param {API.Order} order
 */
export const findOpenOrder = ({number}) => boardOrders.value?.open.find((order) => order.number === number);

/**
 * Closes a dialog when its order ends.
 * @param {HTMLDialogElement} dialog
 * @param {API.Order} order
 */
export function closeWhenOrderEnds(dialog, order) {
  const unwatch = boardOrders.watch(() => {
    if (findOpenOrder(order)) return;
    dialog.close();
    showToast(`Order ${order.number} is already finished.`, {isProblem: true});
  });
  dialog.addEventListener('close', unwatch, {once: true});
}
