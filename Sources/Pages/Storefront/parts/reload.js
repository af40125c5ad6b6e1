// Reloads of the page by a tap, with a callback to save state before.

/** @type {Set<() => void>} */
const callbacks = new Set();

/**
 * Registers a callback for the moment before such a reload.
 * @param {() => void} callback
 */
export const beforeReload = (callback) => callbacks.add(callback);

export function reloadPage() {
  for (const callback of callbacks) callback();
  location.reload();
}
