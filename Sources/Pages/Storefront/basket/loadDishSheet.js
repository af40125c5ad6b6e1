// Loads the sheet for a dish on demand, because most visits open none.

import {loadPart} from '../parts/loadPart.js';
import {ifScreenIsOpen} from '../parts/router.js';

/** Resolves to the module dishSheet.js, unless the guest has left the screen. */
export const loadDishSheet = () =>
  ifScreenIsOpen(loadPart('basket/dishSheet', () => import('./dishSheet.js')));
