// checkout/attempt.js: an order is sent until its outcome is known, always with the same key and body.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {fakeLocks} from './fakeStream.mjs';
import {answer, fakeStorage, openPage} from './page.mjs';

const begin = '2026-11-24T11:00:00Z';
const clock = installClock(begin);
const body = {basketId: 'b1', name: 'Ada', phone: '1', fulfilment: 'delivery', address: 'Road 1', expectedTotal: 2_000};
const order = {id: 'b1', number: 'A1', accessToken: 'secret', placedAt: begin, readyAt: '2026-11-24T11:40:00Z'};

const valid = () => answer(200, {fields: {}, errors: [], isReady: true, quote: {wantedAt: null}});

/** A shop that accepts orders. `checkout`, `validate` and `basket` may be replaced. */
function openShop() {
  clock.clear();
  clock.set(begin);
  const shop = {
    checkout: () => answer(201, order),
    validate: valid,
    basket: () => answer(200, {id: 'b1', state: 'open', version: 3, lines: [], sales: []}),
    server(path, request) {
      if (path === '/v1/checkout/validate') return shop.validate(request);
      if (path !== '/v1/checkout') return shop.basket(request);
      return shop.checkout(request);
    },
  };
  return shop;
}

/** Opens a page of the shop, with the stored values of an earlier one if it is given. */
async function open(shop, {localStorage = fakeStorage({'welms.basket': 'b1'}), ...options} = {}) {
  const page = openPage({localStorage, server: shop.server, ...options});
  const attempt = await page.load('checkout/attempt.js');
  const results = [];
  attempt.attemptState.watch(({result}) => {
    if (result && results.at(-1) !== result) results.push(result);
  });
  return {page, results, ...attempt,
    start: (more = {}) => attempt.startAttempt({...body, ...more}, {version: 3, isRemembered: false}),
    get phase() { return attempt.attemptState.value.phase; },
    get checkouts() { return page.requests.filter(({path}) => path === '/v1/checkout'); },
    get stored() { return JSON.parse(localStorage['welms.attempt'] ?? 'null'); }};
}
const keysOf = ({checkouts}) => checkouts.map(({headers}) => headers['Idempotency-Key']);
const lost = () => { throw new TypeError('The answer was lost.'); };
const problem = (status, code, more = {}, headers = {}) => () =>
  answer(status, {code, status, detail: `${code}.`, ...more}, headers);

/** Opens a page that has sent an order without getting an answer. */
async function openUnanswered(shop = openShop()) {
  shop.checkout = lost;
  const page = await open(shop);
  await page.start();
  shop.checkout = () => answer(201, order);
  return {shop, page};
}

test('An order is validated, sent once with a key, and stored on the device', async () => {
  const page = await open(openShop());
  await page.start();
  assert.deepEqual(page.page.requests.map(({path}) => path), ['/v1/checkout/validate', '/v1/checkout']);
  assert.match(keysOf(page)[0], /^[0-9a-f]{32}$/);
  assert.deepEqual(page.checkouts[0].body, body);
  assert.deepEqual(page.results.map(({kind, isHere}) => [kind, isHere]), [['placed', true]]);
  assert.equal(page.phase, 'idle');
  assert.equal(page.pendingAttempt(), null);
  assert.equal(JSON.parse(page.page.localStorage['welms.orders'])[0].token, 'secret');
  assert.equal(page.page.localStorage['welms.basket'], undefined);
});

test('The validation gets empty texts for missing fields, except the address of a pickup', async () => {
  const page = await open(openShop());
  await page.start({fulfilment: 'pickup', address: undefined});
  const {body: validated} = page.page.requests[0];
  assert.equal(validated.email, '');
  assert.equal('address' in validated, false);
});

test('A lost answer is followed by the same key and the same body until an answer arrives', async () => {
  const {shop, page} = await openUnanswered();
  shop.checkout = lost;
  assert.equal(page.phase, 'unknown');
  await clock.advance(800);
  await clock.advance(1_600);
  shop.checkout = () => answer(201, order);
  await clock.advance(3_200);
  assert.equal(page.checkouts.length, 4);
  assert.equal(new Set(keysOf(page)).size, 1);
  assert.ok(page.checkouts.every(({body: sent}) => JSON.stringify(sent) === JSON.stringify(body)));
  assert.deepEqual(page.results.map(({kind}) => kind), ['placed']);
});

