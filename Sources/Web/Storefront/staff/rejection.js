// Why an order is rejected: the guest reads it. A dialog, so that no tap does it by mistake. Used by ticket.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {notice} from '../notice.js';
import {advance} from './orders.js';

const usual = ['We are sold out.', 'We close in a moment.', 'Your address is too far away.'];

/** Asks for the reason, and rejects the order with it. */
export function askReason(order) {
  const reason = field('reason', 'Why? The guest reads this.', {rows: 3, maxlength: 500});
  const button = el('button.button', {type: 'submit'}, 'Reject the order');
  const dialog = el('dialog.asking.rejection', {'aria-labelledby': 'rejection', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'rejection'}, `Reject order ${order.number}`),
      el('div.chips', {role: 'group', 'aria-label': 'The usual reasons'}, usual.map((text) => el('button.chip', {
        type: 'button',
        onclick: () => {
          reason.input.value = text;
          reason.showError(null);
          reason.input.focus();
        },
      }, text))),
      reason.node,
      el('div.row', {}, button, el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Keep it'))));

  async function submit(event) {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      await advance(order.number, 'rejected', reason.input.value);
      dialog.close();
      notice(`Order ${order.number} is rejected.`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      reason.showError(problem.errors.find((error) => error.field === 'reason')?.message ?? problem.detail);
      reason.input.focus();
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
