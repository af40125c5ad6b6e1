// Starts what sends an order and shows its state above the screens. Most visits order nothing, so app.js loads this part
// only when an order is pending, and the checkout and the list of orders load it with themselves.

import {startOrdering} from './attempt.js';
import {startStrip} from './strip.js';

let isStarted = false;

/** Starts both, once. `isOtherTabs`: another tab has just begun the pending order and is sending it. */
export function startSending({isOtherTabs = false} = {}) {
  if (isStarted) return;
  isStarted = true;
  startStrip(document.getElementById('order-strip'));
  startOrdering({isOtherTabs});
}
