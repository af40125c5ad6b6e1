// Asks the public API. Reads are repeated with the ETag of what is held, so that the unchanged costs a 304, and the menu that was read last is there
// without a network; what goes wrong is thrown as a Problem with the server's code and words for people. Read next: basket.js and screens/.

import {learn} from './clock.js';
import {menuIsIn} from './lang.js';
import {timeLimit} from './parts/timeLimit.js';
import {keepAnswer, keptAnswer} from './store.js';
import {asked, t, told, wordsOf} from './words.js';

/** What the server refused, or why it could not be asked (`offline`, `unreachable`). */
export class Problem extends Error {
  constructor(status, code, detail, body = {}) {
    super(detail);
    // Everything but the answer of a proxy or a captive portal.
    this.isFromShop = true;
    Object.assign(this, {status, code, detail, body, errors: (body.errors ?? []).map((error) => ({...error, message: told(error)})), retryAfter: 0});
  }

  /** Whether it may go well when it is tried again. */
  get passes() { return this.status === 0 || this.status >= 500 || !this.isFromShop; }
}

/** Fires `stale` with the seconds of Menu-Stale (0 when fresh), `reached` and `unreached`. */
export const network = new EventTarget();

const held = new Map();
const heldLimit = 200;

/** Sends a request, with a file as it is and all else as JSON, and returns {status, body, headers}; throws Problem for everything but 2xx and 304. */
export async function ask(method, path, {body, headers = {}, timeout = 10_000, signal} = {}) {
  const all = {Accept: 'application/json', ...asked ? {'Accept-Language': asked} : {}, ...headers};
  const isFile = body instanceof Blob;
  if (body !== undefined && !isFile) all['Content-Type'] = 'application/json';
  const limit = timeLimit(timeout, signal);
  let response, text, answered;
  try {
    response = await (askedEarly(path) ?? fetch(path, {
      method, headers: all, body: body === undefined || isFile ? body : JSON.stringify(body), cache: 'no-store',
      signal: limit.signal,
    }));
    signal?.throwIfAborted();
    text = await response.text();
    answered = isJSON(response) ? parse(text) : null;
    // A captive portal answers every address with a page of its own.
    if (response.ok && text && answered === null) throw new TypeError('this is no answer of the shop');
  } catch (error) {
    if (signal?.aborted) throw error;
    network.dispatchEvent(new Event('unreached'));
    throw navigator.onLine === false
      ? new Problem(0, 'offline', t('No internet connection.'))
      : new Problem(0, 'unreachable', t('We can’t reach the kitchen at the moment.'));
  } finally {
    limit.end();
  }
  network.dispatchEvent(new Event('reached'));
  learn(response.headers);
  const answer = {status: response.status, headers: response.headers, body: answered};
  // An order, or a quote beside what was asked.
  const bill = answer.body?.quote ?? answer.body;
  if (bill?.totals) bill.titlesAreIn = response.headers.get('Content-Language');
  if (response.ok || response.status === 304) return answer;
  const {code = 'unknown'} = answer.body ?? {};
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  const problem = new Problem(response.status, code, wordsOf(response.status, answer.body ?? {}, retryAfter), answer.body ?? {});
  problem.retryAfter = retryAfter;
  problem.isFromShop = typeof answer.body?.code === 'string';
  throw problem;
}

/** The answer that early.js has asked for already, once; none where that file did not come. */
function askedEarly(path) {
  const answer = globalThis.early?.get(path);
  globalThis.early?.delete(path);
  return answer;
}

/** Whether an answer has a media type of the API. */
const isJSON = ({headers}) => /^application\/(problem\+)?json\b/i.test(headers.get('Content-Type') ?? '');

function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Answers differ by the language. */
const nameOf = (path) => document.documentElement.lang + path;

/** Reads a path, from what is held if the server says that it is unchanged. `token` is an order's. */
export async function read(path, {token, signal} = {}) {
  const key = token ? `${path} ${token}` : path;
  const known = held.get(key);
  const headers = {};
  if (known) headers['If-None-Match'] = known.tag;
  if (token) headers.Authorization = `Bearer ${token}`;
  const isMenu = /^\/v1\/(home|menu|sales|categories)\b(?!.*[?&](q|seed|cursor)=)/.test(path);
  const isKept = isMenu || path === '/v1/shop';
  const answer = await ask('GET', path, {headers, signal}).catch(async (problem) => {
    // What was read last, though not now; `network` has told.
    const body = isKept && problem.status === 0 ? known?.body ?? await keptAnswer(nameOf(path)) : null;
    if (!body) throw problem;
    return {headers: new Headers(), body};
  });
  if (/^\/v1\/(home|menu|sales|categories|coupons)/.test(path)) {
    network.dispatchEvent(new CustomEvent('stale', {detail: Number(answer.headers.get('Menu-Stale')) || 0}));
  }
  if (isMenu) menuIsIn(answer.headers.get('Content-Language'));
  if (answer.status === 304 && known) return known.body;
  const tag = answer.headers.get('ETag');
  if (tag) {
    if (isKept) keepAnswer(nameOf(path), answer.body);
    if (held.size >= heldLimit) held.delete(held.keys().next().value);
    held.set(key, {tag, body: answer.body});
  }
  return answer.body;
}

/** Reads all pages of a list. `readPage` reads one; staff's shows their token. */
export async function readAll(path, readPage = read) {
  const all = [];
  let cursor = '';
  do {
    const page = await readPage(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    all.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor);
  return all;
}

/** Posts a body, or nothing. */
export const post = (path, body, options = {}) => ask('POST', path, {...options, body});

/** What was read last from a path, without asking; for drawing at once. */
export const remembered = (path) => held.get(path)?.body;
