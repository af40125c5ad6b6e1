// A field with radio buttons, with the interface of formField.js.

import {el} from './dom.js';

/** @typedef {ReturnType<typeof radioField>} RadioField */

/**
 * `choices` are pairs of a value and a label. The first choice is the default and is not sent.
 * @param {string} name
 * @param {string} label
 * @param {Array<[string, string]>} choices
 */
export function radioField(name, label, choices) {
  const id = `field-${name}`;
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const inputs = choices.map(([value]) =>
    el('input', {type: 'radio', name, value, id: `${id}-${value}`, 'aria-describedby': `${id}-error`}));
  const labels = inputs.map((input, index) => el('label', {}, input, choices[index][1]));
  const node = el('fieldset.field.either', {}, el('legend', {}, label), el('div.row', {}, labels), error);
  const checkedInput = () => inputs.find((input) => input.checked) ?? inputs[0];
  inputs[0].checked = true;
  return {
    name, node, isVisible: true,
    /** The chosen value. */
    get chosen() { return checkedInput().value; },
    get value() { return checkedInput() === inputs[0] ? '' : checkedInput().value; },
    /** @param {string | null | undefined} value */
    set value(value) { (inputs.find((input) => input.value === value) ?? inputs[0]).checked = true; },
    /**
     * Shows only these choices. A single choice is hidden.
     * @param {string[]} values
     */
    offer(values) {
      const shown = inputs.filter((input, index) => !(labels[index].hidden = !values.includes(input.value)));
      if (shown.length && !shown.includes(checkedInput())) shown[0].checked = true;
      node.hidden = shown.length < 2;
    },
    /** @param {string | null} [message] */
    showError(message) {
      if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
    },
    get error() { return error.textContent; },
    focus: () => checkedInput().focus({preventScroll: true}),
    scrollIntoViewport() { node.scrollIntoView({block: 'nearest'}); },
    /** @param {boolean} value */
    set disabled(value) { node.disabled = value; },
  };
}
