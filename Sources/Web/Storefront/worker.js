// Keeps one version of the page's files on the device, so that the page opens without a network. No answer of the API comes by here. Its own address
// names its version: the browser starts another worker with each. Started by offline.js.

const here = new URL('.', location.href);
const home = new URL('/', here);
const place = `welms.page ${here.pathname}`;

/** The addresses of this version that a file names: the page's from the root, those of scripts and styles relative to themselves. */
function named(text, base) {
  const all = [...text.matchAll(/(["'])((?:\/|\.{1,2}\/)?[\w./-]+\.(?:js|json|css|svg|webmanifest|woff2))\1/g)].map(([, , name]) => new URL(name, base));
  return all.filter(({href}) => href.startsWith(here.href)).map(({href}) => href);
}

/** Reads the page and all that it is made of. Either all of it is of this version, or nothing is kept: the next visit asks again. */
async function fill() {
  const cache = await caches.open(place);
  const page = await fetch(home, {cache: 'no-cache'});
  const text = await page.clone().text();
  const seen = new Set(named(text, home));
  if (!page.ok || !seen.has(new URL('app.js', here).href)) throw new Error('the page is of another version');
  for (const address of seen) {
    const answer = await fetch(address);
    // What another version's server answers is not to be kept: StorefrontPage.swift.
    if (answer.status === 404 && !/\.js$/.test(address)) continue;
    if (!answer.ok || !answer.headers.get('Cache-Control')?.includes('immutable')) throw new Error(`${address} is of another version`);
    await cache.put(address, answer.clone());
    if (/\.(js|css)$/.test(address)) for (const other of named(await answer.text(), address)) seen.add(other);
  }
  // Another version may have taken over meanwhile, which answers 404.
  const last = await fetch(new URL('app.js', here), {method: 'HEAD', cache: 'no-store'});
  if (!last.ok) throw new Error('the page is of another version');
  await cache.put(home, page);
}

/** The version before this one stays: a tab that shows it may still ask for its files. */
async function dropOld() {
  const places = (await caches.keys()).filter((name) => name.startsWith('welms.page ') && name !== place);
  for (const name of places.slice(0, -1)) await caches.delete(name);
}

/** The page as the server has it. While the server is away, or a proxy answers for it, the kept page. */
async function page(request) {
  const kept = async () => (await caches.open(place)).match(home);
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    answer = await kept();
    if (!answer) throw error;
  }
  return answer.status >= 500 ? await kept() ?? answer : answer;
}

addEventListener('install', (event) => event.waitUntil(fill().then(() => skipWaiting())));
// Also the page that started this worker takes its files from it.
addEventListener('activate', (event) => event.waitUntil(dropOld().then(() => clients.claim())));
addEventListener('fetch', (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (origin !== home.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});
