// The buttons of what can be done about something that can't be had. Used by screens/basket.js and refusals.js; what they do is of fixes.js.

import {el} from './dom.js';
import {doing} from './notice.js';

/** The buttons of these fixes; who pressed one that is gone then goes on at what `next` finds. */
export const fixButtons = (fixes, next) => fixes.map(({name, about, work}) => el('button.button.small.plain', {
  type: 'button', 'aria-label': `${name}: ${about}`, onclick: ({currentTarget: button}) => doing(button, async () => {
    await work();
    if (!button.isConnected) document.querySelector(next)?.focus({preventScroll: true});
  }),
}, name));
