// Sends requests to the public API. Reads use ETags, so an unchanged resource costs a 304. The last menu stays
// available offline. Failures are thrown as a Problem, with the server's code and a text for people.

import {setMenuLanguage} from './menuLanguage.js';
import {syncClock} from './serverClock.js';
import {cacheAnswer, cachedAnswer} from './storage.js';
import {timeLimit} from './timeLimit.js';
import {acceptLanguage, errorText, problemText, t} from './translation.js';

/** A rejected request, or the reason why no request was possible (`offline`, `unreachable`). */
export class Problem extends Error {
  /** @param {number} status @param {string} code @param {string} detail @param {Partial<API.Problem>} [body] */
  constructor(status, code, detail, body = {}) {
    super(detail);
    // `request` sets it to false if a proxy or a captive portal has answered.
    this.isFromShop = true;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.body = body;
    this.errors = (body.errors ?? []).map((error) => ({...error, message: errorText(error)}));
    this.retryAfter = 0;
  }

  /** Whether a retry may succeed. */
  get isTransient() { return this.status === 0 || this.status >= 500 || !this.isFromShop; }
}

/**
 * Events: `stale` (`detail`: the seconds of the Menu-Stale header, 0 for a fresh menu), `reached` after each response,
 * and `unreached` after a request without a response.
 */
export const networkEvents = new EventTarget();

/** @type {Map<string, {tag: string, body: unknown}>} */
const cache = new Map();
const cacheLimit = 200;

/**
 * The cached answer of a path.
 * @template {string} Path
 * @param {Path} path
 * @param {string} [key]
 */
function cachedEntryOf(path, key = path) {
  return /** @type {{tag: string, body: API.Answer<'GET', Path>} | undefined} */ (cache.get(key));
}

/**
 * @typedef {object} RequestOptions
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @property {number} [timeout] In milliseconds.
 * @property {AbortSignal} [signal]
 */

/**
 * Sends a request and returns {status, body, headers}. A Blob is sent as it is, everything else as JSON. Throws a
 * Problem for every status except 2xx and 304.
 * @template {string} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {RequestOptions} options
 * @returns {Promise<{status: number, headers: Headers, body: API.Answer<Method, Path>}>}
 */
export async function request(method, path, {body, headers = {}, timeout = 10_000, signal} = {}) {
  /** @type {Record<string, string>} */
  const all = {Accept: 'application/json', ...acceptLanguage ? {'Accept-Language': acceptLanguage} : {}, ...headers};
  const isFile = body instanceof Blob;
  if (body !== undefined && !isFile) all['Content-Type'] = 'application/json';
  const limit = timeLimit(timeout, signal);
  /** @type {Response} */
  let response;
  let text, parsed;
  try {
    response = await (earlyResponse(path) ?? fetch(path, {
      method, headers: all, body: body === undefined || isFile ? body : JSON.stringify(body), cache: 'no-store',
      signal: limit.signal,
    }));
    signal?.throwIfAborted();
    text = await response.text();
    parsed = isJSON(response) ? parse(text) : null;
    // A captive portal answers every address with a page of its own.
    if (response.ok && text && parsed === null) throw new TypeError('this is no answer of the shop');
  } catch (error) {
    if (signal?.aborted) throw error;
    networkEvents.dispatchEvent(new Event('unreached'));
    throw navigator.onLine === false
      ? new Problem(0, 'offline', t('No internet connection.'))
      : new Problem(0, 'unreachable', t('We can’t reach the kitchen at the moment.'));
  } finally {
    limit.end();
  }
  networkEvents.dispatchEvent(new Event('reached'));
  syncClock(response.headers);
  const answer = {status: response.status, headers: response.headers, body: parsed};
  // Total lines have titles in the language of the response. An order has them itself; other bodies have a quote.
  const bill = answer.body?.quote ?? answer.body;
  if (bill?.totals) bill.titlesAreIn = response.headers.get('Content-Language');
  if (response.ok || response.status === 304) return answer;
  const {code = 'unknown'} = answer.body ?? {};
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  const problem = new Problem(response.status, code, problemText(response.status, answer.body ?? {},
    retryAfter), answer.body ?? {});
  problem.retryAfter = retryAfter;
  problem.isFromShop = typeof answer.body?.code === 'string';
  throw problem;
}

