// How many of a dish: minus, the number, plus. Used by the item's screen and by sheet.js.

import {el, icon} from './dom.js';
import {t} from './words.js';

/** From one to `most()`: {node, many, draw}. Calls `changed` after each step, and `full` at one too many. What can't be pressed is no stop of the keyboard. */
export function stepper(title, {many = 1, most, changed, full = () => {}}) {
  const step = (name, label, work) => el('button.round', {type: 'button', 'aria-label': label, onclick: work}, icon(name));
  const set = (next) => {
    many = next;
    changed();
  };
  const minus = step('minus', t('One {title} less', {title}), () => many > 1 && set(many - 1));
  const plus = step('plus', t('One {title} more', {title}), () => (many < most() ? set(many + 1) : full()));
  const number = el('span');
  const node = el('div.steps', {role: 'group', 'aria-label': t('How many {title}', {title})},
    minus, el('span.quantity', {'aria-live': 'polite'}, el('span.unseen', {}, `${t('Quantity')} `), number), plus);

  function offer(button, isOffered) {
    button.setAttribute('aria-disabled', String(!isOffered));
    button.tabIndex = isOffered || button === document.activeElement ? 0 : -1;
  }

  return {
    node,
    get many() { return many; },
    set many(next) { many = next; },
    draw() {
      if (number.textContent !== String(many)) number.textContent = String(many);
      offer(minus, many > 1);
      offer(plus, many < most());
    },
  };
}
