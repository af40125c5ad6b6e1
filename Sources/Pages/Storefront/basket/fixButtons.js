// The buttons of the fixes that fixes.js offers.

import {el} from '../parts/dom.js';
import {runBusy} from '../parts/toast.js';

/** @typedef {import('./fixes.js').Fix} Fix */

/**
 * The buttons of these fixes. If the pressed button disappears, the focus moves to the element with the selector
 * `next`.
 * @param {Fix[]} fixes
 * @param {string} next
 */
export const fixButtons = (fixes, next) => fixes.map(({name, about, action}) => el('button.button.small.plain', {
  type: 'button', 'aria-label': `${name}: ${about}`, onclick: ({currentTarget: button}) => runBusy(button, async () => {
    await action();
    /** @type {HTMLElement | null} */
    const target = button.isConnected ? null : document.querySelector(next);
    target?.focus({preventScroll: true});
  }),
}, name));
