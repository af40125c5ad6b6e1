// A dialog that delays an order, with a reason that the guest reads.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {dueAt, serverNow} from '../parts/serverClock.js';
import {formatTime} from '../parts/timeFormat.js';
import {showToast} from '../parts/toast.js';
import {delayOrder} from './boardOrders.js';
import {closeWhenOrderEnds, findOpenOrder} from './closeWhenOrderEnds.js';
import {reasonChips} from './rejectionDialog.js';

const commonReasons = ['It is very busy tonight.', 'The courier is delayed.', 'A dish has to be made again.'];

/**
 * Asks for the new time and the reason, and delays the order.
 * @param {API.Order} order
 */
export function openDelayDialog(order) {
  const reason = formField('delay-reason', 'Why? The guest reads this.', {rows: 2, maxlength: 200});
  const currentTime = el('p.quiet');
  const buttons = [10, 20, 30, 45].map((minutes) => el('button.button', {type: 'submit', value: minutes}));
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog.asking.delaying', {'aria-labelledby': 'delaying', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'delaying'}, `Delay order ${order.number}`),
      currentTime,
      reasonChips(commonReasons, reason), reason.node,
      el('div.row', {}, buttons,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  /** Writes the promised time and the times that the buttons offer. */
  function updateTimes() {
    const base = Math.max(dueAt(order), serverNow());
    currentTime.textContent = `Promised for ${formatTime(dueAt(order))}.`;
    for (const button of buttons) button.textContent = `By ${formatTime(base + Number(button.value) * 60_000)}`;
  }

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement) || button.getAttribute('aria-busy') === 'true') return;
    if (!reason.value) return showError('Tell the guest why.');
    const current = findOpenOrder(order) ?? order;
    if (current.readyAt !== order.readyAt) {
      order = current;
      updateTimes();
      return showError('A colleague has changed the time in the meantime. Please check it and choose again.');
    }
    button.setAttribute('aria-busy', 'true');
    try {
      await delayOrder(order.number, Number(button.value), reason.value);
      dialog.close();
      showToast(`The guest of order ${order.number} has been notified.`);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
    return undefined;
  }

  /** @param {string} text */
  function showError(text) {
    reason.showError(text);
    reason.input.focus();
  }

  updateTimes();
  closeWhenOrderEnds(dialog, order);
  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
