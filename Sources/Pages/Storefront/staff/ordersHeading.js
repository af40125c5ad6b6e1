// The heading of the Orders tab. It gets the focus when the focused control has disappeared.

import {required} from '../parts/required.js';

/** Focuses the heading of the Orders tab. */
export function focusOrdersHeading() {
  const heading = /** @type {HTMLElement | null} */ (document.querySelector('#orders h1'));
  required(heading).focus({preventScroll: true});
}
