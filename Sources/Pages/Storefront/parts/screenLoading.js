// Loads the content of a screen: a placeholder first, an error screen with a retry button on failure, and automatic
// retries.

import {Problem} from './api.js';
import {el, replaceChildren} from './dom.js';
import {faults, reachability} from './faultMonitor.js';
import {loadPart} from './loadPart.js';
import {reloadPage} from './reload.js';
import {setTitle} from './router.js';
import {loadTimeZone} from './timeZone.js';
import {errorText, t} from './translation.js';

/** @typedef {import('./router.js').Screen} Screen */
/** @typedef {import('./router.js').Route} Route */

/**
 * The error screen, with the reason and the possible actions.
 * @param {HTMLElement} container
 * @param {string} heading
 * @param {string} reason
 * @param {((isRetry: boolean) => void) | null} retry
 */
function faultScreen(container, heading, reason, retry) {
  const button = retry ? el('button.button.big', {type: 'button', onclick: () => retry(true)}, t('Try again')) : null;
  const h1 = el('h1', {tabindex: '-1'}, heading);
  replaceChildren(container, el('section.fault', {role: 'alert'},
    el('div.plate', {'aria-hidden': 'true'}), h1, el('p', {}, reason),
    retry ? el('p.quiet', {}, t('We’ll keep trying. Your basket is saved.')) : null,
    el('p.row', {}, button, el('a.button.plain', {href: '#/basket'}, t('Go to the basket')))));
  setTitle(heading, {silent: true});
}

/**
 * The screen for a page version that the server no longer has.
 * @param {HTMLElement} container
 * @param {string} reason
 */
function outdatedScreen(container, reason) {
  const heading = t('There is a newer version');
  replaceChildren(container, el('section.fault', {role: 'alert'},
    el('div.plate', {'aria-hidden': 'true'}), el('h1', {tabindex: '-1'}, heading), el('p', {}, reason),
    el('p.row', {}, el('button.button.big', {type: 'button', onclick: reloadPage}, t('Reload')))));
  setTitle(heading, {silent: true});
}

/**
 * The screen for an unknown address.
 * @param {HTMLElement} container
 */
export function notFoundScreen(container) {
  const heading = t('This page does not exist');
  replaceChildren(container,
    el('section.fault', {}, el('div.plate', {'aria-hidden': 'true'}), el('h1', {tabindex: '-1'}, heading),
    el('p', {}, t('The address may be mistyped, or the dish is no longer available.')),
    el('p.row', {}, el('a.button.big', {href: '#/menu'}, t('See the menu')),
      el('a.button.plain', {href: '#/'}, t('Home')))));
  setTitle(heading);
}

/**
 * An empty state with a link to the menu.
 * @param {string} text
 * @param {string} [link]
 */
export const emptyState = (text, link = t('See the menu')) => el('section.fault.nothing', {},
  el('div.plate', {'aria-hidden': 'true'}), el('p.empty', {}, text),
  el('p', {}, el('a.button.big', {href: '#/menu'}, link)));

/** @param {HTMLElement} container */
const hasFocusIn = (container) => container.contains(document.activeElement)
  || document.activeElement === document.getElementById('main');

/**
 * Focuses the heading if a redraw has removed the focused element, so that keyboard users continue from there.
 * @param {HTMLElement} container
 * @param {boolean} hadFocus
 */
function moveFocusToHeading(container, hadFocus) {
  const heading = container.querySelector('h1');
  if (!heading || !hadFocus || container.contains(document.activeElement)) return;
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
}

/**
 * Draws the content that `read` returns. Returns a function that ends the screen. With `ofMenu` a menu fault shows the
 * error screen.
 * @param {HTMLElement} container
 * @param {Route} route
 * @param {(container: HTMLElement) => void} drawWaiting
 * @param {() => Promise<(container: HTMLElement) => unknown>} read
 * @param {{ofMenu?: boolean}} options
 */
export function loadScreen(container, route, drawWaiting, read, {ofMenu = false} = {}) {
  /** @type {(() => void) | null} */
  let endContent = null;
  let shown = 'nothing', isStale = false, isEnded = false, attempt = 0, timer = 0;
  /** @type {Array<() => void>} */
  const ends = [];

  /** @param {boolean} [isRetry] @returns {Promise<void>} */
  async function draw(isRetry = false) {
    attempt += 1;
    const ownAttempt = attempt;
    clearTimeout(timer);
    const fault = ofMenu && faults.value.menu;
    if (fault) return showFault(t('The menu is unavailable right now'), errorText(fault));
    if (shown === 'nothing') drawWaiting(container);
    try {
      const [content] = await Promise.all([read(), loadTimeZone()]);
      if (isEnded || ownAttempt !== attempt) return;
      const hadFocus = hasFocusIn(container) || isRetry;
      endContent?.();
      endContent = null;
      const end = content(container);
      // Ignores any other value: a screen that returned a node by mistake would make every later navigation throw.
      endContent = typeof end === 'function' ? () => end() : null;
      const isNew = shown === 'nothing';
      shown = 'content';
      isStale = reachability.value !== 'ok';
      moveFocusToHeading(container, hadFocus);
      if (isNew) route.restore();
    } catch (problem) {
      if (isEnded || ownAttempt !== attempt) return;
      if (!(problem instanceof Problem)) throw problem;
      // A rejection is final. Only transient failures and 429 are retried.
      if (problem.code === 'page_outdated') return outdatedScreen(container, problem.detail);
      if (!problem.isTransient && problem.status !== 429) {
        return faultScreen(container, t('There is nothing here'), problem.detail, null);
      }
      const heading = ofMenu ? t('The menu can’t be loaded right now') : t('This can’t be loaded right now');
      showFault(problem.code === 'offline' ? t('You are offline') : heading, problem.detail);
      timer = setTimeout(draw, Math.max(problem.retryAfter, 3) * 1_000);
    }
  }

  /** @param {string} heading @param {string} reason */
  function showFault(heading, reason) {
    if (shown === 'fault' && container.querySelector('h1')?.textContent === heading) return;
    const hadFocus = hasFocusIn(container);
    endContent?.();
    endContent = null;
    shown = 'fault';
    faultScreen(container, heading, reason, draw);
    moveFocusToHeading(container, hadFocus);
  }

  if (ofMenu) {
    ends.push(faults.watch((open) => {
      if (open.menu ? shown !== 'fault' : shown === 'fault') void draw();
    }));
  }
  ends.push(reachability.watch((current) => current === 'ok' && (shown === 'fault' || isStale) && draw()));
  void draw();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    endContent?.();
    for (const end of ends) end();
  };
}

/**
 * A screen whose module is loaded when the screen opens. The module exports a screen with its own name.
 * @param {string} heading
 * @param {string} name
 * @param {() => Promise<Record<string, Screen>>} load
 */
export function lazyScreen(heading, name, load) {
  /** @param {HTMLElement} container */
  const drawWaiting = (container) =>
    replaceChildren(container, el('h1', {}, heading), el('p.quiet', {}, t('One moment…')));
  /** @param {HTMLElement} container @param {Route} route */
  const screen = (container, route) => loadScreen(container, route, drawWaiting, async () => {
    const loaded = (await loadPart(name, load))[name.replace(/^.*\//, '')];
    return () => loaded(container, route);
  });
  return Object.assign(screen, {preload: () => loadPart(name, load)});
}
