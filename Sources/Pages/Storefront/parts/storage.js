// Data on this device. Small values are in localStorage under `welms.`, values of a visit in sessionStorage. A cache
// has answers without personal data. If storage is disabled, values last as long as the page.

/** @type {Map<string | null, () => void>} */
const listeners = new Map();

/**
 * Small values by name; `storage` returns the storage and may throw.
 * @param {() => Storage} storage
 */
function valueStore(storage) {
  /**
   * Values that could not be written: storage is full or disabled.
   * @type {Map<string, unknown>}
   */
  const memory = new Map();
  return {
    /**
     * The stored value, or `fallback`.
     * @param {string} name
     * @param {unknown} [fallback]
     */
    load(name, fallback = null) {
      if (memory.has(name)) return memory.get(name) ?? fallback;
      try {
        const text = storage().getItem(`welms.${name}`);
        return text === null ? fallback : JSON.parse(text);
      } catch {
        return fallback;
      }
    },
    /**
     * Stores a value; null deletes it.
     * @param {string} name
     * @param {unknown} value
     */
    save(name, value) {
      try {
        if (value === null) storage().removeItem(`welms.${name}`);
        else storage().setItem(`welms.${name}`, JSON.stringify(value));
        memory.delete(name);
      } catch {
        memory.set(name, value);
      }
    },
    /**
     * Forgets the value in memory, because another tab has stored a newer value.
     * @param {string | null} key
     */
    refresh(key) { memory.delete(key?.replace('welms.', '') ?? ''); },
  };
}

/** The cache for answers, or null if the page is not served securely or storage is disabled. */
const openCache = async () => (globalThis.caches ? caches.open('welms.answers').catch(() => null) : null);
const answerLimit = 60;

/**
 * Stores an answer of the API for offline use.
 * @param {string} name
 * @param {unknown} body
 */
export async function cacheAnswer(name, body) {
  const answers = await openCache();
  if (!answers) return;
  await answers.put(`/kept/${name}`, new Response(JSON.stringify(body))).catch(() => {});
  for (const old of (await answers.keys()).slice(0, -answerLimit)) await answers.delete(old);
}

/**
 * The last stored answer, or null.
 * @param {string} name
 */
export async function cachedAnswer(name) {
  const answer = await (await openCache())?.match(`/kept/${name}`);
  return answer ? answer.json() : null;
}

const localValues = valueStore(() => localStorage);
export const loadValue = localValues.load;
export const saveValue = localValues.save;
/** Values of this visit: a reload keeps them, closing the tab deletes them. */
export const sessionValues = valueStore(() => sessionStorage);

/**
 * Deletes all values of the guest, and the cached answers, whose names contain the guest's allergens. The values of the
 * staff page stay.
 */
export async function clearStoredData() {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      for (const name of Object.keys(storage())) if (name.startsWith('welms.') && !name.startsWith('welms.staff')) {
        storage().removeItem(name);
      }
    } catch {
      // Storage is disabled, so there is nothing to delete.
    }
  }
  await globalThis.caches?.delete('welms.answers').catch(() => {});
}

/**
 * Sets the callback for changes of a value by other tabs. It replaces an earlier callback for the same value.
 * @param {string} name
 * @param {() => void} callback
 */
export function onChangeInOtherTab(name, callback) {
  listeners.set(`welms.${name}`, callback);
}

addEventListener('storage', ({key}) => {
  localValues.refresh(key);
  listeners.get(key)?.();
});
