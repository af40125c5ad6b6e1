// Keeps the screen on, from the first tap on: a tablet that goes dark shows no order, and some play none. Where that is not to be had a line says so.
// Used by board.js.

import {el} from '../dom.js';

const node = el('p.awake', {role: 'status', hidden: true});
let lock = null, isTapped = false, isAsking = false;

function tell(text) {
  node.textContent = text;
  node.hidden = !text;
}

/** The browser takes it back when the page is not seen, and may do so when the battery is low. */
async function ask() {
  if (!isTapped || isAsking || document.visibilityState !== 'visible' || lock?.released === false) return;
  isAsking = true;
  try {
    lock = await navigator.wakeLock.request('screen');
    tell('');
  } catch {
    tell('The screen may go dark: this device does not keep it on now.');
  } finally {
    isAsking = false;
  }
}

/** Where it is said. */
export function awake() {
  if (navigator.wakeLock) {
    addEventListener('click', () => {
      isTapped = true;
      ask();
    });
    document.addEventListener('visibilitychange', ask);
  } else tell(isSecureContext ? 'The screen may go dark: this browser can’t keep it on.' : 'The screen may go dark: keeping it on needs https.');
  return node;
}
