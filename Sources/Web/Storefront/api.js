// Asks the public API. Reads are repeated with the ETag of what is held, so that the unchanged costs a 304; what goes wrong is thrown as a
// Problem with the server's code and words for people. Read next: basket.js and screens/.

import {learn} from './clock.js';
import {wordsOf} from './words.js';

/** What the server refused, or why it could not be asked (`offline`, `unreachable`). */
export class Problem extends Error {
  constructor(status, code, detail, body = {}) {
    super(detail);
    Object.assign(this, {status, code, detail, body, errors: body.errors ?? [], retryAfter: 0});
  }

  /** Whether it may go well when it is tried again. */
  get passes() { return this.status === 0 || this.status >= 500; }
}

/** Fires `stale` with the seconds of Menu-Stale (0 when fresh), `reached` and `unreached`. */
export const network = new EventTarget();

const held = new Map();
const heldLimit = 200;

/** Sends a request and returns {status, body, headers}; throws Problem for everything but 2xx and 304. */
export async function ask(method, path, {body, headers = {}, timeout = 10_000, signal} = {}) {
  const all = {Accept: 'application/json', ...headers};
  if (body !== undefined) all['Content-Type'] = 'application/json';
  const limit = AbortSignal.timeout(timeout);
  let response, text;
  try {
    response = await fetch(path, {
      method, headers: all, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    network.dispatchEvent(new Event('unreached'));
    throw navigator.onLine === false
      ? new Problem(0, 'offline', 'There is no network here.')
      : new Problem(0, 'unreachable', 'We can’t reach the kitchen at the moment.');
  }
  network.dispatchEvent(new Event('reached'));
  learn(response.headers);
  const answer = {status: response.status, headers: response.headers, body: parse(text)};
  if (response.ok || response.status === 304) return answer;
  const {code = 'unknown', detail} = answer.body ?? {};
  const problem = new Problem(response.status, code, wordsOf(response.status, code, detail), answer.body ?? {});
  problem.retryAfter = Number(response.headers.get('Retry-After')) || 0;
  throw problem;
}

function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Reads a path, from what is held if the server says that it is unchanged. `token` is an order's. */
export async function read(path, {token, signal} = {}) {
  const key = token ? `${path} ${token}` : path;
  const known = held.get(key);
  const headers = {};
  if (known) headers['If-None-Match'] = known.tag;
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await ask('GET', path, {headers, signal});
  if (/^\/v1\/(home|menu|sales|categories|coupons)/.test(path)) {
    network.dispatchEvent(new CustomEvent('stale', {detail: Number(answer.headers.get('Menu-Stale')) || 0}));
  }
  if (answer.status === 304 && known) return known.body;
  const tag = answer.headers.get('ETag');
  if (tag) {
    if (held.size >= heldLimit) held.delete(held.keys().next().value);
    held.set(key, {tag, body: answer.body});
  }
  return answer.body;
}

/** Posts a body, or nothing. */
export const post = (path, body, options = {}) => ask('POST', path, {...options, body});

/** A module that is loaded when it is needed, or why it can't be had. */
export const fetched = (module) => module.catch(() => {
  throw new Problem(0, 'unreachable', 'This part of the page can’t be had at the moment.');
});

/** What was read last from a path, without asking; for drawing at once. */
export const remembered = (path) => held.get(path)?.body;
