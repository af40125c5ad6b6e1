// By how much an order takes longer, and why: the guest reads it. A dialog. Used by ticket.js.

import {dueAt, now} from '../clock.js';
import {el} from '../dom.js';
import {field} from '../field.js';
import {notice} from '../notice.js';
import {time} from '../when.js';
import {delay} from './orders.js';
import {reasonChips} from './rejection.js';

const usual = ['It is very busy tonight.', 'The courier is held up.', 'Something has to be cooked again.'];

/** Asks for the time and the reason, and delays the order. */
export function askDelay(order) {
  const reason = field('delay-reason', 'Why? The guest reads this.', {rows: 2, maxlength: 200});
  const from = Math.max(dueAt(order), now());
  const dialog = el('dialog.asking.delaying', {'aria-labelledby': 'delaying', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'delaying'}, `Order ${order.number} takes longer`),
      el('p.quiet', {}, `It is promised by ${time(dueAt(order))}.`),
      reasonChips(usual, reason), reason.node,
      el('div.row', {}, [10, 20, 30, 45].map((minutes) => el('button.button', {type: 'submit', value: minutes}, `By ${time(from + minutes * 60_000)}`)),
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button.getAttribute('aria-busy') === 'true') return;
    if (!reason.value) return refuse('Tell the guest why.');
    button.setAttribute('aria-busy', 'true');
    try {
      await delay(order.number, Number(button.value), reason.value);
      dialog.close();
      notice(`The guest of order ${order.number} is told.`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function refuse(why) {
    reason.showError(why);
    reason.input.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
