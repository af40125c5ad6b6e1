// How screens come to their content: what stands while it loads, the error screen with its reason and a retry, and the way back by itself.
// Used by every screen that reads from the server.

import {faults, reach} from '../condition.js';
import {el, fill} from '../dom.js';
import {loadPart} from '../parts/loadPart.js';
import {reloadPage} from '../parts/reload.js';
import {zoneIsRead} from '../parts/timeZone.js';
import {title} from '../router.js';
import {t, told} from '../words.js';

/** The screen of a fault: what it is, and what can be done. */
export function faultScreen(place, heading, reason, retry) {
  const button = retry ? el('button.button.big', {type: 'button', onclick: () => retry(true)}, t('Try again')) : null;
  const h1 = el('h1', {tabindex: '-1'}, heading);
  fill(place, el('section.fault', {role: 'alert'},
    el('div.plate', {'aria-hidden': 'true'}), h1, el('p', {}, reason),
    retry ? el('p.quiet', {}, t('We’ll keep trying. Your basket is saved.')) : null,
    el('p.row', {}, button, el('a.button.plain', {href: '#/basket'}, t('Go to the basket')))));
  title(heading, {silent: true});
}

/** The screen of a page whose version is gone from the server. */
function outdatedScreen(place, reason) {
  const heading = t('There is a newer version');
  fill(place, el('section.fault', {role: 'alert'},
    el('div.plate', {'aria-hidden': 'true'}), el('h1', {tabindex: '-1'}, heading), el('p', {}, reason),
    el('p.row', {}, el('button.button.big', {type: 'button', onclick: reloadPage}, t('Reload')))));
  title(heading, {silent: true});
}

/** Of an address that leads nowhere. */
export function lostScreen(place) {
  const heading = t('This page is not on the menu');
  fill(place, el('section.fault', {}, el('div.plate', {'aria-hidden': 'true'}), el('h1', {tabindex: '-1'}, heading),
    el('p', {}, t('The address may be mistyped, or the dish is no longer available.')),
    el('p.row', {}, el('a.button.big', {href: '#/menu'}, t('See the menu')), el('a.button.plain', {href: '#/'}, t('Home')))));
  title(heading);
}

/** What stands where nothing is yet, and where to go from there. */
export const nothingYet = (text, link = t('See the menu')) => el('section.fault.nothing', {},
  el('div.plate', {'aria-hidden': 'true'}), el('p.empty', {}, text), el('p', {}, el('a.button.big', {href: '#/menu'}, link)));

const holdsFocus = (place) => place.contains(document.activeElement) || document.activeElement === document.getElementById('main');

/** What was drawn anew has taken the focus away with it: the heading gets it, so that the keyboard goes on from there. */
function keepFocus(place, hadFocus) {
  const heading = place.querySelector('h1');
  if (!heading || !hadFocus || place.contains(document.activeElement)) return;
  heading.tabIndex = -1;
  heading.focus({preventScroll: true});
}

/** Draws with what `work` reads. Returns what ends it, for the router.
 *  `ofMenu`: gives way to the error screen while the error channel says that the menu has a fault. */
export function loading(place, route, waiting, work, {ofMenu = false} = {}) {
  let shows = 'nothing', isOld = false, ended = false, attempt = 0, inner = null, timer = 0;
  const ends = [];

  async function draw(byHand = false) {
    attempt += 1;
    const mine = attempt;
    clearTimeout(timer);
    const fault = ofMenu && faults.value.menu;
    if (fault) return showFault(t('The menu is unavailable right now'), told(fault));
    if (shows === 'nothing') waiting(place);
    try {
      const [content] = await Promise.all([work(), zoneIsRead()]);
      if (ended || mine !== attempt) return;
      const hadFocus = holdsFocus(place) || byHand;
      inner?.();
      inner = null;
      const end = content(place);
      // A node that a screen returned by mistake made every later navigation throw.
      inner = typeof end === 'function' ? end : null;
      const isNew = shows === 'nothing';
      shows = 'content';
      isOld = reach.value !== 'ok';
      keepFocus(place, hadFocus);
      if (isNew) route.restore();
    } catch (problem) {
      if (ended || mine !== attempt) return;
      if (problem.code === undefined) throw problem;
      // What is refused is refused again; only what may pass is looked at again.
      if (problem.code === 'page_outdated') return outdatedScreen(place, problem.detail);
      if (!problem.passes && problem.status !== 429) return faultScreen(place, t('There is nothing here'), problem.detail, null);
      const heading = ofMenu ? t('The menu can’t be loaded right now') : t('This can’t be loaded right now');
      showFault(problem.code === 'offline' ? t('You are offline') : heading, problem.detail);
      timer = setTimeout(draw, Math.max(problem.retryAfter, 3) * 1_000);
    }
  }

  function showFault(heading, reason) {
    if (shows === 'fault' && place.querySelector('h1')?.textContent === heading) return;
    const hadFocus = holdsFocus(place);
    inner?.();
    inner = null;
    shows = 'fault';
    faultScreen(place, heading, reason, draw);
    keepFocus(place, hadFocus);
  }

  if (ofMenu) {
    ends.push(faults.watch((open) => {
      if (open.menu ? shows !== 'fault' : shows === 'fault') draw();
    }));
  }
  ends.push(reach.watch((now) => now === 'ok' && (shows === 'fault' || isOld) && draw()));
  draw();
  return () => {
    ended = true;
    clearTimeout(timer);
    inner?.();
    for (const end of ends) end();
  };
}

/** A screen whose module, which has this path, is loaded when it is opened. */
export const later = (heading, name, load) => (place, route) => loading(place, route,
  () => fill(place, el('h1', {}, heading), el('p.quiet', {}, t('One moment…'))),
  async () => {
    const screen = await loadPart(name, load);
    return () => screen(place, route);
  });
