// Dialogs about an open order: they close when the order is over, because nothing can be done with it any more.

import {notice} from '../notice.js';
import {orders} from './orders.js';

/** The order as the board knows it now; undefined if it is not open any more. */
export const openOrder = ({number}) => orders.value?.open.find((one) => one.number === number);

/** Closes a dialog when its order is over. */
export function closeWithOrder(dialog, order) {
  const stop = orders.watch(() => {
    if (openOrder(order)) return;
    dialog.close();
    notice(`Order ${order.number} is already finished.`, {isProblem: true});
  });
  dialog.addEventListener('close', stop, {once: true});
}
