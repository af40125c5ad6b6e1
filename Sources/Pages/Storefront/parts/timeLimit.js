// A time limit for a request. `AbortSignal.any` and `AbortSignal.timeout` would do the same, but Safari before 17.4
// lacks `AbortSignal.any`.

/**
 * {signal, end}: the signal aborts after this time, or with `outerSignal`. `end` stops the timer.
 * @param {number} milliseconds
 * @param {AbortSignal} [outerSignal]
 */
export function timeLimit(milliseconds, outerSignal) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  const abort = () => controller.abort(outerSignal?.reason);
  if (outerSignal?.aborted) abort();
  else outerSignal?.addEventListener('abort', abort, {once: true});
  return {signal: controller.signal, end() {
    clearTimeout(timer);
    outerSignal?.removeEventListener('abort', abort);
  }};
}
