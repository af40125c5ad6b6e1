// parts/loadPart.js: modules that are loaded on demand.

import assert from 'node:assert/strict';
import test from 'node:test';
import {openPage} from './page.mjs';

const open = () => openPage().load('parts/loadPart.js');

test('A part that two screens need at the same time is imported once', async () => {
  const {loadPart} = await open();
  let imports = 0;
  const load = async () => ({number: (imports += 1)});
  const first = loadPart('basket/fixes', load), second = loadPart('basket/fixes', load);
  assert.deepEqual(await Promise.all([first, second, loadPart('basket/fixes', load)]), Array(3).fill({number: 1}));
  await loadPart('orders/receipt', load);
  assert.equal(imports, 2);
});

test('A part that could not be imported is imported again', async () => {
  const {loadPart} = await open();
  await assert.rejects(loadPart('basket/fixes', () => Promise.reject(new TypeError())), {code: 'unreachable'});
  assert.deepEqual(await loadPart('basket/fixes', async () => ({number: 1})), {number: 1});
});
