// From the address's hash to a screen: `#/items/2001`. A screen is a function (place, route) that draws and returns what ends it.
// On each change the focus goes to the new heading, the title is told, and the way back finds its scroll position.

import {say} from './dom.js';

const routes = [];
const scrolls = new Map();
let current = {hash: null, key: null, end: null};
let lost = null;
let keys = Date.now();

/** Adds a route: `#/items/:id`, the tab it belongs to, and its screen's module. */
export function route(pattern, tab, screen) {
  routes.push({parts: pattern.split('/'), tab, screen});
}

/** What a promise resolves to. Throws an AbortError if the guest has left the screen meanwhile, so that no dialog opens over
 *  another screen. */
export async function onThisScreen(promise) {
  const screen = current;
  const value = await promise;
  if (screen !== current) throw new DOMException('The guest has left the screen.', 'AbortError');
  return value;
}

/** Goes to a hash. */
export const go = (hash) => { location.hash = hash; };

/** The same screen by another address, without another step in the history. */
export function readdress(hash) {
  history.replaceState(history.state, '', hash);
  current.hash = hash;
}

function find(hash) {
  const [path, query = ''] = hash.split('?');
  const parts = path.split('/');
  for (const {parts: wanted, tab, screen} of routes) {
    if (wanted.length !== parts.length) continue;
    const values = {};
    const fits = wanted.every((part, index) => {
      if (!part.startsWith(':')) return part === parts[index];
      values[part.slice(1)] = parts[index];
      return /^[\w-]{1,64}$/.test(parts[index]);
    });
    if (fits) return {tab, screen, values, query: new URLSearchParams(query), hash};
  }
  return {tab: null, screen: lost, values: {}, query: new URLSearchParams(query), hash};
}

/** Names the screen: the document's title, and what is announced; home has the shop's name alone. */
export function title(text, {silent = false} = {}) {
  document.title = text ? `${text} · Welm’s Delivery` : 'Welm’s Delivery';
  if (!silent) say(text);
}

function show() {
  const hash = location.hash || '#/';
  if (hash === current.hash) return;
  const isFirst = current.hash === null;
  scrolls.set(current.key, scrollY);
  // An entry of the history that has a key was seen before: this is the way back, or forward again.
  const key = history.state?.key ?? (keys += 1);
  if (!history.state?.key) history.replaceState({key}, '');
  const top = scrolls.get(key) ?? 0;
  // A dialog belongs to the screen that opened it.
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  current.end?.();
  const found = find(hash);
  const main = document.getElementById('main');
  // For base.css.
  document.documentElement.dataset.screen = found.tab ?? '';
  for (const tab of document.querySelectorAll('[data-tab]')) {
    if (tab.dataset.tab === found.tab) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  const place = document.createElement('div');
  place.className = 'screen';
  main.replaceChildren(place);
  current = {hash, key, end: null};
  const isCurrent = () => current.hash === hash && place.isConnected;
  /** Called when the content has come: the page is long enough only now. */
  const restore = () => top > 0 && isCurrent() && scrollTo({top, behavior: 'instant'});
  current.end = found.screen(place, {...found.values, query: found.query, isFirst, restore}) ?? null;
  if (isFirst) return;
  scrollTo({top, behavior: 'instant'});
  // A screen that is still loading focuses its heading when it has one.
  const heading = place.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
}

/** Starts to follow the address. `otherwise` is the screen of an address that leads nowhere. */
export function startRouter(otherwise) {
  lost = otherwise;
  history.scrollRestoration = 'manual';
  addEventListener('hashchange', show);
  show();
}
