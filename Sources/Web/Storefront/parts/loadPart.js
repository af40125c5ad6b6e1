// Loads a module when it is needed. Some browsers remember a failed import until the page is reloaded, so its files are
// fetched first: an import begins only when all its files lie in the browser's cache.

import {Problem} from '../api.js';
import {t} from '../words.js';
import {offerReload} from './reloadOffer.js';
import {timeLimit} from './timeLimit.js';

/** A file in the root folder of the pages, also on the staff page. */
const root = document.querySelector('script[src$="/early.js"]').src;
const fetched = new Set([new URL('app.js', root).href]);

async function fetchFile(address) {
  if (fetched.has(address)) return;
  const limit = timeLimit(10_000);
  let response, text;
  try {
    response = await fetch(address, {signal: limit.signal});
    text = await response.text();
  } catch {
    throw new Problem(0, 'unreachable', t('This part of the page can’t be loaded at the moment.'));
  } finally {
    limit.end();
  }
  if (response.status === 404) {
    const words = t('This page has been updated. Please reload it.');
    offerReload(words);
    throw new Problem(404, 'page_outdated', words);
  }
  if (!response.ok) throw new Problem(0, 'unreachable', t('This part of the page can’t be loaded at the moment.'));
  for (const [, path] of text.matchAll(/^import .* from '([^']+)';$/gm)) await fetchFile(new URL(path, address).href);
  fetched.add(address);
}

/** The module with this path below the pages' folder, which `load` imports. The path has no `.js`, because worker.js takes
 *  a name with `.js` for an address relative to the caller's file. Throws a Problem. */
export async function loadPart(name, load) {
  await fetchFile(new URL(`${name}.js`, root).href);
  return load().catch(() => {
    const words = t('This part of the page can’t be loaded at the moment.');
    offerReload(words);
    throw new Problem(0, 'unreachable', words);
  });
}
