// What a guest types as a tip, and what is wrong with it. Used by the checkout.

import {minorUnits, money} from './money.js';

/** The tip in minor units; undefined where none is typed, null for what is no amount. */
export const tipIn = (text, of) => (text.trim() ? minorUnits(text.trim(), of) : undefined);

/** What to say of it, when this is what the live form has answered. */
export function wrongTip(tip, {fields: {tip: judged}, quote}) {
  if (tip === null) return 'Please write an amount, in digits, or leave it out.';
  return judged?.code === 'tip_out_of_range' && quote ? `We take a tip of up to ${money(judged.params.maximum, quote)}.` : judged?.message;
}
