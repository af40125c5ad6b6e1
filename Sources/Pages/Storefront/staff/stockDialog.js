// A dialog that sets the stock of a dish or an option: the number left now, a number per day, or no counting.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {postAsStaff} from './authentication.js';
import {confirmOverwrite} from './confirmOverwrite.js';

/** @typedef {import('./menuTab.js').Product} Product */
/** @typedef {import('./menuTab.js').ProductKind} ProductKind */

/**
 * Whether a colleague has changed the stock. A lower number alone is no such change, because guests order.
 * @param {Product} before
 * @param {Product | undefined} after
 */
const isChanged = (before, after) => after !== undefined && (
  (before.left == null) !== (after.left == null) || (after.left ?? 0) > (before.left ?? 0)
  || (after.left !== 0 && before.isAvailable !== after.isAvailable));

/** @param {Product} product */
function stockText({left, isAvailable}) {
  if (left != null) return `Stock is counted: ${left} left.`;
  return isAvailable ? 'Stock is not counted.' : 'It is sold out.';
}

/**
 * Asks for the number. `readAgain` reads the dish or option before the save; `onSave` gets its state after the save.
 * @param {ProductKind} kind
 * @param {Product} product
 * @param {{readAgain: () => Promise<Product | undefined>, onSave: (changed: Product) => void}} callbacks
 */
export function openStockDialog(kind, product, {readAgain, onSave}) {
  const count = formField('count', 'How many are there?', {
    inputmode: 'numeric', maxlength: 10, autocomplete: 'off', value: product.left ?? '',
  });
  const stopCounting = el('button.button.plain', {type: 'submit', value: 'none'}, 'Stop counting');
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog.asking.counting', {'aria-labelledby': 'counting', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'counting'}, product.title), count.node,
      el('div.row', {},
        el('button.button', {type: 'submit', value: 'remaining'}, 'Left now'),
        el('button.button', {type: 'submit', value: 'perDay'}, 'Each day'),
        product.left == null ? null : stopCounting,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement) || button.getAttribute('aria-busy') === 'true') return;
    const text = count.input.value.trim();
    if (button.value !== 'none' && !/^\d+$/.test(text)) return showError('Enter a whole number, such as 12.');
    button.setAttribute('aria-busy', 'true');
    try {
      const current = await readAgain();
      if (!await confirmOverwrite(isChanged(product, current), stockText(current ?? product))) return dialog.close();
      const body = button.value === 'none' ? {remaining: null} : {[button.value]: Number(text)};
      onSave(await postAsStaff(`/v1/staff/${kind}/${product.id}/stock`, body));
      dialog.close();
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
    count.showError(text);
    count.input.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
  count.input.focus();
  count.input.select();
}
