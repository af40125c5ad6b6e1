// A form field with its label, hint and error, linked for screen readers.

import {el} from './dom.js';
import {t} from './translation.js';

/** Creates a field; `rows` makes it a textarea. Returns {name, node, input, showError, error, …}. */
export function formField(name, label, {hint = null, rows = 0, optional = false, ...attributes} = {}) {
  const id = `field-${name}`;
  const input = el(rows ? 'textarea' : 'input', {
    id, name, rows: rows || null, required: !optional, 'aria-describedby': `${hint ? `${id}-hint ` : ''}${id}-error`,
    ...attributes,
  });
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const node = el('div.field', {},
    el('label', {for: id}, label, optional && attributes.type !== 'checkbox' ? el('small', {}, ` (${t('optional')})`)
      : null),
    hint ? el('p.hint', {id: `${id}-hint`}, hint) : null,
    input, error);
  if (attributes.type === 'checkbox') {
    node.classList.add('tick');
    node.firstChild.prepend(input);
  }
  return {
    name, node, input,
    /** The typed text, or whether the checkbox is checked. */
    get value() { return attributes.type === 'checkbox' ? input.checked : input.value.trim(); },
    set value(value) {
      if (attributes.type === 'checkbox') input.checked = value === true;
      else input.value = value ?? '';
    },
    /** Changes the label. */
    setLabel(text) { node.firstChild.lastChild.data = text; },
    /** Shows an error; null removes it. */
    showError(message) {
      const text = message ?? '';
      if (error.textContent !== text) error.textContent = text;
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    },
    get error() { return error.textContent; },
    /** Whether the field is shown. Hidden fields are not sent. */
    get isVisible() { return !node.hidden; },
    focus: () => input.focus({preventScroll: true}),
    set disabled(value) { input.disabled = value; },
    /** Scrolls the field and its error into view. */
    scrollIntoViewport() { node.scrollIntoView({block: 'nearest'}); },
  };
}
