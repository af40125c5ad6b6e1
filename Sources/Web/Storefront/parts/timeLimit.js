// A time limit for a request. `AbortSignal.any` and `AbortSignal.timeout` would do the same, but Safari before 17.4
// lacks the first.

/** {signal, end}: the signal aborts after so many milliseconds, or with `other`. `end` stops the timer. */
export function timeLimit(milliseconds, other) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  const follow = () => controller.abort(other.reason);
  if (other?.aborted) follow();
  else other?.addEventListener('abort', follow, {once: true});
  return {signal: controller.signal, end() {
    clearTimeout(timer);
    other?.removeEventListener('abort', follow);
  }};
}
