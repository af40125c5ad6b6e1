// basket/errorPaths.js and basket/fixes.js: what the paths of errors name, and how a tap mends the basket.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock} from './clock.mjs';
import {answer, fakeStorage, openPage} from './page.mjs';

const clock = installClock('2026-11-24T11:00:00Z');
const lineOption = (optionId, title, options = [], quantity = 1) => ({optionId, title, quantity, options});
const burger = {lineId: 3, menuItemId: 1001, title: 'Burger', quantity: 4, note: null, options: [
  lineOption(11, 'Menu', [lineOption(21, 'Cola')]), lineOption(12, 'Cheese', [], 2)]};
const fries = {lineId: 4, menuItemId: 1002, title: 'Fries', quantity: 1, note: null, options: []};
const set = {salesGroupId: 200, title: 'Feast', items: [
  {lineId: 0, menuItemId: 2002, title: 'Soup', quantity: 2, options: [lineOption(31, 'Bread')]}]};
const content = {id: 'b1', state: 'open', version: 1, totalCount: 7, lines: [burger, fries], sales: [set]};

const group = (id, options, minimum = 0) => ({id, title: `Group ${id}`, minimum, maximum: null, included: 0, options});
const option = (id, optionGroups = []) => ({id, price: 0, isDefault: false, isAvailable: true, optionGroups});
const menu = {
  '/v1/menu/1001': {id: 1001, optionGroups: [group(1, [option(11, [group(2, [option(21)])])]), group(3, [option(12)])]},
  '/v1/menu/2002': {id: 2002, optionGroups: [group(4, [option(31)], 1)]},
  '/v1/sales/200': {items: [{menuItem: {id: 2002}, quantity: 1}, {menuItem: {id: 2003}, quantity: 1}]},
};

/** Opens a page whose basket is `content`. `changes` has the requests that change it. */
async function open(items = menu) {
  clock.clear();
  const page = openPage({localStorage: fakeStorage({'welms.basket': 'b1'}), server(path, {method}) {
    if (method === 'GET' && items[path]) return answer(200, items[path], {ETag: '"1"'});
    return path.startsWith('/v1/baskets/') ? answer(200, content, {ETag: '"1"'}) : answer(404, {code: 'not_found'});
  }});
  await (await page.load('basket/basket.js')).refreshBasket();
  const {withFixes} = await page.load('basket/fixes.js');
  return {withFixes: (...errors) => withFixes(errors, content), get changes() {
    return page.requests.filter(({method}) => method !== 'GET')
      .map(({method, path, body}) => [`${method} ${path.replace('/v1/baskets/b1', '')}`, body]);
  }};
}
const paths = await openPage().load('basket/errorPaths.js');
const error = (code, field, params = {}) => ({code, field, message: code, params});
const names = ({fixes}) => fixes.map(({name}) => name);

test('A path names a line, a set, or a dish of a set', () => {
  assert.deepEqual(paths.dishAtPath('lines/3', content), {set: undefined, dish: burger});
  assert.deepEqual(paths.dishAtPath('sales/200', content), {set, dish: undefined});
  assert.deepEqual(paths.dishAtPath('sales/200/items/2002', content), {set, dish: set.items[0]});
});

test('A path to something that is gone names nothing', () => {
  for (const path of ['lines/9', 'lines/200', 'sales/9', 'sales/9/items/2002', 'name', '']) {
    assert.deepEqual(paths.dishAtPath(path, content), {set: undefined, dish: undefined}, path);
  }
  assert.deepEqual(paths.dishAtPath('lines/3', {}), {set: undefined, dish: undefined});
});

test('The title at a path has the options of the path, or the option that the error names', () => {
  const {titleAtPath} = paths;
  assert.equal(titleAtPath('lines/3', content), 'Burger');
  assert.equal(titleAtPath('lines/3/options/1/11/2/21', content), 'Burger, Menu, Cola');
  assert.equal(titleAtPath('lines/3/options/1/11/2/99', content), 'Burger, Menu');
  assert.equal(titleAtPath('lines/3/options/1', content, 21), 'Burger, Cola');
  assert.equal(titleAtPath('lines/3/options/1', content, 99), 'Burger');
  assert.equal(titleAtPath('sales/200', content), 'Feast');
  assert.equal(titleAtPath('lines/9', content), undefined);
});

