// The tip: what a guest types, or a part of the subtotal by a tap. The amounts are written on what is tapped, and go into the field. Used by form.js.

import {el} from './dom.js';
import {minorUnits, money, percentage, written} from './money.js';
import {patch} from './parts/patch.js';
import {t} from './words.js';

const percents = [10, 15, 20];

/** The tip in minor units; undefined where none is typed, null for what is no amount. */
export const tipIn = (text, of) => (text.trim() ? minorUnits(text.trim(), of) : undefined);

/** So many percent of an amount, cut to the minor unit; whole numbers on the way, so that none is rounded. */
const partOf = (amount, percent) => Math.floor(amount / 100) * percent + Math.floor((amount % 100) * percent / 100);

/** The parts of the subtotal beside the `field`, those that the shop takes: {show}. A shop that takes no tip is not asked for one. */
export function tipParts(field) {
  const node = el('div.chips', {role: 'radiogroup', 'aria-label': t('Tip'), hidden: true});
  let of = null;
  field.input.before(node);
  field.input.addEventListener('input', mark);

  /** The one that the field says. */
  function mark() {
    const tip = of && (tipIn(field.input.value, of) ?? (field.value ? null : 0));
    for (const {firstChild: input} of node.children) input.checked = Number(input.value) === tip;
  }

  const part = (amount, text) => el('label.chip', {}, el('input', {type: 'radio', name: 'tip-part', value: amount, onchange: () => {
    field.input.value = amount ? written(amount, of) : '';
    field.input.dispatchEvent(new Event('input', {bubbles: true}));
  }}), text);

  /** Those of the newest quote. */
  function show(quote) {
    if (quote.subtotal === of?.subtotal && quote.currency === of.currency && quote.tipMaximum === of.tipMaximum) return;
    of = quote;
    const parts = percents.map((percent) => [percent, partOf(of.subtotal, percent)]).filter(([, amount]) => amount > 0 && amount <= of.tipMaximum);
    field.node.hidden = of.tipMaximum === 0;
    node.hidden = parts.length === 0;
    const chips = parts.map(([percent, amount]) => part(amount, `${percentage(percent)} · ${money(amount, of)}`));
    patch(node, [part(0, t('No tip')), chips]);
    mark();
  }

  return {
    show,
    set disabled(value) { for (const {firstChild: input} of node.children) input.disabled = value; },
  };
}
