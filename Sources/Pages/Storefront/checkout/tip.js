// The tip: a typed amount, or a percentage of the subtotal by a tap. A tap writes the amount into the field.

import {el} from '../parts/dom.js';
import {editableAmount, money, parseAmount, percentage} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../parts/money.js').Priced} Priced */
/** @typedef {import('../parts/formField.js').FormField} FormField */

const percents = [10, 15, 20];

/**
 * The tip in minor units; undefined without a tip, null for an invalid amount.
 * @param {string} text
 * @param {Priced} priced
 */
export const parseTip = (text, priced) => (text.trim() ? parseAmount(text.trim(), priced) : undefined);

/**
 * A percentage of an amount, rounded down. Calculates with integers only, so that no intermediate value is rounded.
 * @param {number} amount
 * @param {number} percent
 */
const percentOf = (amount, percent) => Math.floor(amount / 100) * percent + Math.floor((amount % 100) * percent / 100);

/**
 * The percentage buttons beside the `field`: {show}. They are hidden if the shop takes no tip.
 * @param {FormField} field
 */
export function tipButtons(field) {
  const node = el('div.chips', {role: 'radiogroup', 'aria-label': t('Tip'), hidden: true});
  /** @type {API.Quote | null} */
  let priced = null;
  field.input.before(node);
  field.input.addEventListener('input', markChosen);

  /** Checks the button that matches the field. */
  function markChosen() {
    const tip = priced && (parseTip(field.input.value, priced) ?? (field.value ? null : 0));
    for (const input of node.querySelectorAll('input')) input.checked = Number(input.value) === tip;
  }

  /** @param {number} amount @param {string} text */
  const part = (amount, text) =>
    el('label.chip', {}, el('input', {type: 'radio', name: 'tip-part', value: amount, onchange: () => {
      field.input.value = amount && priced ? editableAmount(amount, priced) : '';
      field.input.dispatchEvent(new Event('input', {bubbles: true}));
    }}), text);

  /**
   * Shows the percentages of the newest quote.
   * @param {API.Quote} quote
   */
  function show(quote) {
    if (quote.subtotal === priced?.subtotal && quote.currency === priced.currency
      && quote.tipMaximum === priced.tipMaximum) return;
    priced = quote;
    const parts = percents.map((percent) => [percent, percentOf(quote.subtotal, percent)])
      .filter(([, amount]) => amount > 0 && amount <= quote.tipMaximum);
    field.node.hidden = quote.tipMaximum === 0;
    node.hidden = parts.length === 0;
    const chips = parts.map(([percent, amount]) => part(amount, `${percentage(percent)} · ${money(amount, quote)}`));
    patch(node, [part(0, t('No tip')), chips]);
    markChosen();
  }

  return {
    show,
    /** @param {boolean} value */
    set disabled(value) { for (const input of node.querySelectorAll('input')) input.disabled = value; },
  };
}
