// A guest's note for the kitchen, typed where a dish is chosen. Used by dish.js.

import {field} from './field.js';
import {t} from './words.js';

/** The field; `read` is what was typed, null where there is nothing. */
export function noteField(note) {
  const made = field('note', t('A note for the kitchen'), {optional: true, maxlength: 140, autocomplete: 'off', value: note});
  return {...made, read: () => made.input.value.trim() || null};
}
