// Observable values: state that several modules watch.

/** An observable value: `const count = signal(0)`. */
export function signal(value) {
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
