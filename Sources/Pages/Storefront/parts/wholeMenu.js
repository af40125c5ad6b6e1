// Reads all dishes of the menu, once or regularly.

import {Problem, readAll} from './api.js';

/** Reads all dishes, in menu order. */
export const readWholeMenu = () => readAll('/v1/menu');

/**
 * Reads the menu every ten seconds while the page is visible, and when it becomes visible again. An unchanged menu
 * costs a 304. Calls `take` with the dishes after each read. Returns a function that stops.
 * @param {(items: API.MenuItem[]) => void} take
 */
export function watchMenu(take) {
  const isSeen = () => document.visibilityState === 'visible';
  const readMenu = () => isSeen() && readWholeMenu().then((items) => isEnded || take(items), (problem) => {
    if (!(problem instanceof Problem)) throw problem;
  });
  let isEnded = false;
  const timer = setInterval(readMenu, 10_000);
  document.addEventListener('visibilitychange', readMenu);
  return () => {
    document.removeEventListener('visibilitychange', readMenu);
    clearInterval(timer);
    isEnded = true;
  };
}
