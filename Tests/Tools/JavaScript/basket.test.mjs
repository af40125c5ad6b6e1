// basket/basket.js: changes of the basket over a connection that loses requests and answers.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {answer, fakeStorage, openPage} from './page.mjs';

const clock = installClock('2026-11-24T11:00:00Z');

/**
 * A server with baskets: {server, basket, faults}. `faults` has the fault of each coming request to a basket: 'lost'
 * before the server gets it, 'unanswered' after that, a status of an error, or null.
 */
function basketServer() {
  const shop = {baskets: new Map(), faults: [], server};
  let lastLine = 0;
  shop.create = () => {
    const basket = {id: `b${shop.baskets.size + 1}`, version: 1, state: 'open', lines: [], sales: [], totalCount: 0};
    shop.baskets.set(basket.id, basket);
    return basket;
  };
  const shown = (basket, status = 200) => {
    basket.totalCount = basket.lines.reduce((sum, {quantity}) => sum + quantity, 0);
    return answer(status, structuredClone(basket), {ETag: `W/"${basket.version}"`});
  };
  const problem = (status, code, headers) => answer(status, {code, detail: `${code}.`, status}, headers);

  /** Applies a change to the lines. Returns false for an unknown path. */
  function change(basket, method, rest, body) {
    const [, list, id, verb] = rest.split('/');
    const line = basket.lines.find(({lineId}) => lineId === Number(id));
    if (list === 'items' && method === 'POST') {
      const {quantity = 1, options = [], note = null, menuItemId} = body;
      const same = basket.lines.find((entry) => entry.menuItemId === menuItemId && entry.note === note
        && JSON.stringify(entry.options) === JSON.stringify(options));
      if (same) same.quantity += quantity;
      else basket.lines.push({lineId: lastLine += 1, menuItemId, options, note, quantity});
    } else if (list === 'items' && method === 'DELETE') basket.lines = [];
    else if (!line) return false;
    else if (verb === 'decrement') line.quantity -= 1;
    else if (method === 'DELETE') basket.lines.splice(basket.lines.indexOf(line), 1);
    else Object.assign(line, body);
    basket.version += 1;
    return true;
  }

  function handle(path, {method, headers, body}) {
    if (path === '/v1/baskets') return shown(shop.create(), 201);
    const [, , , id, ...parts] = path.split('/');
    const basket = shop.baskets.get(id);
    if (!basket) return problem(404, 'basket_not_found');
    const tag = `"${basket.version}"`;
    if (method === 'GET') return headers['If-None-Match'] === tag ? answer(304, null) : shown(basket);
    if (basket.state === 'ordered') return problem(409, 'basket_already_ordered');
    if (headers['If-Match'] && headers['If-Match'] !== tag) return problem(412, 'precondition_failed');
    return change(basket, method, ['', ...parts].join('/'), body) ? shown(basket)
      : problem(404, 'line_not_found');
  }

  function server(path, request) {
    const fault = shop.faults.shift() ?? null;
    if (fault === 'lost') throw new TypeError('The request was lost.');
    if (typeof fault === 'number') return problem(fault, 'unavailable');
    const result = handle(path, request);
    if (fault === 'unanswered') throw new TypeError('The answer was lost.');
    return result;
  }
  return shop;
}

/** Opens a page with this dish in the basket. */
async function open({quantity = 0, dish = {menuItemId: 1, options: []}} = {}) {
  clock.clear();
  const shop = basketServer();
  const page = openPage({server: (...request) => shop.server(...request)});
  const module = await page.load('basket/basket.js');
  if (quantity) await module.addDish(dish, quantity);
  page.requests.length = 0;
  const {Problem} = await page.load('parts/api.js');
  return {shop, page, dish, Problem, ...module, get stored() { return [...shop.baskets.values()].at(-1); }};
}
const changesOf = ({requests}) => requests.filter(({method}) => method !== 'GET')
  .map(({method, path, body}) => `${method} ${path.replace('/v1/baskets', '')}${body ? ` ${body.quantity}` : ''}`);

/** Waits for a promise while the clock runs. */
async function finish(promise) {
  const outcome = promise.then((value) => ({value}), (error) => ({error}));
  await clock.advance(10_000);
  const {value, error} = await outcome;
  if (error) throw error;
  return value;
}

test('The first tap creates a basket, and the device stores its id', async () => {
  const {page, addDish, dish, basket} = await open();
  await addDish(dish);
  assert.deepEqual(changesOf(page), ['POST ', 'POST /b1/items 1']);
  assert.equal(page.localStorage['welms.basket'], '"b1"');
  assert.equal(basket.value.lines[0].quantity, 1);
});

