// The field for a kitchen note.

import {field} from './field.js';
import {t} from './words.js';

/** The field; `read` returns the typed note, or null. */
export function noteField(note) {
  const made = field('note', t('A note for the kitchen'),
    {optional: true, maxlength: 140, autocomplete: 'off', value: note});
  return {...made, read: () => made.input.value.trim() || null};
}
