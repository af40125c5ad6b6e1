// Opens a page without a browser: loads modules of Sources/Pages/Storefront with the globals that they use.

import {webcrypto} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {register} from 'node:module';
import {fakeDocumentGlobals} from './fakeDocument.mjs';

register('./moduleHooks.mjs', import.meta.url);

const storefront = new URL('../../../Sources/Pages/Storefront/', import.meta.url);
let pageCount = 0;

/** A storage such as localStorage. Writing throws while `isFull` is set, and everything while `isDisabled` is set. */
export function fakeStorage(values = {}) {
  const storage = Object.create({
    getItem(name) {
      if (storage.isDisabled) throw new Error('The storage is disabled.');
      return Object.hasOwn(storage, name) ? storage[name] : null;
    },
    setItem(name, value) {
      if (storage.isDisabled || storage.isFull) throw new Error('The storage is full.');
      storage[name] = String(value);
    },
    removeItem(name) {
      if (storage.isDisabled) throw new Error('The storage is disabled.');
      delete storage[name];
    },
  });
  for (const flag of ['isFull', 'isDisabled']) {
    Object.defineProperty(storage, flag, {value: false, writable: true, enumerable: false});
  }
  for (const [name, value] of Object.entries(values)) storage[name] = JSON.stringify(value);
  return storage;
}

/** An answer of the API, with what api.js uses of a Response. */
export function answer(status, body, headers = {}) {
  const all = new Headers({'Content-Type': status < 400 ? 'application/json' : 'application/problem+json', ...headers});
  return {ok: status >= 200 && status < 300, status, headers: all, text: async () => JSON.stringify(body)};
}

/** A file of the page, such as a dictionary or a script. */
async function readAsset(address) {
  const text = await readFile(new URL(`.${new URL(address).pathname}`, storefront), 'utf8');
  return {ok: true, status: 200, text: async () => text, json: async () => JSON.parse(text)};
}

/**
 * Opens a page, which replaces the globals of the page before. `server` gets (path, {method, headers, body}) for each
 * request and returns an answer, or throws if there is no connection. Returns {load, dispatch, localStorage, …}: `load`
 * imports a module, and `dispatch` sends an event to the window.
 */
export function openPage({
  language = 'en', languages = [language], localStorage = fakeStorage(), sessionStorage = fakeStorage(),
  server = () => { throw new TypeError('There is no connection.'); }, locks,
} = {}) {
  pageCount += 1;
  const page = pageCount, window = new EventTarget();
  /** The requests to the API: {method, path, headers, body}. */
  const requests = [];
  const globals = {
    ...fakeDocumentGlobals(language),
    localStorage, sessionStorage,
    crypto: webcrypto,
    CustomEvent: globalThis.CustomEvent ?? class extends Event {
      constructor(type, {detail} = {}) {
        super(type);
        this.detail = detail;
      }
    },
    navigator: {languages, onLine: true, locks},
    location: {reload() {}},
    matchMedia: () => Object.assign(new EventTarget(), {matches: false}),
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    async fetch(path, {method = 'GET', headers = {}, body, signal} = {}) {
      if (!path.startsWith('/v1/')) return readAsset(path);
      const request = {method, path, headers, body: typeof body === 'string' ? JSON.parse(body) : body, signal};
      requests.push(request);
      return server(path, request);
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, {value, writable: true, configurable: true});
  }
  return {
    requests, localStorage, sessionStorage, document: globals.document, navigator: globals.navigator,
    load: (module) => import(`${new URL(module, storefront)}?page=${page}`),
    dispatch: (event) => window.dispatchEvent(typeof event === 'string' ? new Event(event) : event),
  };
}
