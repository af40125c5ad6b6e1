// A quantity control: minus, number, plus.

import {el, icon} from './dom.js';
import {t} from './translation.js';

/** @typedef {import('./dom.js').IconName} IconName */

/**
 * A quantity from one to `maximum()`: {node, quantity, draw}. Calls `changed` after each step, and `onLimit` above the
 * maximum. A disabled button is no tab stop.
 * @param {string} title
 * @param {{quantity?: number, maximum: () => number, changed: () => void, onLimit?: () => void}} options
 */
export function quantityStepper(title, {quantity = 1, maximum, changed, onLimit = () => {}}) {
  /** @param {IconName} name @param {string} label @param {() => void} action */
  const step = (name, label, action) =>
    el('button.round', {type: 'button', 'aria-label': label, onclick: action}, icon(name));
  /** @param {number} next */
  const set = (next) => {
    quantity = next;
    changed();
  };
  const minus = step('minus', t('One {title} less', {title}), () => quantity > 1 && set(quantity - 1));
  const plus = step('plus', t('One {title} more', {title}),
    () => (quantity < maximum() ? set(quantity + 1) : onLimit()));
  const number = el('span');
  const node = el('div.steps', {role: 'group', 'aria-label': t('How many {title}', {title})},
    minus, el('span.quantity', {'aria-live': 'polite'}, el('span.unseen', {}, `${t('Quantity')} `), number), plus);

  /** @param {HTMLElement} button @param {boolean} isOffered */
  function offer(button, isOffered) {
    button.setAttribute('aria-disabled', String(!isOffered));
    button.tabIndex = isOffered || button === document.activeElement ? 0 : -1;
  }

  return {
    node,
    get quantity() { return quantity; },
    /** @param {number} next */
    set quantity(next) { quantity = next; },
    draw() {
      if (number.textContent !== String(quantity)) number.textContent = String(quantity);
      offer(minus, quantity > 1);
      offer(plus, quantity < maximum());
    },
  };
}
