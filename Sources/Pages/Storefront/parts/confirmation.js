// A confirmation dialog for actions that cannot be undone.

import {el} from './dom.js';

/**
 * Resolves to whether the guest chose `yes`. The harmless answer has the focus, and Escape means no. `signal` closes
 * the dialog with a no when the question becomes irrelevant.
 * @param {string} heading
 * @param {string} text
 * @param {{yes: string, no: string, signal?: AbortSignal | null}} options
 * @returns {Promise<boolean>}
 */
export function askToConfirm(heading, text, {yes, no, signal = null}) {
  return new Promise((resolve) => {
    /** @type {HTMLButtonElement} */
    const keep = el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, no);
    /** @type {HTMLDialogElement} */
    const dialog = el('dialog.asking', {
      'aria-labelledby': 'question', 'aria-describedby': 'question-text',
      onclose: () => {
        dialog.remove();
        resolve(dialog.returnValue === 'yes');
      },
    },
    el('h2', {id: 'question'}, heading), el('p', {id: 'question-text'}, text),
    el('div.row', {}, keep, el('button.button.danger', {type: 'button', onclick: () => dialog.close('yes')}, yes)));
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
    if (signal?.aborted) dialog.close();
    else signal?.addEventListener('abort', () => dialog.close(), {once: true});
  });
}
