// Says in the banner when the orders are not live, and makes it heard. Used by orders.js, whose stream tells it.

import {fill} from '../dom.js';
import {silence} from './bell.js';

/** The server ends streams when it restarts; most are back before anybody has read a word. */
const patience = 1_500;

const words = () => (navigator.onLine === false
  ? 'This device is offline: orders may have come that you do not see.'
  : 'Not connected: orders may have come that you do not see. We keep trying.');

/** What is called whenever the stream runs, and after each attempt that failed, with whether it ended in silence: that was waited for already. */
export function connection(banner) {
  let timer = 0;

  function show(text) {
    // Said once: each failure comes here.
    if (banner.textContent !== text) fill(banner, text);
    banner.classList.toggle('shown', Boolean(text));
    silence(Boolean(text));
  }

  return (isLive, {wasSilent = false} = {}) => {
    if (isLive) {
      clearTimeout(timer);
      timer = 0;
      show('');
    } else if (wasSilent || banner.classList.contains('shown')) show(words());
    else timer ||= setTimeout(() => show(words()), patience);
  };
}
