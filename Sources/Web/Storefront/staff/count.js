// How many there are of a dish or an option: left now, or on each day; or nobody counts any more. A dialog, opened by what stands there of its stock.
// Used by stock.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {postStaff} from './door.js';

/** Asks for the number; `done` has the thing as it is then. */
export function askCount(kind, thing, done) {
  const count = field('count', 'How many are there?', {inputmode: 'numeric', maxlength: 10, autocomplete: 'off', value: thing.left ?? ''});
  const dialog = el('dialog.asking.counting', {'aria-labelledby': 'counting', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'counting'}, thing.title), count.node,
      el('div.row', {},
        el('button.button', {type: 'submit', value: 'remaining'}, 'Left now'),
        el('button.button', {type: 'submit', value: 'perDay'}, 'On each day'),
        thing.left == null ? null : el('button.button.plain', {type: 'submit', value: 'none'}, 'Count no longer'),
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button.getAttribute('aria-busy') === 'true') return;
    const typed = count.input.value.trim();
    if (button.value !== 'none' && !/^\d+$/.test(typed)) return refuse('Type a whole number, such as 12.');
    button.setAttribute('aria-busy', 'true');
    try {
      done(await postStaff(`/v1/staff/${kind}/${thing.id}/stock`, button.value === 'none' ? {remaining: null} : {[button.value]: Number(typed)}));
      dialog.close();
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function refuse(why) {
    count.showError(why);
    count.input.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
  count.input.focus();
  count.input.select();
}