test('Taps during a request are shown at once and sent together with the next request', async () => {
  const {page, addDish, dish, quantityOf, totalCount, hasPendingTaps, stored} = await open({quantity: 1});
  const done = [addDish(dish), addDish(dish), addDish(dish)];
  assert.equal(quantityOf(dish), 4);
  assert.equal(totalCount(), 4);
  assert.equal(hasPendingTaps(dish), true);
  await settle();
  await Promise.all(done);
  assert.deepEqual(changesOf(page), ['POST /b1/items 3']);
  assert.equal(stored.lines[0].quantity, 4);
  assert.equal(hasPendingTaps(), false);
});

test('Taps that arrive while a request runs need one more request', async () => {
  const opened = await open({quantity: 1});
  const {page, shop, addDish, dish, stored} = opened;
  let proceed;
  const {server} = shop, gate = new Promise((resolve) => { proceed = resolve; });
  shop.server = async (...request) => {
    await gate;
    return server(...request);
  };
  const done = addDish(dish);
  await settle();
  void addDish(dish, 2);
  proceed();
  await done;
  assert.deepEqual(changesOf(page), ['POST /b1/items 1', 'POST /b1/items 2']);
  assert.equal(stored.lines[0].quantity, 4);
});

test('A tap and its opposite before the request send nothing', async () => {
  const {page, addDish, dish, quantityOf} = await open({quantity: 1});
  await Promise.all([addDish(dish), addDish(dish, -1)]);
  assert.deepEqual(changesOf(page), []);
  assert.equal(quantityOf(dish), 1);
});

test('Units are removed one by one, and the last one with its line', async () => {
  const {page, addDish, dish, stored} = await open({quantity: 3});
  await addDish(dish, -2);
  assert.deepEqual(changesOf(page), ['POST /b1/lines/1/decrement', 'POST /b1/lines/1/decrement'].map((text) =>
    text.replace('/lines/1/', `/lines/${stored.lines[0].lineId}/`)));
  page.requests.length = 0;
  const {lineId} = stored.lines[0];
  await addDish(dish, -1);
  assert.deepEqual(changesOf(page), [`DELETE /b1/lines/${lineId}`]);
  assert.deepEqual(stored.lines, []);
});

test('The quantity of a dish stays between 0 and 99', async () => {
  const {addDish, removeDish, dish, quantityOf} = await open({quantity: 98});
  await addDish(dish, 5);
  assert.equal(quantityOf(dish), 99);
  const done = removeDish(dish);
  void addDish(dish, -5);
  assert.equal(quantityOf(dish), 0);
  await done;
  assert.equal(quantityOf(dish), 0);
});

for (const [fault, words] of [
  ['lost', 'is lost'], ['unanswered', 'gets no answer'], [503, 'is answered with 503'],
]) {
  test(`A tap whose request ${words} is applied exactly once`, async () => {
    const {shop, addDish, dish, stored} = await open({quantity: 1});
    shop.faults.push(fault);
    await finish(addDish(dish));
    assert.equal(stored.lines[0].quantity, 2);
  });

  test(`Several taps around a request that ${words} are all applied once`, async () => {
    const {shop, addDish, dish, stored} = await open({quantity: 1});
    shop.faults.push(fault);
    const done = addDish(dish, 2);
    await settle();
    await finish(Promise.all([done, addDish(dish), addDish(dish, -2)]));
    assert.equal(stored.lines[0].quantity, 2);
  });

  test(`The first basket is created although its first request ${words}`, async () => {
    const {shop, addDish, dish, basket} = await open();
    shop.faults.push(fault);
    await finish(addDish(dish));
    assert.equal(basket.value.lines[0].quantity, 1);
    assert.equal(shop.baskets.get(basket.value.id).lines[0].quantity, 1);
  });
}

test('A removal whose answer is lost does not remove another unit', async () => {
  const {shop, addDish, dish, stored} = await open({quantity: 3});
  shop.faults.push('unanswered');
  await finish(addDish(dish, -1));
  assert.equal(stored.lines[0].quantity, 2);
});

