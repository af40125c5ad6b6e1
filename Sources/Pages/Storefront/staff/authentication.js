// Staff authentication. The token stays in the session storage of this tab, is sent in the Authorization header and
// never appears in a URL. A rejected token signs the member out. The server reports the member and the permissions.

import {Problem, read, request} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {required} from '../parts/required.js';
import {sleep} from '../parts/sleep.js';
import {monitorReads} from './connectionBanner.js';

/** @typedef {API.StaffMember['permissions'][number]} Permission */
/** @typedef {import('../parts/api.js').RequestOptions} RequestOptions */

const storageName = 'welms.staff';
/** @type {string | null} */
let memoryToken = null;
/** @type {API.StaffMember | null} */
let member = null;

/** The token, or null. */
export function staffToken() {
  try {
    return sessionStorage.getItem(storageName) ?? memoryToken;
  } catch {
    return memoryToken;
  }
}

/** Whether this tab has a token. */
export const hasToken = () => staffToken() !== null;

/** The member who is signed in. Throws before the sign-in. */
export const currentMember = () => required(member);

/**
 * Whether the member has a permission. The server checks it too.
 * @param {Permission} permission
 */
export const isPermitted = (permission) => currentMember().permissions.includes(permission);

/**
 * Loads the member and retries until it succeeds; `onProblem` gets the text of each failure.
 * @param {(text: string) => void} onProblem
 */
export async function loadMember(onProblem) {
  // The banner reports this read as a read of the orders, because the page shows no orders before it.
  const reads = monitorReads('orders');
  while (!member) {
    const problem = await reads.attempt(async () => { member = await readAsStaff('/v1/staff/me'); });
    if (!problem) break;
    onProblem(`${problem.detail} We keep trying.`);
    await sleep(2_000);
  }
}

/** @param {string | null} token */
function storeToken(token) {
  memoryToken = token;
  try {
    if (token === null) sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, token);
  } catch {
    // Without storage the token lasts as long as the page.
  }
}

/**
 * Signs out and reloads the page, so that nothing stays on the screen. The sign-in form shows `reason`.
 * @param {string} [reason]
 */
export function signOut(reason = '') {
  storeToken(null);
  try {
    if (reason) sessionStorage.setItem(`${storageName}.why`, reason);
  } catch {
    // Without storage the form shows no reason.
  }
  location.reload();
}

function takeSignOutReason() {
  try {
    const reason = sessionStorage.getItem(`${storageName}.why`);
    sessionStorage.removeItem(`${storageName}.why`);
    return reason;
  } catch {
    return null;
  }
}

/**
 * @template Value
 * @param {() => Promise<Value>} work
 */
async function withSignOut(work) {
  try {
    return await work();
  } catch (problem) {
    const isRejectedToken = problem instanceof Problem && problem.status === 401;
    if (isRejectedToken) signOut('This token is no longer valid. Please enter your new one.');
    throw problem;
  }
}

/**
 * Reads a path of the staff API, from the cache if it is unchanged.
 * @template {string} Path
 * @param {Path} path
 */
export const readAsStaff = (path) => withSignOut(() => read(path, {token: staffToken()}));

/**
 * Sends a body to a path of the staff API, and returns the body of the response.
 * @template {string} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {unknown} [body]
 * @param {Pick<RequestOptions, 'timeout' | 'signal'>} [options]
 */
export const requestAsStaff = (method, path, body, options) => withSignOut(async () => {
  const headers = {Authorization: `Bearer ${staffToken()}`};
  return (await request(method, path, {body, headers, ...options})).body;
});

/**
 * Sends a POST request to a path of the staff API, and returns the body of the response.
 * @template {string} Path
 * @param {Path} path
 * @param {unknown} [body]
 */
export const postAsStaff = (path, body) => requestAsStaff('POST', path, body);

/**
 * Shows the sign-in form in `parent`; calls `onSignIn` when the server has accepted the token.
 * @param {HTMLElement} parent
 * @param {() => unknown} onSignIn
 */
export function showSignIn(parent, onSignIn) {
  const tokenField = formField('token', 'Staff token', {
    type: 'password', autocomplete: 'off', spellcheck: 'false', maxlength: 1000,
  });
  const button = el('button.button.big', {type: 'submit'}, 'Sign in');
  const form = el('form.sign-in', {novalidate: true, onsubmit: submit},
    el('h1', {tabindex: '-1'}, 'Staff only'),
    el('p.quiet', {}, 'Enter your personal token. You get it from the person who runs the server. '
      + 'This tab keeps it until you sign out or close the tab.'),
    tokenField.node, el('p.row', {}, button));

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    const token = tokenField.input.value.trim();
    // A header can carry visible ASCII only.
    const isValid = token && [...token].every((character) => character > ' ' && character <= '~');
    if (!isValid) {
      return showError(token ? 'A token has no spaces and no letters with accents.' : 'Please enter the token.');
    }
    button.setAttribute('aria-busy', 'true');
    try {
      member = (await request('GET', '/v1/staff/me', {headers: {Authorization: `Bearer ${token}`}})).body;
      storeToken(token);
      onSignIn();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(problem.status === 401
        ? 'This token is unknown or was withdrawn. The person who runs the server can create a new one: '
          + 'welms staff add'
        : problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  /** @param {string} text */
  function showError(text) {
    tokenField.showError(text);
    tokenField.input.focus();
    tokenField.input.select();
  }

  replaceChildren(parent, form);
  tokenField.showError(takeSignOutReason());
  tokenField.input.focus();
}