/**
 * The promise of the response that early.js has already requested, or undefined. Each promise can be taken once.
 * @param {string} path
 */
function earlyResponse(path) {
  const answer = globalThis.early?.get(path);
  globalThis.early?.delete(path);
  return answer;
}

/**
 * Whether the response has a media type of the API.
 * @param {Response} response
 */
const isJSON = ({headers}) => /^application\/(problem\+)?json\b/i.test(headers.get('Content-Type') ?? '');

/** @param {string} text */
function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/**
 * The key of a stored answer. It contains the page's language, because answers depend on the language.
 * @param {string} path
 */
const cacheName = (path) => document.documentElement.lang + path;

/**
 * Reads a path; returns the cached body if the server answers 304. `token` is an order token or a staff token.
 * @template {string} Path
 * @param {Path} path
 * @param {{token?: string | null, signal?: AbortSignal}} options
 * @returns {Promise<API.Answer<'GET', Path>>}
 */
export async function read(path, {token, signal} = {}) {
  const key = token ? `${path} ${token}` : path;
  const cachedEntry = cachedEntryOf(path, key);
  /** @type {Record<string, string>} */
  const headers = {};
  if (cachedEntry) headers['If-None-Match'] = cachedEntry.tag;
  if (token) headers.Authorization = `Bearer ${token}`;
  const isMenu = /^\/v1\/(home|menu|sales|categories)\b(?!.*[?&](q|seed|cursor)=)/.test(path);
  const isPersistent = isMenu || path === '/v1/shop';
  const answer = await request('GET', path, {headers, signal}).catch(async (problem) => {
    // Falls back to the last answer. `network` has already reported that the server is out of reach.
    const body = isPersistent && problem.status === 0 ? cachedEntry?.body ?? await cachedAnswer(cacheName(path)) : null;
    if (!body) throw problem;
    return {status: 0, headers: new Headers(), body};
  });
  if (/^\/v1\/(home|menu|sales|categories|coupons)/.test(path)) {
    networkEvents.dispatchEvent(new CustomEvent('stale', {detail: Number(answer.headers.get('Menu-Stale')) || 0}));
  }
  if (isMenu) setMenuLanguage(answer.headers.get('Content-Language'));
  if (answer.status === 304 && cachedEntry) return cachedEntry.body;
  const tag = answer.headers.get('ETag');
  if (tag) {
    if (isPersistent) void cacheAnswer(cacheName(path), answer.body);
    if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value);
    cache.set(key, {tag, body: answer.body});
  }
  return answer.body;
}

/**
 * Reads all pages of a list. `readPage` reads one page; the staff page passes a function that sends the staff token.
 * @template {string} Path
 * @param {Path} path
 * @param {(path: string) => Promise<unknown>} [readPage]
 * @returns {Promise<Array<API.Item<Path>>>}
 */
export async function readAll(path, readPage = read) {
  /** @type {Array<API.Item<Path>>} */
  const all = [];
  let cursor = '';
  do {
    const answer = await readPage(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    const page = /** @type {{items: Array<API.Item<Path>>, nextCursor: string | null}} */ (answer);
    all.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor);
  return all;
}

/**
 * Sends a POST request, with or without a body.
 * @template {string} Path
 * @param {Path} path
 * @param {unknown} [body]
 * @param {RequestOptions} options
 */
export const post = (path, body, options = {}) => request('POST', path, {...options, body});

/**
 * The last body of a path, without a request, so that a screen can be drawn at once.
 * @template {string} Path
 * @param {Path} path
 * @returns {API.Answer<'GET', Path> | undefined}
 */
export const cachedBody = (path) => cachedEntryOf(path)?.body;
