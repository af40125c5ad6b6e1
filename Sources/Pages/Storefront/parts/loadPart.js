// Loads a module on demand. Some browsers remember a failed import until the page is reloaded. So all its files are
// fetched first, and the import starts when they are in the browser's cache.

import {Problem} from './api.js';
import {assetAddress} from './assetAddress.js';
import {offerReload} from './reloadOffer.js';
import {timeLimit} from './timeLimit.js';
import {t} from './translation.js';

const fetched = new Set([assetAddress('app.js')]);

/** @param {string} address @returns {Promise<void>} */
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

/**
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} load
 */
async function fetchAndImport(name, load) {
  await fetchFile(assetAddress(`${name}.js`));
  return load().catch(() => {
    const words = t('This part of the page can’t be loaded at the moment.');
    offerReload(words);
    throw new Problem(0, 'unreachable', words);
  });
}

/**
 * The parts that are loaded or being loaded. In WebKit, a second import of a module that imports others may never end
 * while the first is in progress.
 * @type {Map<string, Promise<unknown>>}
 */
const parts = new Map();

/**
 * Loads the module at a path, which `load` imports. The path has no `.js`, because worker.js would resolve a path with
 * `.js` relative to the calling file. Throws a Problem.
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} load
 */
export function loadPart(name, load) {
  const known = parts.get(name);
  if (known) return /** @type {Promise<Module>} */ (known);
  const part = fetchAndImport(name, load);
  parts.set(name, part);
  part.catch(() => parts.delete(name));
  return part;
}
