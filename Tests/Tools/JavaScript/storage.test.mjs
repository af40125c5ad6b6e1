// parts/storage.js: values and answers on this device.

import assert from 'node:assert/strict';
import test from 'node:test';
import {fakeStorage, openPage} from './page.mjs';

const open = async (options) => {
  const page = openPage(options);
  return {page, ...await page.load('parts/storage.js')};
};
const storageEvent = (key) => Object.assign(new Event('storage'), {key});

test('A value is stored as JSON under the prefix, and a reload finds it', async () => {
  const {page, saveValue} = await open();
  saveValue('basket', {id: 7});
  assert.equal(page.localStorage['welms.basket'], '{"id":7}');
  const {loadValue} = await open({localStorage: page.localStorage});
  assert.deepEqual(loadValue('basket'), {id: 7});
});

test('A missing or unreadable value is the fallback, and null deletes a value', async () => {
  const {page, loadValue, saveValue} = await open();
  assert.equal(loadValue('basket'), null);
  assert.deepEqual(loadValue('orders', []), []);
  page.localStorage['welms.orders'] = '[1,';
  assert.deepEqual(loadValue('orders', []), []);
  saveValue('basket', 1);
  saveValue('basket', null);
  assert.equal(Object.hasOwn(page.localStorage, 'welms.basket'), false);
});

test('With a full storage, a new value lasts as long as the page', async () => {
  const localStorage = fakeStorage({'welms.basket': 1});
  const {loadValue, saveValue} = await open({localStorage});
  localStorage.isFull = true;
  saveValue('basket', 2);
  assert.equal(loadValue('basket'), 2);
  assert.equal((await open({localStorage})).loadValue('basket'), 1);
});

test('With a disabled storage, values can be stored and deleted for this page', async () => {
  const localStorage = fakeStorage({'welms.basket': 1});
  localStorage.isDisabled = true;
  const {loadValue, saveValue} = await open({localStorage});
  assert.equal(loadValue('basket', 'none'), 'none');
  saveValue('basket', 2);
  assert.equal(loadValue('basket', 'none'), 2);
  saveValue('basket', null);
  assert.equal(loadValue('basket', 'none'), 'none');
});

test('A value in memory gives way to a value that can be stored again', async () => {
  const localStorage = fakeStorage();
  const {loadValue, saveValue} = await open({localStorage});
  localStorage.isFull = true;
  saveValue('basket', 1);
  localStorage.isFull = false;
  saveValue('basket', 2);
  localStorage['welms.basket'] = '3';
  assert.equal(loadValue('basket'), 3);
});

test('A change by another tab replaces a value in memory and calls the callback of that value only', async () => {
  const localStorage = fakeStorage();
  const {page, loadValue, saveValue, onChangeInOtherTab} = await open({localStorage});
  const calls = [];
  onChangeInOtherTab('basket', () => calls.push('replaced'));
  onChangeInOtherTab('basket', () => calls.push('basket'));
  onChangeInOtherTab('attempt', () => calls.push('attempt'));
  localStorage.isFull = true;
  saveValue('basket', 1);
  localStorage['welms.basket'] = '2';
  page.dispatch(storageEvent('welms.basket'));
  assert.equal(loadValue('basket'), 2);
  assert.deepEqual(calls, ['basket']);
  page.dispatch(storageEvent(null));
  assert.deepEqual(calls, ['basket']);
});

test('Values of a visit are in the session storage', async () => {
  const {page, sessionValues} = await open();
  sessionValues.save('form', {tip: '1'});
  assert.equal(page.sessionStorage['welms.form'], '{"tip":"1"}');
  assert.equal(Object.keys(page.localStorage).length, 0);
});

test('Deleting the stored data keeps the values of the staff page and of other programs', async () => {
  const values = {'welms.basket': 1, 'welms.staff.done': 2, other: 3};
  const {page, clearStoredData} = await open(
    {localStorage: fakeStorage(values), sessionStorage: fakeStorage({'welms.form': 1, 'welms.staff': 'token'})});
  await clearStoredData();
  assert.deepEqual(Object.keys(page.localStorage), ['welms.staff.done', 'other']);
  assert.deepEqual(Object.keys(page.sessionStorage), ['welms.staff']);
});

/** A cache of the browser: {caches, entries}. */
function fakeCaches() {
  const entries = new Map();
  const cache = {
    put: async (path, response) => { entries.set(path, response); },
    match: async (path) => entries.get(path),
    keys: async () => [...entries.keys()],
    delete: async (path) => entries.delete(path),
  };
  return {entries, open: async () => cache, delete: async () => entries.clear()};
}

test('A stored answer is found again, and deleted with the stored data', async () => {
  globalThis.caches = fakeCaches();
  const {cacheAnswer, cachedAnswer, clearStoredData} = await open();
  await cacheAnswer('en/v1/menu', {items: [1]});
  assert.deepEqual(await cachedAnswer('en/v1/menu'), {items: [1]});
  assert.equal(await cachedAnswer('de/v1/menu'), null);
  await cacheAnswer('en/v1/menu', {items: [1]});
  await clearStoredData();
  assert.equal(await cachedAnswer('en/v1/menu'), null);
  delete globalThis.caches;
});

test('The cache has the last 60 answers', async () => {
  globalThis.caches = fakeCaches();
  const {cacheAnswer} = await open();
  for (let number = 1; number <= 63; number += 1) await cacheAnswer(`en/v1/menu?${number}`, {});
  const names = [...globalThis.caches.entries.keys()];
  assert.deepEqual([names.length, names[0], names.at(-1)], [60, '/kept/en/v1/menu?4', '/kept/en/v1/menu?63']);
  delete globalThis.caches;
});

test('Without a cache, an answer is not stored, and reading finds none', async () => {
  const {cacheAnswer, cachedAnswer} = await open();
  await cacheAnswer('en/v1/menu', {});
  assert.equal(await cachedAnswer('en/v1/menu'), null);
});
