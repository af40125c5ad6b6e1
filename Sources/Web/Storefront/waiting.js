// Waits for a shop that is out of reach, and goes on: when it is back, and every few seconds besides. Used by ordering.js.

import {reach} from './condition.js';

/** A wait that calls `goOn`; the work that was waited for starts it again or stops it. */
export function waiting(goOn) {
  let since = null, timer = 0, ended = false;
  const stopReaching = reach.watch((now) => now === 'ok' && since !== null && goOn());

  function stop() {
    clearTimeout(timer);
    since = null;
  }

  return {
    /** For how many milliseconds now; null when nothing is waited for. */
    get lasts() { return since === null ? null : Date.now() - since; },
    /** Goes on after so many seconds at the latest. */
    start(retryAfter = 0) {
      clearTimeout(timer);
      if (ended) return;
      since ??= Date.now();
      timer = setTimeout(goOn, Math.max(retryAfter, 5) * 1_000);
    },
    stop,
    end() {
      ended = true;
      stop();
      stopReaching();
    },
  };
}
