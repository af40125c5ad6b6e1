// The buttons of the fixes that fixes.js offers.

import {el} from '../parts/dom.js';
import {runBusy} from '../parts/toast.js';

/**
 * The buttons of these fixes. If the pressed button disappears, the focus moves to the element with the selector
 * `next`.
 */
export const fixButtons = (fixes, next) => fixes.map(({name, about, action}) => el('button.button.small.plain', {
  type: 'button', 'aria-label': `${name}: ${about}`, onclick: ({currentTarget: button}) => runBusy(button, async () => {
    await action();
    if (!button.isConnected) document.querySelector(next)?.focus({preventScroll: true});
  }),
}, name));
