// Reloads of the page by a tap, with a callback to save state before.

const callbacks = new Set();

/** Registers a callback for the moment before such a reload. */
export const beforeReload = (callback) => callbacks.add(callback);

export function reloadPage() {
  for (const callback of callbacks) callback();
  location.reload();
}
