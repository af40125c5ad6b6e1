// The staff's page starts here: the door first, then five tabs that all live on while one of them is seen. What one's role may not do isn't there.
// Read next: door.js, then board.js, stock.js, shop.js, figures.js, faults.js.

import {el, fill, say} from '../dom.js';
import {reportUnexpectedErrors} from '../parts/reloadOffer.js';
import {zoneIsRead, zoneNote} from '../parts/timeZone.js';
import {question} from '../question.js';
import {startTheme} from '../theme.js';
import {board} from './board.js';
import {changes} from './changes.js';
import {startBanner} from './connection.js';
import {hasToken, leave, may, meet, openDoor, who} from './door.js';
import {startEvents} from './events.js';
import {faultList} from './faults.js';
import {figures} from './figures.js';
import {orders, startOrders} from './orders.js';
import {shop} from './shop.js';
import {stock} from './stock.js';

const main = document.getElementById('main');
const tabs = document.getElementById('tabs');
const states = document.getElementById('states');
let names = ['orders', 'menu', 'shop', 'today', 'errors'];

/** Shows the tab of the address. */
function showTab({moved = true} = {}) {
  const wanted = names.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'orders';
  for (const name of names) {
    document.getElementById(name).hidden = name !== wanted;
    const tab = tabs.querySelector(`[data-tab=${name}]`);
    if (name === wanted) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  states.hidden = wanted !== 'orders';
  if (!moved) return;
  scrollTo({top: 0, behavior: 'instant'});
  document.querySelector(`#${wanted} h1`).focus({preventScroll: true});
}

/** A number on a tab; `words` says what it counts. */
function badge(tab, words) {
  const link = tabs.querySelector(`[data-tab=${tab}]`);
  const count = link.querySelector('.count');
  const name = link.querySelector('span').textContent;
  return (many) => {
    count.hidden = many === 0;
    count.textContent = String(many);
    if (many) link.setAttribute('aria-label', `${name}, ${many} ${words}`);
    else link.removeAttribute('aria-label');
    if (tab === 'orders') document.title = `${many ? `(${many}) ` : ''}Staff · Welm’s Delivery`;
  };
}

function work() {
  delete document.documentElement.dataset.in;
  const zone = zoneNote();
  const section = (id, part) => el('section.part', {id},
    el('h1', {tabindex: '-1'}, part.title), zone ? el('p.quiet.zone', {}, zone) : null, part.nodes);
  const {name, role} = who();
  const leaving = document.getElementById('leave');
  leaving.title = `${name}, ${role}`;
  leaving.hidden = false;
  if (!may('read_figures')) {
    names = names.filter((tab) => tab !== 'today');
    tabs.querySelector('[data-tab=today]').remove();
  }
  tabs.hidden = false;
  fill(main,
    section('orders', board(badge('orders', 'new'), states)), section('menu', stock(badge('menu', 'sold out'))),
    section('shop', shopPart()), may('read_figures') ? section('today', figures()) : null, section('errors', faultList(badge('errors', 'open'))));
  addEventListener('hashchange', () => showTab());
  showTab({moved: false});
  startOrders();
  startEvents();
}

/** The tab of the shop: also who is in, and for managers what was changed. */
function shopPart() {
  const {name, role} = who();
  const {title, nodes} = shop(badge('shop', 'paused'));
  return {title, nodes: [el('p.quiet', {id: 'who'}, 'Signed in as ', el('b', {}, name), ` (${role}).`), ...nodes, may('read_audit') ? changes() : null]};
}

reportUnexpectedErrors();
// The skip link would change the hash, which chooses the tab.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById('leave').addEventListener('click', async () => {
  const many = orders.value?.open.length ?? 0;
  const words = many === 1 ? 'An order is still open' : `${many} orders are still open`;
  const text = `${words}. After you sign out, this tab shows no new orders and makes no sound.`;
  if (!many || await question('Sign out?', text, {yes: 'Sign out', no: 'Stay signed in'})) leave();
});
startTheme(document.getElementById('theme'));
startBanner(document.getElementById('banner'));
if (hasToken()) {
  const waiting = el('p.quiet', {}, 'One moment…');
  fill(main, waiting);
  await Promise.all([meet((why) => { waiting.textContent = why; }), zoneIsRead()]);
  work();
} else {
  // While the token is typed.
  zoneIsRead();
  openDoor(main, async () => {
    await zoneIsRead();
    work();
    document.querySelector('.part:not([hidden]) h1').focus();
    say('You are signed in.');
  });
}
