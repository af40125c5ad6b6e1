// Why an order is rejected: the guest reads it. A dialog, so that no tap does it by mistake. Used by ticket.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {hold} from './holding.js';

const usual = ['We are sold out.', 'We close in a moment.', 'Your address is too far away.'];

/** The chips that write one of the usual reasons. */
export const reasonChips = (texts, reason) => el('div.chips', {role: 'group', 'aria-label': 'The usual reasons'}, texts.map((text) => el('button.chip', {
  type: 'button',
  onclick: () => {
    reason.input.value = text;
    reason.showError(null);
    reason.input.focus();
  },
}, text)));

/** Asks for the reason, and rejects the order with it. */
export function askReason(order) {
  const reason = field('reason', 'Why? The guest reads this.', {rows: 3, maxlength: 500});
  const wasted = field('wasted', 'The food is wasted: its stock does not come back', {type: 'checkbox', optional: true});
  wasted.value = ['preparing', 'on_the_way'].includes(order.state);
  const dialog = el('dialog.asking.rejection', {'aria-labelledby': 'rejection', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'rejection'}, `Reject order ${order.number}`),
      reasonChips(usual, reason), reason.node, order.state === 'placed' ? null : wasted.node,
      el('div.row', {}, el('button.button', {type: 'submit'}, 'Reject the order'),
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Keep it'))));

  function submit(event) {
    event.preventDefault();
    if (!reason.value) {
      reason.showError('Tell the guest why.');
      return reason.input.focus();
    }
    dialog.close();
    return hold(order.number, 'rejected', `Order ${order.number} is rejected.`, {reason: reason.value, ...order.state === 'placed' ? {} : {foodIsWasted: wasted.value}});
  }

  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