test('The delays after lost answers double, and reach five seconds with the fourth', async () => {
  const {shop, page} = await openUnanswered();
  shop.checkout = lost;
  for (const [count, delay] of [[1, 800], [2, 1_600], [3, 3_200], [4, 5_000], [5, 5_000]]) {
    assert.equal(page.checkouts.length, count);
    await clock.advance(delay - 1);
    assert.equal(page.checkouts.length, count, `before ${delay} ms`);
    await clock.advance(1);
  }
});

test('A server that asks for a pause gets the next request after it', async () => {
  const shop = openShop();
  shop.checkout = problem(503, 'overloaded', {}, {'Retry-After': '7'});
  const page = await open(shop);
  await page.start();
  await clock.advance(6_999);
  assert.equal(page.checkouts.length, 1);
  await clock.advance(1);
  assert.equal(page.checkouts.length, 2);
});

test('A reload after a lost answer sends the same key and body again, without a validation', async () => {
  const {shop, page} = await openUnanswered();
  const [key] = keysOf(page);
  clock.clear();
  const next = await open(shop, {localStorage: page.page.localStorage});
  await next.startAttemptMonitor({isOtherTabs: false});
  assert.deepEqual(next.page.requests.map(({path}) => path), ['/v1/checkout']);
  assert.deepEqual(keysOf(next), [key]);
  assert.deepEqual(next.checkouts[0].body, body);
  assert.deepEqual(next.results.map(({kind}) => kind), ['placed']);
});

test('A tap on Order while the outcome is unknown sends the first body and key, not the changed form', async () => {
  const {page} = await openUnanswered();
  await page.start({name: 'Grace'});
  assert.equal(page.checkouts.length, 2);
  assert.equal(page.checkouts[1].body.name, 'Ada');
  assert.equal(new Set(keysOf(page)).size, 1);
});

test('A changed form after a rejection makes a new key', async () => {
  const shop = openShop();
  shop.checkout = problem(409, 'price_changed');
  const page = await open(shop);
  await page.start();
  assert.deepEqual(page.results.map(({kind}) => kind), ['rejected']);
  assert.equal(page.pendingAttempt(), null);
  shop.checkout = () => answer(201, order);
  await page.start({expectedTotal: 2_100});
  assert.equal(new Set(keysOf(page)).size, 2);
  assert.equal(page.checkouts[1].body.expectedTotal, 2_100);
  assert.equal(page.results.at(-1).kind, 'placed');
});

test('An order that the validation does not accept is not sent', async () => {
  const shop = openShop();
  const invalid = {fields: {}, errors: [{code: 'shop_closed'}], isReady: false, quote: null};
  shop.validate = () => answer(200, invalid);
  const page = await open(shop);
  await page.start();
  assert.equal(page.checkouts.length, 0);
  assert.deepEqual([page.results[0].kind, page.results[0].answer], ['invalid', invalid]);
});

test('An order for another time than the validated one is not sent', async () => {
  const shop = openShop();
  shop.validate = () =>
    answer(200, {fields: {}, errors: [], isReady: true, quote: {wantedAt: '2026-11-24T13:00:00+01:00'}});
  const page = await open(shop);
  await page.start();
  assert.equal(page.results[0].kind, 'invalid');
  await page.start({wantedAt: '2026-11-24T12:00:00Z'});
  assert.equal(page.results[1].kind, 'placed');
});

test('A basket that was ordered before gives the existing order', async () => {
  const shop = openShop();
  shop.validate = () => answer(200, {fields: {}, errors: [{code: 'basket_already_ordered'}], isReady: false});
  shop.basket = () => answer(200, {id: 'b1', state: 'ordered', orderId: 'o1'});
  const page = await open(shop);
  await page.start();
  assert.deepEqual([page.results[0].kind, page.results[0].orderId], ['ordered', 'o1']);
  shop.validate = valid;
  shop.checkout = problem(409, 'basket_already_ordered', {orderId: 'o2'});
  await page.start();
  assert.deepEqual([page.results[1].kind, page.results[1].orderId], ['ordered', 'o2']);
});

