// A dialog that rejects an order with a reason that the guest reads. It prevents a rejection by a single wrong tap.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {rejectOrder} from './boardOrders.js';
import {closeWhenOrderEnds} from './closeWhenOrderEnds.js';
import {orderStates} from './orderStates.js';

/** @typedef {import('../parts/formField.js').FormField} FormField */

const commonReasons = ['We are sold out.', 'We are about to close.', 'Your address is too far away.'];

/**
 * Chips that fill the reason field with a common reason.
 * @param {string[]} texts
 * @param {FormField} reason
 */
export const reasonChips = (texts, reason) => {
  /** @param {string} text */
  const chip = (text) => el('button.chip', {
    type: 'button',
    onclick: () => {
      reason.input.value = text;
      reason.showError(null);
      reason.input.focus();
    },
  }, text);
  return el('div.chips', {role: 'group', 'aria-label': 'Common reasons'}, texts.map(chip));
};

/**
 * Asks for the reason, and requests the rejection of the order.
 * @param {API.Order} order
 */
export function openRejectionDialog(order) {
  const reason = formField('reason', 'Why? The guest reads this.', {rows: 3, maxlength: 500});
  const wasted = formField('wasted', 'The food is wasted: do not return it to stock',
    {type: 'checkbox', optional: true});
  wasted.value = Boolean(orderStates[order.state]?.isCooked);
  const button = el('button.button', {type: 'submit'}, 'Reject the order');
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog.asking.rejection', {'aria-labelledby': 'rejection', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'rejection'}, `Reject order ${order.number}`),
      reasonChips(commonReasons, reason), reason.node, order.state === 'placed' ? null : wasted.node,
      el('div.row', {}, button,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Keep the order'))));

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    if (!reason.value) return showError('Tell the guest why.');
    button.setAttribute('aria-busy', 'true');
    try {
      const foodIsWasted = order.state === 'placed' ? {} : {foodIsWasted: wasted.value};
      await rejectOrder(order.number, {reason: reason.value, ...foodIsWasted});
      dialog.close();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  /** @param {string} text */
  function showError(text) {
    reason.showError(text);
    reason.input.focus();
  }

  closeWhenOrderEnds(dialog, order);
  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
