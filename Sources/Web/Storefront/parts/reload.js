// Reloads of the page by a tap. What would be lost is handed over before.

const callbacks = new Set();

/** Calls back before such a reload. */
export const beforeReload = (callback) => callbacks.add(callback);

/** Reloads the page. */
export function reloadPage() {
  for (const callback of callbacks) callback();
  location.reload();
}