test('An option is found on any level', () => {
  assert.equal(paths.findOption(burger.options, 21).title, 'Cola');
  assert.equal(paths.findOption(burger.options, 12).title, 'Cheese');
  assert.equal(paths.findOption(burger.options, 99), undefined);
  assert.equal(paths.findOption(undefined, 12), undefined);
});

test('A sold-out option can be removed if the dish needs no other one', async () => {
  const {withFixes, changes} = await open();
  const [found] = await withFixes(error('option_sold_out', 'lines/3', {optionId: 21}));
  assert.equal(found.text, 'Cola is sold out (Burger).');
  assert.deepEqual(names(found), ['Without Cola']);
  assert.deepEqual(changes, []);
});

test('The fix for an option sends the selection without it, on any level', async () => {
  const opened = await open();
  const [found] = await opened.withFixes(error('option_sold_out', 'lines/3', {optionId: 21}));
  await found.fixes[0].action();
  assert.deepEqual(opened.changes, [['PATCH /lines/3', {options: [
    {optionId: 11, quantity: 1, options: []}, {optionId: 12, quantity: 2, options: []}]}]]);
});

test('A dish that needs its sold-out option can only be removed', async () => {
  const opened = await open();
  const [found] = await opened.withFixes(error('option_sold_out', 'sales/200/items/2002', {optionId: 31}));
  assert.deepEqual(names(found), ['Remove it']);
  await found.fixes[0].action();
  assert.deepEqual(opened.changes[0][0], 'DELETE /sales/200/items/2002');
});

test('A dish whose options cannot be read can only be removed', async () => {
  const {withFixes} = await open({});
  const [found] = await withFixes(error('option_sold_out', 'lines/3', {optionId: 21}));
  assert.deepEqual(names(found), ['Remove it']);
});

test('A low stock of a dish offers the quantity that is left', async () => {
  const opened = await open();
  const [found] = await opened.withFixes(error('stock_short', 'lines/3', {available: 3}));
  assert.equal(found.text, null);
  assert.deepEqual(names(found), ['Change to 3', 'Remove it']);
  await found.fixes[0].action();
  assert.deepEqual(opened.changes, [['PATCH /lines/3', {quantity: 3}]]);
});

test('A stock of at least the quantity, or of none, offers no other quantity', async () => {
  const {withFixes} = await open();
  for (const available of [0, 4, 5]) {
    const [found] = await withFixes(error('stock_short', 'lines/3', {available}));
    assert.deepEqual(names(found), ['Remove it'], String(available));
  }
});

test('The stock of an option is divided by its units in one dish', async () => {
  const {withFixes} = await open();
  const [found] = await withFixes(error('stock_short', 'lines/3', {available: 5, optionId: 12}));
  assert.equal(found.text, 'Cheese (Burger): Only 5 left');
  assert.deepEqual(names(found), ['Without Cheese', 'Change to 2']);
});

test('Other lines of the same dish need a part of the stock', async () => {
  const {withFixes} = await open();
  content.lines.push({...burger, lineId: 5, quantity: 2});
  const [found] = await withFixes(error('stock_short', 'lines/3', {available: 3}));
  content.lines.pop();
  assert.deepEqual(names(found), ['Change to 1', 'Remove it']);
});

test('A set whose sale was changed can be updated or removed, and one that was retired can be removed', async () => {
  const {withFixes} = await open();
  const [changed] = await withFixes(error('sale_changed', 'sales/200'));
  assert.deepEqual(names(changed), ['Update it', 'Remove it']);
  const [retired] = await withFixes(error('sale_not_offered', 'sales/200'));
  assert.deepEqual(names(retired), ['Remove it']);
});

test('The update of a set keeps the units that the sale still has', async () => {
  const opened = await open();
  const [changed] = await opened.withFixes(error('sale_changed', 'sales/200'));
  await changed.fixes[0].action();
  assert.deepEqual(opened.changes, [['PUT /sales/200',
    {items: [{menuItemId: 2002, options: [{optionId: 31, quantity: 1, options: []}]}]}]]);
});

test('Errors with the same text appear once, and errors without a dish have no fix', async () => {
  const {withFixes} = await open();
  const found = await withFixes(error('option_sold_out', 'lines/3', {optionId: 21}),
    error('option_sold_out', 'lines/3/options/1/11', {optionId: 21}), error('shop_closed', 'basketId'),
    error('shop_paused', ''));
  assert.deepEqual(found.map(({text}) => text), ['Cola is sold out (Burger).', null, null]);
  assert.deepEqual(names(found[1]), []);
});
