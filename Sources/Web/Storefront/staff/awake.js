// Keeps the screen on, from the first tap on: a tablet that goes dark shows no order, and some play none. Where that is not to be had a line says so.
// Used by board.js.

import {el} from '../dom.js';

const node = el('p.awake', {role: 'status', hidden: true});
let lock = null, isTapped = false, isAsking = false, timer = 0;

function tell(text) {
  node.textContent = text;
  node.hidden = !text;
}

/** After how many milliseconds a lock is requested again that was released or refused. */
const pauses = {released: 1_000, refused: 30_000};

function askIn(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(ask, milliseconds);
}

/** The browser releases the lock when the page is not seen, and at any time, for example when the battery is low. */
async function ask() {
  if (!isTapped || isAsking || document.visibilityState !== 'visible' || lock?.released === false) return;
  isAsking = true;
  try {
    lock = await navigator.wakeLock.request('screen');
    lock.addEventListener('release', () => askIn(pauses.released));
    tell('');
  } catch {
    askIn(pauses.refused);
    tell('The screen may turn off: this device can’t keep it on right now.');
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
  } else tell(isSecureContext ? 'The screen may turn off: this browser can’t keep it on.' : 'The screen may turn off: keeping it on needs https.');
  return node;
}
