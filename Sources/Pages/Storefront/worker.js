// Caches one version of the page's files, so that the page opens offline. Answers of the API are not cached here. The
// worker's address contains the version, so each version has a worker of its own.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = new URL('.', location.href);
const home = new URL('/', here);
const cacheName = `welms.page ${here.pathname}`;

/**
 * The addresses of this version's files that a text names. `base` resolves relative names: the root for the page, and
 * the file itself for scripts and styles.
 * @param {string} text
 * @param {string | URL} base
 */
function assetAddresses(text, base) {
  const all = [...text.matchAll(/(["'])((?:\/|\.{1,2}\/)?[\w./-]+\.(?:js|json|css|svg|webmanifest|woff2))\1/g)]
    .map(([, , name]) => new URL(name, base));
  return all.filter(({href}) => href.startsWith(here.href)).map(({href}) => href);
}

/**
 * Caches the page and all its files. All must have the same version; otherwise the worker is not installed, and the
 * next visit tries again.
 */
async function fillCache() {
  const cache = await caches.open(cacheName);
  const page = await fetch(home, {cache: 'no-cache'});
  const text = await page.clone().text();
  const seen = new Set(assetAddresses(text, home));
  if (!page.ok || !seen.has(new URL('app.js', here).href)) throw new Error('the page is of another version');
  for (const address of seen) {
    const answer = await fetch(address);
    // PageRoutes.swift answers 404, or without `immutable`, for files of another version.
    if (answer.status === 404 && !/\.js$/.test(address)) continue;
    if (!answer.ok || !answer.headers.get('Cache-Control')?.includes('immutable')) {
      throw new Error(`${address} is of another version`);
    }
    await cache.put(address, answer.clone());
    if (/\.(js|css)$/.test(address)) for (const other of assetAddresses(await answer.text(), address)) seen.add(other);
  }
  // If the server has changed to another version meanwhile, it now answers 404.
  const last = await fetch(new URL('app.js', here), {method: 'HEAD', cache: 'no-store'});
  if (!last.ok) throw new Error('the page is of another version');
  await cache.put(home, page);
}

/** Deletes older versions, except the previous one: an open tab may still request its files. */
async function deleteOldCaches() {
  const cacheNames = (await caches.keys()).filter((name) => name.startsWith('welms.page ') && name !== cacheName);
  for (const name of cacheNames.slice(0, -1)) await caches.delete(name);
}

/**
 * The server's page. Falls back to the cached page if the server is unreachable or answers with an error.
 * @param {Request} request
 */
async function fetchPage(request) {
  const kept = async () => (await caches.open(cacheName)).match(home);
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    answer = await kept();
    if (!answer) throw error;
  }
  return answer.status >= 500 ? await kept() ?? answer : answer;
}

worker.addEventListener('install', (event) => event.waitUntil(fillCache().then(() => worker.skipWaiting())));
// Controls from now on also the page that started this worker.
worker.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches().then(() => worker.clients.claim())));
worker.addEventListener('fetch', (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (origin !== home.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(fetchPage(request));
  else if (pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
