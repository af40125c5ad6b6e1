// What stays on this device: small values in localStorage under `welms.`, which other tabs hear of; what ends with the visit, in sessionStorage; and
// answers that hold nothing of the guest. Where storage is switched off values last as long as the page. Used by basket.js, attempt.js, favourites.js,
// guest.js, placed.js, underway.js, theme.js, words.js, screens/orders.js, staff/sound.js, staff/missed.js, staff/kitchen.js, staff/ticks.js.

const listeners = new Map();

/** Small values by name; `storage` gives the place, and may throw. */
function place(storage) {
  /** The values that could not be written: storage is full, or switched off. */
  const memory = new Map();
  return {
    /** The value kept under a name, or `fallback`. */
    kept(name, fallback = null) {
      if (memory.has(name)) return memory.get(name) ?? fallback;
      try {
        const text = storage().getItem(`welms.${name}`);
        return text === null ? fallback : JSON.parse(text);
      } catch {
        return fallback;
      }
    },
    /** Keeps a value; null forgets it. */
    keep(name, value) {
      try {
        if (value === null) storage().removeItem(`welms.${name}`);
        else storage().setItem(`welms.${name}`, JSON.stringify(value));
        memory.delete(name);
      } catch {
        memory.set(name, value);
      }
    },
    /** Another tab has written a newer value. */
    refresh(key) { memory.delete(key?.replace('welms.', '')); },
  };
}

/** Where answers are kept; none where the page is not served securely, or storage is switched off. */
const larder = async () => (globalThis.caches ? caches.open('welms.answers').catch(() => null) : null);
const most = 60;

/** Keeps an answer of the API for when there is no network. */
export async function keepAnswer(name, body) {
  const answers = await larder();
  await answers?.put(`/kept/${name}`, new Response(JSON.stringify(body))).catch(() => {});
  for (const old of (await answers?.keys() ?? []).slice(0, -most)) await answers.delete(old);
}

/** The answer that was kept last under a name, or null. */
export async function keptAnswer(name) {
  const answer = await (await larder())?.match(`/kept/${name}`);
  return answer ? answer.json() : null;
}

const always = place(() => localStorage);
export const kept = always.kept;
export const keep = always.keep;
/** The same for this visit: a reload does not end it, closing the tab does. */
export const visit = place(() => sessionStorage);

/** Forgets all that is kept here and in this visit. The answers too, because their names tell which allergens the guest asked
 *  about. What the staff page keeps is staff's. */
export async function forgetAll() {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      for (const name of Object.keys(storage())) if (name.startsWith('welms.') && !name.startsWith('welms.staff')) storage().removeItem(name);
    } catch {
      // It is switched off, and nothing is there.
    }
  }
  await globalThis.caches?.delete('welms.answers').catch(() => {});
}

/** Calls back when another tab has changed the value. */
export function onOtherTab(name, callback) {
  listeners.set(`welms.${name}`, callback);
}

addEventListener('storage', ({key}) => {
  always.refresh(key);
  listeners.get(key)?.();
});

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
