// A guest's note for the kitchen: typed where a dish is chosen, changed in the basket. Used by the item and the basket screen.

import {el} from './dom.js';
import {field} from './field.js';

/** The field; `read` is what was typed, null where there is nothing. */
export function noteField(note = null) {
  const {node, input} = field('note', 'A note for the kitchen', {optional: true, maxlength: 140, autocomplete: 'off', value: note});
  return {node, input, read: () => input.value.trim() || null};
}

/** Asks for another note; resolves to it, or to undefined where it stays. */
export function askNote(dish, note) {
  return new Promise((resolve) => {
    const typed = noteField(note);
    const dialog = el('dialog.asking', {'aria-labelledby': 'noted', onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? typed.read() : undefined);
    }},
    el('h2', {id: 'noted'}, dish),
    el('form', {method: 'dialog'}, typed.node,
      el('div.row', {},
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Leave it'),
        el('button.button', {value: 'yes'}, 'Save the note'))));
    document.body.append(dialog);
    dialog.showModal();
    typed.input.focus();
  });
}
