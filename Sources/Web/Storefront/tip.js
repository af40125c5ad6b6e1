// What a guest types as a tip. Used by form.js.

import {minorUnits} from './money.js';

/** The tip in minor units; undefined where none is typed, null for what is no amount. */
export const tipIn = (text, of) => (text.trim() ? minorUnits(text.trim(), of) : undefined);