test('Taps are dropped and their failure is reported after three failures', async () => {
  const {shop, addDish, dish, quantityOf, hasPendingTaps, Problem, stored} = await open({quantity: 1});
  shop.faults.push(...Array(20).fill('lost'));
  await assert.rejects(finish(addDish(dish)),
    (problem) => problem instanceof Problem && problem.code === 'unreachable');
  assert.equal(quantityOf(dish), 1);
  assert.equal(hasPendingTaps(), false);
  assert.equal(stored.lines[0].quantity, 1);
});

test('A failure does not stop the changes after it', async () => {
  const {shop, addDish, dish, stored} = await open({quantity: 1});
  shop.faults.push(...Array(20).fill('lost'));
  await assert.rejects(finish(addDish(dish)));
  shop.faults.length = 0;
  await finish(addDish(dish));
  assert.equal(stored.lines[0].quantity, 2);
});

test('A rejected change is not repeated', async () => {
  const {shop, page, addDish, dish, stored} = await open({quantity: 1});
  shop.faults.push(422);
  await assert.rejects(addDish(dish), {status: 422});
  assert.equal(page.requests.length, 1);
  assert.equal(stored.lines[0].quantity, 1);
});

test('A tap after a change by another device is added to the new quantity', async () => {
  const {addDish, dish, basket, stored} = await open({quantity: 1});
  stored.lines[0].quantity = 5;
  stored.version += 1;
  await finish(addDish(dish));
  assert.equal(stored.lines[0].quantity, 6);
  assert.equal(basket.value.lines[0].quantity, 6);
});

test('A change that conflicts five times fails', async () => {
  const {shop, page, addDish, dish, stored} = await open({quantity: 1});
  const {server} = shop;
  shop.server = (path, request) => {
    if (request.method !== 'GET') stored.version += 1;
    return server(path, request);
  };
  await assert.rejects(finish(addDish(dish)), {status: 412});
  assert.equal(changesOf(page).length, 5);
  assert.equal(stored.lines[0].quantity, 1);
});

test('If an answer is lost and another device changes the quantity, the taps are dropped', async () => {
  const {shop, addDish, dish, stored} = await open({quantity: 1});
  const {server} = shop;
  shop.server = (path, request) => {
    shop.server = server;
    stored.lines[0].quantity = 7;
    stored.version += 1;
    throw new TypeError(`The answer of ${path} was lost: ${request.method}.`);
  };
  await finish(addDish(dish));
  assert.equal(stored.lines[0].quantity, 7);
});

for (const [state, prepare] of [['was deleted', (shop) => shop.baskets.clear()],
  ['was ordered', (shop) => { [...shop.baskets.values()][0].state = 'ordered'; }]]) {
  test(`A tap in a basket that ${state} starts a new basket`, async () => {
    const {shop, page, addDish, dish, basket} = await open({quantity: 3});
    prepare(shop);
    await finish(addDish(dish));
    const id = JSON.parse(page.localStorage['welms.basket']);
    assert.equal(basket.value.id, id);
    assert.deepEqual(shop.baskets.get(id).lines.map(({quantity}) => quantity), [1]);
  });
}

test('Every change names the entity tag, which a proxy may have made weak', async () => {
  const {page, addDish, dish} = await open({quantity: 1});
  await addDish(dish);
  assert.deepEqual(page.requests.map(({headers}) => headers['If-Match']), ['"2"']);
});

test('A refresh reads the basket only if it has changed', async () => {
  const {page, refreshBasket, basket, stored} = await open({quantity: 1});
  let count = 0;
  basket.watch(() => { count += 1; });
  await refreshBasket();
  assert.equal(page.requests[0].headers['If-None-Match'], '"2"');
  assert.equal(count, 0);
  stored.lines[0].quantity = 9;
  stored.version += 1;
  await refreshBasket();
  assert.equal(basket.value.lines[0].quantity, 9);
});

test('A page without a connection shows the stored basket, without the notes of the guest', async () => {
  const {page, shop, addDish} = await open();
  await addDish({menuItemId: 1, options: [], note: 'No onions'});
  assert.equal(page.localStorage['welms.basketSeen'].includes('onions'), false);
  const next = openPage({localStorage: page.localStorage});
  const {basket, refreshBasket} = await next.load('basket/basket.js');
  await assert.rejects(refreshBasket());
  assert.equal(basket.value.lines[0].quantity, 1);
  assert.equal(basket.value.lines[0].note, null);
  assert.equal(shop.baskets.size, 1);
});

