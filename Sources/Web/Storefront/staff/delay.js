// By how much an order takes longer, and why: the guest reads it. A dialog. Used by ticket.js.

import {dueAt, now} from '../clock.js';
import {el} from '../dom.js';
import {field} from '../field.js';
import {notice} from '../notice.js';
import {time} from '../when.js';
import {closeWithOrder, openOrder} from './openorder.js';
import {delay} from './orders.js';
import {reasonChips} from './rejection.js';

const usual = ['It is very busy tonight.', 'The courier is delayed.', 'A dish has to be made again.'];

/** Asks for the time and the reason, and delays the order. */
export function askDelay(order) {
  const reason = field('delay-reason', 'Why? The guest reads this.', {rows: 2, maxlength: 200});
  const promised = el('p.quiet');
  const buttons = [10, 20, 30, 45].map((minutes) => el('button.button', {type: 'submit', value: minutes}));
  const dialog = el('dialog.asking.delaying', {'aria-labelledby': 'delaying', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'delaying'}, `Delay order ${order.number}`),
      promised,
      reasonChips(usual, reason), reason.node,
      el('div.row', {}, buttons,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  /** Writes the times that the buttons promise. */
  function drawTimes() {
    const from = Math.max(dueAt(order), now());
    promised.textContent = `Promised for ${time(dueAt(order))}.`;
    for (const button of buttons) button.textContent = `By ${time(from + Number(button.value) * 60_000)}`;
  }

  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button.getAttribute('aria-busy') === 'true') return;
    if (!reason.value) return refuse('Tell the guest why.');
    const newest = openOrder(order) ?? order;
    if (newest.readyAt !== order.readyAt) {
      order = newest;
      drawTimes();
      return refuse('A colleague has changed the time in the meantime. Please check it and choose again.');
    }
    button.setAttribute('aria-busy', 'true');
    try {
      await delay(order.number, Number(button.value), reason.value);
      dialog.close();
      notice(`The guest of order ${order.number} has been notified.`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
    return undefined;
  }

  function refuse(why) {
    reason.showError(why);
    reason.input.focus();
  }

  drawTimes();
  closeWithOrder(dialog, order);
  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
