// One of a few, as radio buttons: a field like those of field.js. Used by form.js.

import {el} from './dom.js';

/** `choices` are pairs of a value and its words; the first stands for itself, and is not sent. Calls `changed` when another is chosen. */
export function radios(name, label, choices) {
  const id = `field-${name}`;
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const inputs = choices.map(([value]) => el('input', {type: 'radio', name, value, id: `${id}-${value}`, 'aria-describedby': `${id}-error`}));
  const labels = inputs.map((input, index) => el('label', {}, input, choices[index][1]));
  const node = el('fieldset.field.either', {}, el('legend', {}, label), el('div.row', {}, labels), error);
  const chosen = () => inputs.find((input) => input.checked);
  inputs[0].checked = true;
  return {
    name, node, isAsked: true,
    /** The one that is chosen. */
    get chosen() { return chosen().value; },
    get value() { return chosen() === inputs[0] ? '' : chosen().value; },
    set value(value) { (inputs.find((input) => input.value === value) ?? inputs[0]).checked = true; },
    /** Shows only these; where there is one, nobody is asked. */
    offer(values) {
      const shown = inputs.filter((input, index) => !(labels[index].hidden = !values.includes(input.value)));
      if (shown.length && !shown.includes(chosen())) shown[0].checked = true;
      node.hidden = shown.length < 2;
    },
    showError(message) {
      if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
    },
    get error() { return error.textContent; },
    focus: () => chosen().focus({preventScroll: true}),
    showWhole() { node.scrollIntoView({block: 'nearest'}); },
    set disabled(value) { node.disabled = value; },
  };
}
