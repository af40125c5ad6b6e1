// What stays on this device: small values in localStorage under `welms.`, which other tabs hear of.
// Where storage is switched off they last as long as the page. Used by basket.js, attempt.js, favourites.js, theme.js.

const memory = new Map();
const listeners = new Map();

/** The value kept under a name, or `fallback`. */
export function kept(name, fallback = null) {
  try {
    const text = localStorage.getItem(`welms.${name}`);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return memory.has(name) ? memory.get(name) : fallback;
  }
}

/** Keeps a value; null forgets it. */
export function keep(name, value) {
  memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(`welms.${name}`);
    else localStorage.setItem(`welms.${name}`, JSON.stringify(value));
  } catch {
    // Storage is full or switched off: memory has it.
  }
}

/** Calls back when another tab has changed the value. */
export function onOtherTab(name, callback) {
  listeners.set(`welms.${name}`, callback);
}

addEventListener('storage', (event) => listeners.get(event.key)?.());

/** Tells its listeners of changes: `const count = signal(0)`. */
export function signal(value) {
  const watchers = new Set();
  return {
    get value() { return value; },
    set(next) {
      value = next;
      for (const watcher of [...watchers]) watcher(next);
    },
    /** Calls back with each change; returns what ends that. */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
