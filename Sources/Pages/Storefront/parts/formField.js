// A form field with its label, hint and error, linked for screen readers.

import {el} from './dom.js';
import {t} from './translation.js';

/** @typedef {ReturnType<typeof formField>} FormField */
/** @typedef {(options?: {all?: boolean}) => string | null} LocalError */
/**
 * The other members are attributes of the input.
 * @typedef {{hint?: string | null, rows?: number, optional?: boolean, [attribute: string]: unknown}} FieldOptions
 */

/**
 * Creates a field; `rows` makes it a textarea. Returns {name, node, input, showError, error, …}.
 * @param {string} name
 * @param {string} label
 * @param {FieldOptions} options
 */
export function formField(name, label, {hint = null, rows = 0, optional = false, ...attributes} = {}) {
  const id = `field-${name}`;
  const input = el(rows ? 'textarea' : 'input', {
    id, name, rows: rows || null, required: !optional, 'aria-describedby': `${hint ? `${id}-hint ` : ''}${id}-error`,
    ...attributes,
  });
  const checkbox = input instanceof HTMLInputElement && attributes.type === 'checkbox' ? input : null;
  const text = document.createTextNode(label);
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const labelNode = el('label', {for: id}, text,
    optional && !checkbox ? el('small', {}, ` (${t('optional')})`) : null);
  const node = el('div.field', {},
    labelNode,
    hint ? el('p.hint', {id: `${id}-hint`}, hint) : null,
    input, error);
  if (checkbox) {
    node.classList.add('tick');
    labelNode.prepend(checkbox);
  }
  return {
    name, node, input,
    /** The error that the page itself detects; set by a form. */
    localError: /** @type {LocalError} */ (() => null),
    /**
     * The typed text, or whether the checkbox is checked.
     * @returns {string | boolean}
     */
    get value() { return checkbox ? checkbox.checked : input.value.trim(); },
    /** @param {string | number | boolean | null | undefined} value */
    set value(value) {
      if (checkbox) checkbox.checked = value === true;
      else input.value = String(value ?? '');
    },
    /** The typed text. */
    get text() { return input.value.trim(); },
    /** Whether it is a checkbox that is checked. */
    get isChecked() { return checkbox?.checked ?? false; },
    /**
     * Changes the label.
     * @param {string} words
     */
    setLabel(words) { text.data = words; },
    /**
     * Shows an error; null removes it.
     * @param {string | null} [message]
     */
    showError(message) {
      const shown = message ?? '';
      if (error.textContent !== shown) error.textContent = shown;
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    },
    get error() { return error.textContent; },
    /** Whether the field is shown. Hidden fields are not sent. */
    get isVisible() { return !node.hidden; },
    focus: () => input.focus({preventScroll: true}),
    /** @param {boolean} value */
    set disabled(value) { input.disabled = value; },
    /** Scrolls the field and its error into view. */
    scrollIntoViewport() { node.scrollIntoView({block: 'nearest'}); },
  };
}
