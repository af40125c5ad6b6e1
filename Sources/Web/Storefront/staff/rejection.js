// Why an order is rejected: the guest reads it. A dialog, so that no tap does it by mistake. Used by ticket.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {closeWithOrder} from './openorder.js';
import {reject} from './orders.js';

const usual = ['We are sold out.', 'We are about to close.', 'Your address is too far away.'];

/** The chips that write one of the usual reasons. */
export const reasonChips = (texts, reason) => el('div.chips', {role: 'group', 'aria-label': 'Common reasons'}, texts.map((text) => el('button.chip', {
  type: 'button',
  onclick: () => {
    reason.input.value = text;
    reason.showError(null);
    reason.input.focus();
  },
}, text)));

/** Asks for the reason, and requests the rejection of the order with it. */
export function askReason(order) {
  const reason = field('reason', 'Why? The guest reads this.', {rows: 3, maxlength: 500});
  const wasted = field('wasted', 'The food is wasted: do not return it to stock', {type: 'checkbox', optional: true});
  wasted.value = ['preparing', 'on_the_way'].includes(order.state);
  const dialog = el('dialog.asking.rejection', {'aria-labelledby': 'rejection', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'rejection'}, `Reject order ${order.number}`),
      reasonChips(usual, reason), reason.node, order.state === 'placed' ? null : wasted.node,
      el('div.row', {}, el('button.button', {type: 'submit'}, 'Reject the order'),
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Keep the order'))));

  async function submit(event) {
    event.preventDefault();
    const button = event.target.querySelector('[type=submit]');
    if (button.getAttribute('aria-busy') === 'true') return;
    if (!reason.value) return refuse('Tell the guest why.');
    button.setAttribute('aria-busy', 'true');
    try {
      await reject(order.number, {reason: reason.value, ...order.state === 'placed' ? {} : {foodIsWasted: wasted.value}});
      dialog.close();
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

  closeWithOrder(dialog, order);
  document.body.append(dialog);
  dialog.showModal();
  reason.input.focus();
}
