// The entry module of the staff page: sign-in, then five tabs. All tabs stay in the document, and one of them is shown.
// Tabs that the member's role does not permit are removed.

import {askToConfirm} from '../parts/confirmation.js';
import {announce, el, replaceChildren} from '../parts/dom.js';
import {reportUnexpectedErrors} from '../parts/reloadOffer.js';
import {required} from '../parts/required.js';
import {startTheme} from '../parts/theme.js';
import {loadTimeZone, zoneNote} from '../parts/timeZone.js';
import {auditSection} from './auditSection.js';
import {currentMember, hasToken, isPermitted, loadMember, showSignIn, signOut} from './authentication.js';
import {boardOrders, startBoardOrders} from './boardOrders.js';
import {startConnectionBanner} from './connectionBanner.js';
import {errorsTab} from './errorsTab.js';
import {menuTab} from './menuTab.js';
import {ordersTab} from './ordersTab.js';
import {shopTab} from './shopTab.js';
import {startStaffEvents} from './staffEvents.js';
import {todayTab} from './todayTab.js';

/** @typedef {import('../parts/dom.js').Child} Child */
/** @typedef {{title: string, nodes: Child[]}} TabContent The heading of a tab, and what it shows. */

const main = required(document.getElementById('main'));
const tabs = required(document.getElementById('tabs'));
const states = required(document.getElementById('states'));
const signOutButton = required(document.getElementById('leave'));
let tabNames = ['orders', 'menu', 'shop', 'today', 'errors'];

/**
 * The link of a tab.
 * @param {string} name
 */
function tabLink(name) {
  /** @type {HTMLElement | null} */
  const link = tabs.querySelector(`[data-tab=${name}]`);
  return required(link);
}

/**
 * Focuses the heading of a tab.
 * @param {string} tabSelector
 * @param {FocusOptions} [options]
 */
function focusHeading(tabSelector, options) {
  /** @type {HTMLElement | null} */
  const heading = document.querySelector(`${tabSelector} h1`);
  heading?.focus(options);
}

/** Shows the tab that the URL's hash names. */
function showTab({isNavigation = true} = {}) {
  const hash = location.hash.slice(1);
  const selected = tabNames.includes(hash) ? hash : 'orders';
  for (const name of tabNames) {
    required(document.getElementById(name)).hidden = name !== selected;
    const link = tabLink(name);
    if (name === selected) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  states.hidden = selected !== 'orders';
  if (!isNavigation) return;
  scrollTo({top: 0, behavior: 'instant'});
  focusHeading(`#${selected}`, {preventScroll: true});
}

/**
 * Returns a function that shows a number on a tab; `unit` says what is counted.
 * @param {string} tab
 * @param {string} unit
 * @returns {(number: number) => void}
 */
function badge(tab, unit) {
  const link = tabLink(tab);
  /** @type {HTMLElement | null} */
  const countNode = link.querySelector('.count');
  const count = required(countNode);
  const name = required(link.querySelector('span')).textContent;
  return (number) => {
    count.hidden = number === 0;
    count.textContent = String(number);
    if (number) link.setAttribute('aria-label', `${name}, ${number} ${unit}`);
    else link.removeAttribute('aria-label');
    if (tab === 'orders') document.title = `${number ? `(${number}) ` : ''}Staff · Welm’s Delivery`;
  };
}

function showTabs() {
  delete document.documentElement.dataset.in;
  const zone = zoneNote();
  /** @param {string} id @param {TabContent} part */
  const section = (id, part) => el('section.part', {id},
    el('h1', {tabindex: '-1'}, part.title), zone ? el('p.quiet.zone', {}, zone) : null, part.nodes);
  const {name, role} = currentMember();
  signOutButton.title = `${name}, ${role}`;
  signOutButton.hidden = false;
  if (!isPermitted('read_figures')) {
    tabNames = tabNames.filter((tab) => tab !== 'today');
    tabLink('today').remove();
  }
  tabs.hidden = false;
  replaceChildren(main,
    section('orders', ordersTab(badge('orders', 'new'), states)),
    section('menu', menuTab(badge('menu', 'sold out'))),
    section('shop', shopPart()),
    isPermitted('read_figures') ? section('today', todayTab()) : null,
    section('errors', errorsTab(badge('errors', 'open'))));
  addEventListener('hashchange', () => showTab());
  showTab({isNavigation: false});
  startBoardOrders();
  startStaffEvents();
}

/** The Shop tab with the signed-in member, and for managers the audit of changes. */
function shopPart() {
  const {name, role} = currentMember();
  const {title, nodes} = shopTab(badge('shop', 'paused'));
  const member = el('p.quiet', {id: 'who'}, 'Signed in as ', el('b', {}, name), ` (${role}).`);
  return {title, nodes: [member, ...nodes, isPermitted('read_audit') ? auditSection() : null]};
}

reportUnexpectedErrors();
// The default action of the skip link would change the hash, which selects the tab.
required(document.querySelector('.skip')).addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
signOutButton.addEventListener('click', async () => {
  const openCount = boardOrders.value?.open.length ?? 0;
  const openText = openCount === 1 ? 'An order is still open' : `${openCount} orders are still open`;
  const text = `${openText}. After you sign out, this tab shows no new orders and makes no sound.`;
  if (!openCount || await askToConfirm('Sign out?', text, {yes: 'Sign out', no: 'Stay signed in'})) signOut();
});
startTheme(required(document.getElementById('theme')));
startConnectionBanner(required(document.getElementById('banner')));
if (hasToken()) {
  const status = el('p.quiet', {}, 'One moment…');
  replaceChildren(main, status);
  await Promise.all([loadMember((text) => { status.textContent = text; }), loadTimeZone()]);
  showTabs();
} else {
  // Starts to load the time zone while the member types the token.
  void loadTimeZone();
  showSignIn(main, async () => {
    await loadTimeZone();
    showTabs();
    focusHeading('.part:not([hidden])');
    announce('You are signed in.');
  });
}
