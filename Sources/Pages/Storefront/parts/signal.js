// Observable values: state that several modules watch.

/**
 * @template Value
 * @typedef {{readonly value: Value, set(next: Value): void, watch(watcher: (value: Value) => void): () => void}} Signal
 */

/**
 * An observable value: `const count = signal(0)`.
 * @template Value
 * @param {Value} value
 * @returns {Signal<Value>}
 */
export function signal(value) {
  /** @type {Set<(value: Value) => void>} */
  const watchers = new Set();
  return {
    get value() { return value; },
    set(next) {
      value = next;
      for (const watcher of [...watchers]) watcher(next);
    },
    /** Calls back after each change. Returns a function that stops. */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