test('A page that could not read the basket reads it again by itself', async () => {
  const {page, shop} = await open({quantity: 1});
  let isReachable = false;
  const next = openPage({localStorage: page.localStorage, server(path, request) {
    if (!isReachable) throw new TypeError('There is no connection.');
    return shop.server(path, request);
  }});
  const {basket, refreshBasket} = await next.load('basket/basket.js');
  await assert.rejects(refreshBasket());
  isReachable = true;
  await clock.advance(2_999);
  assert.equal(next.requests.length, 1);
  await clock.advance(1);
  assert.equal(next.requests.length, 2);
  assert.equal(basket.value.lines[0].note, null);
  await clock.advance(10_000);
  assert.equal(next.requests.length, 2);
});

test('A change of another tab is read, and a new basket of another tab is not overwritten', async () => {
  const {page, shop, basket, startBasket} = await open({quantity: 1});
  await startBasket();
  const other = shop.create();
  page.localStorage['welms.basket'] = JSON.stringify(other.id);
  page.dispatch(Object.assign(new Event('storage'), {key: 'welms.basket'}));
  await settle();
  assert.equal(basket.value.id, other.id);
});

test('Forgetting an ordered basket keeps the newer one of another tab', async () => {
  const {page, shop, forgetBasket, basket} = await open({quantity: 1});
  page.localStorage['welms.basket'] = JSON.stringify(shop.create().id);
  forgetBasket('b1');
  assert.equal(page.localStorage['welms.basket'], '"b2"');
  assert.equal(basket.value, null);
});

test('A dish without options counts all lines of its item, and one with options only its own line', async () => {
  const {addDish, quantityOf, basketLine} = await open();
  const plain = {menuItemId: 1, options: []};
  const large = {menuItemId: 1, options: [{optionId: 5, quantity: 1, options: []}]};
  await addDish(plain, 2);
  await addDish(large, 3);
  await addDish({menuItemId: 2, options: []});
  assert.deepEqual([plain, large, {menuItemId: 1}].map(quantityOf), [2, 3, 5]);
  assert.equal(basketLine(large).quantity, 3);
});

test('The remaining number of an item counts its lines, its sets and the taps', async () => {
  const {addDish, remainingFor, basket, dish} = await open({quantity: 2});
  basket.set({...basket.value, sales: [{salesGroupId: 1, items: [{menuItemId: 1, quantity: 1}]}]});
  assert.equal(remainingFor({id: 1, left: 10}), 7);
  assert.equal(remainingFor({id: 1, left: 10}, 2), 9);
  assert.equal(remainingFor({id: 1, left: null}), 99);
  assert.equal(remainingFor({id: 2, left: 4}), 4);
  const done = addDish(dish, 3);
  assert.equal(remainingFor({id: 1, left: 10}), 4);
  await done;
});

test('A changed line whose answer is lost is not changed twice', async () => {
  const {shop, page, changeLine, stored} = await open({quantity: 1});
  const {lineId} = stored.lines[0];
  shop.faults.push(null, 'unanswered');
  await finish(changeLine(lineId, {quantity: 4}));
  assert.equal(stored.lines[0].quantity, 4);
  assert.equal(page.requests.filter(({method}) => method === 'PATCH').length, 1);
});

test('A line that another device has changed after a lost request is left alone, and the guest is told', async () => {
  const {shop, changeLine, stored} = await open({quantity: 1});
  const {lineId} = stored.lines[0], {server} = shop;
  shop.server = (path, request) => {
    if (request.method !== 'PATCH') return server(path, request);
    shop.server = server;
    stored.lines[0].quantity = 7;
    stored.version += 1;
    throw new TypeError('The request was lost.');
  };
  await assert.rejects(finish(changeLine(lineId, {quantity: 4})), {code: 'basket_changed'});
  assert.equal(stored.lines[0].quantity, 7);
});

test('Clearing the basket is done once, even if its answer is lost', async () => {
  const {shop, page, clearBasket, stored} = await open({quantity: 3});
  shop.faults.push('unanswered');
  await finish(clearBasket());
  assert.deepEqual(stored.lines, []);
  assert.deepEqual(changesOf(page), ['DELETE /b1/items']);
});

test('With a full storage the basket works for as long as the page', async () => {
  clock.clear();
  const shop = basketServer(), localStorage = fakeStorage();
  localStorage.isFull = true;
  const page = openPage({localStorage, server: shop.server});
  const {addDish, basket} = await page.load('basket/basket.js');
  await addDish({menuItemId: 1, options: []});
  await addDish({menuItemId: 1, options: []});
  assert.equal(basket.value.lines[0].quantity, 2);
  assert.equal(shop.baskets.size, 1);
});
