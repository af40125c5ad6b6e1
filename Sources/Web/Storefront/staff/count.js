// How many there are of a dish or an option: left now, or on each day; or nobody counts any more. A dialog, opened by what stands there of its stock.
// Used by stock.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {postStaff} from './door.js';
import {mayOverwrite} from './overwrite.js';

/** Whether a colleague has changed the stock. A number that falls is no sign of it: guests order. */
const isChanged = (before, after) => after !== undefined && (
  (before.left == null) !== (after.left == null) || after.left > before.left
  || (after.left !== 0 && before.isAvailable !== after.isAvailable));

function wordsOf({left, isAvailable}) {
  if (left != null) return `Stock is counted: ${left} left.`;
  return isAvailable ? 'Stock is not counted.' : 'It is sold out.';
}

/** Asks for the number. `readAgain` reads the thing before the number is saved; `done` has it as it is afterwards. */
export function askCount(kind, thing, {readAgain, done}) {
  const count = field('count', 'How many are there?', {inputmode: 'numeric', maxlength: 10, autocomplete: 'off', value: thing.left ?? ''});
  const dialog = el('dialog.asking.counting', {'aria-labelledby': 'counting', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'counting'}, thing.title), count.node,
      el('div.row', {},
        el('button.button', {type: 'submit', value: 'remaining'}, 'Left now'),
        el('button.button', {type: 'submit', value: 'perDay'}, 'Each day'),
        thing.left == null ? null : el('button.button.plain', {type: 'submit', value: 'none'}, 'Stop counting'),
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  async function submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button.getAttribute('aria-busy') === 'true') return;
    const typed = count.input.value.trim();
    if (button.value !== 'none' && !/^\d+$/.test(typed)) return refuse('Enter a whole number, such as 12.');
    button.setAttribute('aria-busy', 'true');
    try {
      const now = await readAgain();
      if (!await mayOverwrite(isChanged(thing, now), wordsOf(now ?? thing))) return dialog.close();
      done(await postStaff(`/v1/staff/${kind}/${thing.id}/stock`, button.value === 'none' ? {remaining: null} : {[button.value]: Number(typed)}));
      dialog.close();
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.errors[0]?.message ?? problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
    return undefined;
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
