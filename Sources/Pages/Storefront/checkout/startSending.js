// Starts the sending of orders and the strip that shows its state. Most visits order nothing, so app.js loads this
// module only when an order is pending.

import {required} from '../parts/required.js';
import {startAttemptMonitor} from './attempt.js';
import {startOrderStrip} from './orderStrip.js';

let isStarted = false;

/**
 * Starts the sending and the strip, once. `isOtherTabs`: another tab is sending the pending order.
 * @param {{isOtherTabs?: boolean}} options
 */
export function startSending({isOtherTabs = false} = {}) {
  if (isStarted) return;
  isStarted = true;
  startOrderStrip(required(document.getElementById('order-strip')));
  void startAttemptMonitor({isOtherTabs});
}
