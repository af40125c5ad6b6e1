// Maps the address's hash, such as `#/items/2001`, to a screen. A screen is a function (container, route). It draws
// itself and returns a function that ends it. A change of screen focuses the new heading and sets the title. Going back
// restores the scroll position.

import {announce} from './dom.js';
import {required} from './required.js';

/**
 * The arguments of a screen: the parameters of the pattern, the query, whether it is the first screen of the page, and
 * a function that restores the scroll position.
 * @typedef {{id: string, category?: string, query: URLSearchParams, isFirst: boolean, restore: () => void}} Route
 */
/**
 * @typedef {((container: HTMLElement, route: Route) => (() => void) | void)
 *   & {preload?: () => Promise<unknown>}} Screen
 */

/** @type {Array<{parts: string[], tab: string, screen: Screen}>} */
const routes = [];
/** @type {Map<number | null, number>} */
const scrollPositions = new Map();
/** @type {{hash: string | null, key: number | null, end: (() => void) | null}} */
let current = {hash: null, key: null, end: null};
/** @type {Screen | null} */
let notFound = null;
let keys = Date.now();

/**
 * Adds a route: a pattern such as `#/items/:id`, its tab and its screen. A lazy screen has a function `preload`.
 * @param {string} pattern
 * @param {string} tab
 * @param {Screen} screen
 */
export function addRoute(pattern, tab, screen) {
  routes.push({parts: pattern.split('/'), tab, screen});
}

/**
 * Loads the screen of a route in advance, so that it opens at once and also without a network. The screen itself
 * reports a failure when it opens.
 * @param {string} pattern
 */
export function preloadScreen(pattern) {
  routes.find(({parts}) => parts.join('/') === pattern)?.screen.preload?.().catch(() => {});
}

/**
 * Resolves with the promise. Throws an AbortError if the guest has left the screen, so that no dialog opens over
 * another screen.
 * @template Value
 * @param {Promise<Value>} promise
 */
export async function ifScreenIsOpen(promise) {
  const screen = current;
  const value = await promise;
  if (screen !== current) throw new DOMException('The guest has left the screen.', 'AbortError');
  return value;
}

/** @param {string} hash */
export const navigate = (hash) => { location.hash = hash; };

/**
 * Changes the address of the current screen without a new history entry.
 * @param {string} hash
 */
export function replaceAddress(hash) {
  history.replaceState(history.state, '', hash);
  current.hash = hash;
}

/** @param {string} hash */
function matchRoute(hash) {
  const [path, query = ''] = hash.split('?');
  const parts = path.split('/');
  for (const {parts: pattern, tab, screen} of routes) {
    if (pattern.length !== parts.length) continue;
    /** @type {Record<string, string>} */
    const values = {};
    const isMatch = pattern.every((part, index) => {
      if (!part.startsWith(':')) return part === parts[index];
      values[part.slice(1)] = parts[index];
      return /^[\w-]{1,64}$/.test(parts[index]);
    });
    if (isMatch) return {tab, screen, values, query: new URLSearchParams(query), hash};
  }
  return {tab: null, screen: notFound, values: {}, query: new URLSearchParams(query), hash};
}

/**
 * Sets the document's title and announces the screen. The start page has only the shop's name.
 * @param {string} text
 * @param {{silent?: boolean}} options
 */
export function setTitle(text, {silent = false} = {}) {
  document.title = text ? `${text} · Welm’s Delivery` : 'Welm’s Delivery';
  if (!silent) announce(text);
}

function show() {
  const hash = location.hash || '#/';
  if (hash === current.hash) return;
  const isFirst = current.hash === null;
  scrollPositions.set(current.key, scrollY);
  // A history entry with a key was visited before: this is Back or Forward.
  const key = history.state?.key ?? (keys += 1);
  if (!history.state?.key) history.replaceState({key}, '');
  const top = scrollPositions.get(key) ?? 0;
  // A dialog belongs to the screen that opened it.
  for (const dialog of document.querySelectorAll('dialog')) if (dialog.open) dialog.close();
  current.end?.();
  const found = matchRoute(hash);
  const main = required(document.getElementById('main'));
  // base.css hides the basket bar on the screens of the basket tab.
  document.documentElement.dataset.screen = found.tab ?? '';
  for (const tab of document.querySelectorAll('[data-tab]')) {
    if (tab.getAttribute('data-tab') === found.tab) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  const container = document.createElement('div');
  container.className = 'screen';
  main.replaceChildren(container);
  current = {hash, key, end: null};
  const isCurrent = () => current.hash === hash && container.isConnected;
  /** Called when the content is complete: only then is the page long enough to scroll. */
  const restore = () => top > 0 && isCurrent() && scrollTo({top, behavior: 'instant'});
  current.end = found.screen?.(container, {id: '', ...found.values, query: found.query, isFirst, restore}) ?? null;
  if (isFirst) return;
  scrollTo({top, behavior: 'instant'});
  // A screen that is still loading focuses its heading later.
  const heading = container.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
}

/**
 * Starts the router. `fallback` is the screen for unknown addresses.
 * @param {Screen} fallback
 */
export function startRouter(fallback) {
  notFound = fallback;
  history.scrollRestoration = 'manual';
  addEventListener('hashchange', show);
  show();
}
