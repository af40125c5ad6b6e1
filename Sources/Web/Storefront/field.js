// A field of a form with its label, its hint and its error beside it, tied together for screen readers. Used by the checkout.

import {el} from './dom.js';
import {t} from './words.js';

/** `rows` makes it an area of text. Returns {name, node, input, showError, error, showWhole}. */
export function field(name, label, {hint = null, rows = 0, optional = false, ...attributes} = {}) {
  const id = `field-${name}`;
  const input = el(rows ? 'textarea' : 'input', {
    id, name, rows: rows || null, required: !optional, 'aria-describedby': `${hint ? `${id}-hint ` : ''}${id}-error`, ...attributes,
  });
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const node = el('div.field', {},
    el('label', {for: id}, label, optional && attributes.type !== 'checkbox' ? el('small', {}, ` (${t('optional')})`) : null),
    hint ? el('p.hint', {id: `${id}-hint`}, hint) : null,
    input, error);
  if (attributes.type === 'checkbox') {
    node.classList.add('tick');
    node.firstChild.prepend(input);
  }
  return {
    name, node, input,
    /** What was typed, or whether it was ticked. */
    get value() { return attributes.type === 'checkbox' ? input.checked : input.value.trim(); },
    set value(value) {
      if (attributes.type === 'checkbox') input.checked = value === true;
      else input.value = value ?? '';
    },
    /** Another label. */
    rename(text) { node.firstChild.lastChild.data = text; },
    /** The message, or null when all is right. */
    showError(message) {
      const text = message ?? '';
      if (error.textContent !== text) error.textContent = text;
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    },
    get error() { return error.textContent; },
    /** Whether the guest is asked for it: what is not shown is not sent. */
    get isAsked() { return !node.hidden; },
    focus: () => input.focus({preventScroll: true}),
    set disabled(value) { input.disabled = value; },
    /** Brings what was typed and what is wrong with it to where both are seen. */
    showWhole() { node.scrollIntoView({block: 'nearest'}); },
  };
}
