// The token that lets staff in. It stays in this tab's session storage, goes out in the Authorization header and never stands in an address.
// A server that takes it no longer leads back to the door. Whose it is, and what they may do, the server tells. Used by everything here that asks it.

import {ask, read} from '../api.js';
import {el, fill} from '../dom.js';
import {field} from '../field.js';
import {watchReads} from './connection.js';

const name = 'welms.staff';
let held = null;
let member = null;

/** The token, or null. */
export function token() {
  try {
    return sessionStorage.getItem(name) ?? held;
  } catch {
    return held;
  }
}

/** Whether somebody is in. */
export const hasToken = () => token() !== null;

/** Who is in: {name, role, permissions}. */
export const who = () => member;

/** Whether who is in may do that; the server refuses it all the same. */
export const may = (permission) => member.permissions.includes(permission);

/** Asks the server who is in, until it tells; `waiting` is told what keeps it. */
export async function meet(waiting) {
  // Nothing is shown before, no order either.
  const reads = watchReads('orders');
  while (!member) {
    const problem = await reads.attempt(async () => { member = await readStaff('/v1/staff/me'); });
    if (!problem) break;
    waiting(`${problem.detail} We keep trying.`);
    await new Promise((done) => setTimeout(done, 2_000));
  }
}

function keep(text) {
  held = text;
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // It lasts as long as the page.
  }
}

/** Goes out; whatever was on the screen goes with the page. `why` is told at the door. */
export function leave(why = '') {
  keep(null);
  try {
    if (why) sessionStorage.setItem(`${name}.why`, why);
  } catch {
    // Then the door stands there without a word.
  }
  location.reload();
}

function reason() {
  try {
    const why = sessionStorage.getItem(`${name}.why`);
    sessionStorage.removeItem(`${name}.why`);
    return why;
  } catch {
    return null;
  }
}

async function guarded(work) {
  try {
    return await work();
  } catch (problem) {
    if (problem.status === 401) leave('This token is no longer valid. Please enter your new one.');
    throw problem;
  }
}

/** Reads a path of staff, from what is held if it is unchanged. */
export const readStaff = (path) => guarded(() => read(path, {token: token()}));

/** Sends a body to a path of staff, and returns the answer's. */
export const askStaff = (method, path, body, more) => guarded(async () => (await ask(method, path, {body, headers: {Authorization: `Bearer ${token()}`}, ...more})).body);
export const postStaff = (path, body) => askStaff('POST', path, body);

/** Asks for the token and tries it; `enter` is called when the server has taken it. */
export function openDoor(place, enter) {
  const given = field('token', 'Staff token', {type: 'password', autocomplete: 'off', spellcheck: 'false', maxlength: 1000});
  const button = el('button.button.big', {type: 'submit'}, 'Sign in');
  const form = el('form.door', {novalidate: true, onsubmit: submit},
    el('h1', {tabindex: '-1'}, 'Staff only'),
    el('p.quiet', {}, 'Enter your personal token. You get it from the person who runs the server. This tab keeps it until you sign out or close the tab.'),
    given.node, el('p.row', {}, button));

  async function submit(event) {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    const text = given.input.value.trim();
    // A header can carry visible ASCII only; anything else is no token.
    const isToken = text && [...text].every((sign) => sign > ' ' && sign <= '~');
    if (!isToken) return refuse(text ? 'A token has no spaces and no letters with accents.' : 'Please enter the token.');
    button.setAttribute('aria-busy', 'true');
    try {
      member = (await ask('GET', '/v1/staff/me', {headers: {Authorization: `Bearer ${text}`}})).body;
      keep(text);
      enter();
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.status === 401 ? 'This token is unknown or was withdrawn. The person who runs the server can create a new one: welms staff add' : problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function refuse(why) {
    given.showError(why);
    given.input.focus();
    given.input.select();
  }

  fill(place, form);
  given.showError(reason());
  given.input.focus();
}
