// Keeps the screen on after the first tap. A tablet whose screen is off shows no orders, and some tablets then play no
// sound. If the browser cannot do that, a line on the board says so.

import {el} from '../parts/dom.js';

const node = el('p.wake-lock', {role: 'status', hidden: true});
/** @type {WakeLockSentinel | null} */
let lock = null;
let isTapped = false, isRequesting = false, timer = 0;

/** @param {string} text */
function showText(text) {
  node.textContent = text;
  node.hidden = !text;
}

/** The delays in milliseconds before a released or refused lock is requested again. */
const retryDelays = {released: 1_000, refused: 30_000};

/** @param {number} milliseconds */
function requestIn(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(requestLock, milliseconds);
}

/**
 * Requests the lock. The browser releases it when the page is hidden, and at any other time, for example when the
 * battery is low.
 */
async function requestLock() {
  if (!navigator.wakeLock || !isTapped || isRequesting) return;
  if (document.visibilityState !== 'visible' || lock?.released === false) return;
  isRequesting = true;
  try {
    lock = await navigator.wakeLock.request('screen');
    lock.addEventListener('release', () => requestIn(retryDelays.released));
    showText('');
  } catch {
    requestIn(retryDelays.refused);
    showText('The screen may turn off: this device can’t keep it on right now.');
  } finally {
    isRequesting = false;
  }
}

/** Starts to keep the screen on; returns the node of the warning. */
export function wakeLockStatus() {
  if (navigator.wakeLock) {
    addEventListener('click', () => {
      isTapped = true;
      void requestLock();
    });
    document.addEventListener('visibilitychange', requestLock);
  } else if (isSecureContext) showText('The screen may turn off: this browser can’t keep it on.');
  else showText('The screen may turn off: keeping it on needs https.');
  return node;
}