for (const [name, checkout] of [
  ['a page of a captive portal', () => ({ok: true, status: 200, headers: new Headers({'Content-Type': 'text/html'}),
    text: async () => '<html>'})],
  ['JSON of another server', () => answer(200, {id: 'other'})],
  ['an order without its token', () => answer(201, {...order, accessToken: undefined})],
  ['a proxy’s 403', () => ({ok: false, status: 403, headers: new Headers(), text: async () => 'Forbidden'})],
  ['an unknown code', problem(409, 'something_new')],
  ['an error without a code', () => answer(409, {orderId: 'o9'})],
]) {
  test(`After ${name} the outcome stays unknown, and the order is sent again with its key`, async () => {
    const shop = openShop();
    shop.checkout = checkout;
    const page = await open(shop);
    await page.start();
    assert.equal(page.phase, 'unknown');
    assert.deepEqual(page.results, []);
    shop.checkout = () => answer(201, order);
    await clock.advance(800);
    assert.equal(new Set(keysOf(page)).size, 1);
    assert.equal(page.results[0].kind, 'placed');
  });
}

test('A rate limit rejects the first request, but says nothing about an earlier one', async () => {
  const shop = openShop();
  shop.checkout = problem(429, 'rate_limited');
  const first = await open(shop);
  await first.start();
  assert.equal(first.results[0].kind, 'rejected');
  const {shop: other, page} = await openUnanswered();
  other.checkout = problem(429, 'rate_limited');
  await clock.advance(800);
  assert.equal(page.checkouts.length, 2);
  assert.equal(page.phase, 'unknown');
});

test('An order can be withdrawn before it is sent, and not after that', async () => {
  const shop = openShop();
  shop.validate = lost;
  const page = await open(shop);
  await page.start();
  assert.equal(page.phase, 'waiting');
  assert.equal(page.withdrawAttempt(), true);
  assert.equal(page.pendingAttempt(), null);
  await clock.advance(20_000);
  assert.equal(page.checkouts.length, 0);
  const {page: sent} = await openUnanswered();
  assert.equal(sent.withdrawAttempt(), false);
  assert.notEqual(sent.pendingAttempt(), null);
});

test('An order that is withdrawn during its validation is not sent', async () => {
  const shop = openShop();
  let proceed;
  const {validate} = shop;
  shop.validate = () => new Promise((resolve) => { proceed = () => resolve(validate()); });
  const page = await open(shop);
  const done = page.start();
  await settle();
  page.withdrawAttempt();
  proceed();
  await done;
  assert.equal(page.checkouts.length, 0);
  assert.equal(page.phase, 'idle');
});

test('After a failed validation, an order of a basket that has changed in the meantime is not sent', async () => {
  const shop = openShop();
  shop.validate = lost;
  const page = await open(shop);
  await page.start();
  shop.validate = valid;
  shop.basket = () => answer(200, {id: 'b1', state: 'open', version: 4});
  await page.resumeAttempt();
  assert.equal(page.results[0].kind, 'changed');
  assert.equal(page.checkouts.length, 0);
});

test('After a failed validation, an order of an unchanged basket is sent', async () => {
  const shop = openShop();
  shop.validate = lost;
  const page = await open(shop);
  await page.start();
  shop.validate = valid;
  await clock.advance(5_000);
  assert.equal(page.results[0].kind, 'placed');
});

test('An order of a basket that was deleted is gone', async () => {
  const shop = openShop();
  shop.validate = lost;
  const page = await open(shop);
  await page.start();
  shop.basket = problem(404, 'basket_not_found');
  await page.resumeAttempt();
  assert.equal(page.results[0].kind, 'gone');
});

for (const [state, wasSent] of [['sent', true], ['waiting', false]]) {
  test(`An order that was ${state} more than ten minutes ago is not sent again`, async () => {
    const shop = openShop();
    if (wasSent) shop.checkout = lost;
    else shop.validate = lost;
    const page = await open(shop);
    await page.start();
    const {length} = page.checkouts;
    clock.clear();
    clock.set(clock.now() + 10 * 60_000 + 1);
    const next = await open(shop, {localStorage: page.page.localStorage});
    await next.startAttemptMonitor({isOtherTabs: false});
    assert.deepEqual([next.results[0].kind, next.results[0].wasSent], ['expired', wasSent]);
    assert.equal(next.checkouts.length, 0);
    assert.equal(length, wasSent ? 1 : 0);
  });
}

