// Asks before something is done that can't be undone. Used by the order and the basket.

import {el} from './dom.js';

/** A dialog with two answers; the harmless one has the focus, and is what Escape says. Resolves to whether it was
 *  `yes`. The `signal` closes the dialog when the question has no meaning any more, which is a no. */
export function question(heading, text, {yes, no, signal = null}) {
  return new Promise((resolve) => {
    const keep = el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, no);
    const dialog = el('dialog.asking', {
      'aria-labelledby': 'question', 'aria-describedby': 'question-text',
      onclose: () => {
        dialog.remove();
        resolve(dialog.returnValue === 'yes');
      },
    },
    el('h2', {id: 'question'}, heading), el('p', {id: 'question-text'}, text),
    el('div.row', {}, keep, el('button.button.grave', {type: 'button', onclick: () => dialog.close('yes')}, yes)));
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
    if (signal?.aborted) dialog.close();
    else signal?.addEventListener('abort', () => dialog.close(), {once: true});
  });
}