test('An order that was placed more than ten minutes ago is found with its key', async () => {
  const {shop, page} = await openUnanswered();
  const [key] = keysOf(page);
  clock.clear();
  clock.set(clock.now() + 10 * 60_000 + 1);
  shop.basket = () => answer(200, {id: 'b1', state: 'ordered', orderId: 'b1'});
  const next = await open(shop, {localStorage: page.page.localStorage});
  await next.startAttemptMonitor({isOtherTabs: false});
  assert.deepEqual(keysOf(next), [key]);
  assert.equal(next.results[0].kind, 'placed');
});

test('An attempt is deleted after a day, and nothing is sent', async () => {
  const {shop, page} = await openUnanswered();
  clock.clear();
  clock.set(clock.now() + 24 * 3_600_000);
  const next = await open(shop, {localStorage: page.page.localStorage});
  await next.startAttemptMonitor({isOtherTabs: false});
  assert.equal(next.stored, null);
  assert.equal(next.page.requests.length, 0);
});

test('A tab does not send an order while another tab sends it', async () => {
  const shop = openShop(), locks = fakeLocks();
  void locks.request('welms.attempt', {}, () => new Promise(() => {}));
  await settle();
  const page = await open(shop, {locks});
  await page.start();
  assert.equal(page.page.requests.length, 0);
  assert.equal(page.phase, 'sending');
});

test('An order that another tab has placed is shown as placed', async () => {
  const {page} = await openUnanswered();
  await page.startAttemptMonitor({isOtherTabs: true});
  page.page.localStorage['welms.orders'] =
    JSON.stringify([{id: 'b1', number: 'A1', at: begin, due: clock.now(), token: 'secret'}]);
  delete page.page.localStorage['welms.attempt'];
  page.page.dispatch(Object.assign(new Event('storage'), {key: 'welms.attempt'}));
  assert.equal(page.results[0].kind, 'placed');
  assert.equal(page.results[0].order.number, 'A1');
  assert.equal(page.phase, 'idle');
});

test('While an answer is awaited for three seconds, the outcome is shown as unknown', async () => {
  const shop = openShop();
  shop.checkout = () => new Promise(() => {});
  const page = await open(shop);
  void page.start();
  await clock.advance(2_999);
  assert.equal(page.phase, 'sending');
  await clock.advance(1);
  assert.equal(page.phase, 'unknown');
});

test('An offline device sends nothing, and sends the order when the shop can be reached again', async () => {
  const shop = openShop();
  const page = await open(shop);
  page.page.navigator.onLine = false;
  await page.start();
  assert.equal(page.page.requests.length, 0);
  assert.equal(page.phase, 'waiting');
  page.page.navigator.onLine = true;
  await clock.advance(5_000);
  assert.equal(page.results[0].kind, 'placed');
});

test('The guest’s details are stored only with consent', async () => {
  const page = await open(openShop());
  await page.start();
  assert.equal(page.page.localStorage['welms.guest'], undefined);
  const other = await open(openShop());
  await other.startAttempt(body, {version: 3, isRemembered: true});
  assert.equal(JSON.parse(other.page.localStorage['welms.guest']).name, 'Ada');
});

test('After a rejection the form has the typed values, without the totals', async () => {
  const shop = openShop();
  shop.checkout = problem(409, 'price_changed');
  const page = await open(shop);
  await page.start({postcode: '10115'});
  const {checkoutDraft} = await page.page.load('checkout/checkoutDraft.js');
  assert.equal(checkoutDraft().name, 'Ada');
  assert.equal(checkoutDraft().postcode, '10115');
  assert.equal('expectedTotal' in checkoutDraft(), false);
  assert.deepEqual(page.takeAttemptResult().kind, 'rejected');
  assert.equal(page.takeAttemptResult(), null);
});
