// Texts of the guest page: availability, errors, states of an order, prices, totals, and the search criteria.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock} from './clock.mjs';
import {answer, openPage} from './page.mjs';

process.env.TZ = 'America/New_York';
installClock('2026-11-24T11:00:00Z');
const usd = {currency: 'USD', currencyExponent: 2};

/** Opens a page in this language, with the zone Europe/Berlin. */
async function open(language, locale) {
  const page = openPage({language, languages: [locale], server: () => answer(200, {timeZone: 'Europe/Berlin'})});
  await (await page.load('parts/timeZone.js')).loadTimeZone();
  return page;
}
const page = await open('en', 'en-GB');
const [availability, orders, errors, criteria, totals, {prices}] = await Promise.all(['dish/availability.js',
  'orders/orderStateTexts.js', 'parts/errorSentence.js', 'menu/searchCriteria.js', 'parts/totalRows.js',
  'dish/prices.js'].map(page.load));
const withSpaces = (text) => text.replaceAll('\u00a0', ' ');

const available = {isAvailable: true, unavailable: null};
const soldOut = (until) => ({isAvailable: false, unavailable: {reason: 'sold_out', until}});
const notServed = (until) => ({isAvailable: false, unavailable: {reason: 'not_served', until}});
const notOffered = {isAvailable: false, unavailable: {reason: 'not_offered'}};
const stock = (count) => ({isAvailable: false, unavailable: {reason: 'stock_short', available: count}});

test('A dish can be ordered if it is available, or served at another time', () => {
  assert.equal(availability.isOrderable(available), true);
  assert.equal(availability.isOrderable(notServed(undefined)), true);
  assert.equal(availability.isOrderable(soldOut(undefined)), false);
  assert.equal(availability.isServedLater(available), false);
});

test('The text of an unavailable dish says when the dish returns, if that is known', () => {
  const {unavailableText} = availability;
  assert.equal(unavailableText(soldOut(undefined)), 'Sold out');
  assert.equal(unavailableText(soldOut('2026-11-25T09:00:00Z')), 'Sold out, back tomorrow at 10:00');
  assert.equal(unavailableText(notServed(undefined)), 'Not served now');
  assert.equal(unavailableText(notServed('2026-11-24T17:00:00Z')), 'Served again at 18:00');
  assert.equal(unavailableText(notOffered), 'No longer available');
});

test('The lowest stock comes first, then a dish that is no longer offered', () => {
  const {unavailableText} = availability;
  assert.equal(unavailableText(notOffered, stock(3), stock(2)), 'Only 2 left');
  assert.equal(unavailableText(stock(0)), 'Sold out');
  assert.equal(unavailableText(soldOut('2026-11-24T12:00:00Z'), notOffered), 'No longer available');
});

test('Of several unavailable dishes the latest return counts, and an unknown return counts as unknown', () => {
  const {unavailableText} = availability;
  const [noon, evening] = ['2026-11-24T12:00:00Z', '2026-11-24T17:00:00Z'];
  assert.equal(unavailableText(notServed(evening), available, notServed(noon)), 'Served again at 18:00');
  assert.equal(unavailableText(soldOut(noon), notServed(evening)), 'Sold out, back at 18:00');
  assert.equal(unavailableText(soldOut(undefined), soldOut(noon)), 'Sold out');
});

test('A stock of one to ten is shown', () => {
  const texts = [null, 0, 1, 10, 11].map((left) => availability.fewLeft({left}));
  assert.deepEqual(texts, [null, null, '1 left', '10 left', null]);
});

const error = (code, params, priced) =>
  errors.errorSentence({code, field: '', message: `The server’s text of ${code}.`, params}, priced);

test('An error with an amount or a time is a sentence with the formatted value', () => {
  assert.equal(error('tip_out_of_range', {maximum: 5_000}, usd), 'The tip can be up to US$50.00.');
  assert.equal(error('order_minimum_not_reached', {missingAmount: 250}, usd),
    'Add US$2.50 more, and we’ll deliver there.');
  assert.equal(error('shop_closed', {opensAt: '2026-11-25T10:00:00Z'}), 'We are closed. We open tomorrow at 11:00.');
  assert.equal(error('shop_paused', {until: '2026-11-24T12:00:00Z'}), 'We are not taking orders until 13:00.');
  assert.equal(error('too_soon', {earliest: '2026-11-24T12:00:00Z'}),
    'That is too soon for us. The earliest we can do is at 13:00.');
  assert.equal(error('too_far', {latest: '2026-11-24T12:00:00Z'}),
    'That is too far ahead. The latest we can do is today at 13:00.');
  assert.equal(error('too_far', {latest: '2026-11-25T12:00:00Z'}),
    'That is too far ahead. The latest we can do is tomorrow at 13:00.');
  assert.equal(error('item_not_served_then', {from: '2026-11-24T16:00:00Z', until: '2026-11-24T20:00:00Z'}),
    'not available then, but at 17:00 until 21:00.');
  assert.equal(error('item_not_served_then', {from: '2026-11-24T16:00:00Z'}), 'not available then, but at 17:00.');
});

test('A full time names the limit, or the alternatives, or neither', () => {
  assert.equal(error('slot_full', {limit: 1}), 'We can make at most 1 dish for one time.');
  assert.equal(error('slot_full', {limit: 2}), 'We can make at most 2 dishes for one time.');
  assert.equal(error('slot_full', {alternatives: ['2026-11-24T12:00:00Z']}),
    'That time is taken. These are available:');
  assert.equal(error('slot_full', {}), 'That time is taken. Please choose another one.');
});

test('An error without the value of its sentence, or with an unknown code, has the server’s text', () => {
  for (const [code, params] of [['tip_out_of_range', {maximum: 5}], ['order_minimum_not_reached', {missingAmount: 5}],
    ['shop_closed', {}], ['shop_paused', {}], ['too_soon', {}], ['too_far', {}], ['item_not_served_then', {}],
    ['stock_short', {}], ['something_new', undefined]]) {
    assert.equal(error(code, params), `The server’s text of ${code}.`);
  }
  assert.equal(error('stock_short', {available: 2}), 'Only 2 left');
});

test('On a German page, a stock of zero has the text of a sold-out item', async () => {
  const german = await open('de', 'de-DE');
  const {errorSentence} = await german.load('parts/errorSentence.js');
  const sold = errorSentence({code: 'item_sold_out', field: '', message: 'Sold out.', params: {}});
  assert.notEqual(sold, 'Sold out.');
  assert.equal(errorSentence({code: 'stock_short', field: '', message: 'Only 0.', params: {available: 0}}), sold);
  assert.match(withSpaces(errorSentence({code: 'tip_out_of_range', message: '', params: {maximum: 500}}, usd)),
    /5,00 \$/);
});

test('A state of an order has its text, and a pickup has another one where the courier is named', () => {
  const text = (fulfilment, state) => orders.stateText({fulfilment, state});
  assert.deepEqual(text('delivery', 'placed'), ['Placed', 'We have your order.']);
  assert.deepEqual(text('delivery', 'on_the_way'), ['On the way', 'The courier is on the way to you.']);
  assert.deepEqual(text('pickup', 'on_the_way'), ['Ready', 'Your order is ready for pickup.']);
  assert.deepEqual(text('pickup', 'placed'), ['Placed', 'We have your order.']);
  assert.deepEqual(text('pickup', 'delivered'), ['Picked up', 'Enjoy your meal.']);
  assert.equal(text('pickup', 'cancelled')[0], 'Cancelled');
  assert.equal(text('delivery', 'rejected')[0], 'Cancelled by the restaurant');
  assert.deepEqual(text('delivery', 'beamed'), ['beamed', '']);
  assert.deepEqual(orders.stateText({fulfilment: 'pickup', state: 'placed'}, 'delivered')[0], 'Picked up');
});

test('The kitchen has an order until the order is on its way', () => {
  const states = ['placed', 'accepted', 'preparing', 'on_the_way', 'delivered', 'cancelled', 'rejected'];
  assert.deepEqual(states.filter(orders.isInKitchen), ['placed', 'accepted', 'preparing']);
});

test('A price beside a higher regular price is named for screen readers', () => {
  assert.equal(prices(250, 300, usd).textContent, 'now US$2.50, before US$3.00');
  assert.equal(prices(250, 300, usd).querySelector('.before').textContent, 'US$3.00');
});

test('A price without a sale stands alone', () => {
  for (const before of [250, null, undefined]) assert.equal(prices(250, before, usd).textContent, 'US$2.50');
});

const bill = (all, more = {}) => ({...usd, discount: 0, titlesAreIn: 'en', totals: all, ...more});
const rowTexts = (rows) => rows.map((row) => row && row.children.map(({textContent}) => textContent));
const [subtotal, total] = [['subtotal', 'Dishes', 2_000], ['total', 'To pay', 2_000]].map(([kind, title, amount]) =>
  ({kind, title, amount}));

test('A subtotal that equals the total is left out', () => {
  assert.deepEqual(rowTexts(totals.totalRows(bill([subtotal, total]))), [null, ['To pay', 'US$20.00']]);
  const fee = {kind: 'delivery_fee', title: 'Delivery', amount: 300};
  assert.deepEqual(rowTexts(totals.totalRows(bill([subtotal, fee, total]))),
    [['Dishes', 'US$20.00'], ['Delivery', 'US$3.00'], ['To pay', 'US$20.00']]);
});

test('With a discount the subtotal is crossed out, and the discount has its coupon', () => {
  const discount = {kind: 'discount', title: 'Ten off', code: 'TEN', amount: -1_000};
  const rows = totals.totalRows(bill([subtotal, discount, total], {discount: 1_000}));
  assert.deepEqual(rowTexts(rows)[1], ['Ten off (TEN)', '-US$10.00']);
  assert.equal(rows[0].children[1].nodeName, 'S');
  assert.equal(totals.totalTitle({...discount, title: undefined}, bill([])), 'Coupon');
});

test('A title in another language than the page’s is translated by its kind', async () => {
  const german = await open('de', 'de-DE');
  const {totalTitle} = await german.load('parts/totalRows.js');
  assert.equal(totalTitle(subtotal, bill([], {titlesAreIn: 'de-AT'})), 'Dishes');
  assert.notEqual(totalTitle(subtotal, bill([], {titlesAreIn: 'en'})), 'Dishes');
  assert.equal(totalTitle({kind: 'unknown_kind', title: 'Bottle deposit'}, bill([], {titlesAreIn: 'en'})),
    'Bottle deposit');
});

test('A tax has its rate once, and is marked if the prices include it', () => {
  const {taxTitle} = totals;
  assert.equal(taxTitle({title: 'VAT', rate: '19'}), 'VAT 19%');
  assert.equal(taxTitle({title: 'VAT 19 %', rate: '19'}), 'VAT 19 %');
  assert.equal(taxTitle({title: 'Deposit'}), 'Deposit');
  assert.equal(taxTitle({title: 'VAT', rate: '19', isIncluded: true}), 'including VAT 19%');
});

const criteriaOf = (query, category) =>
  criteria.criteriaFrom({...category ? {category} : {}, query: new URLSearchParams(query)});
const everything = {category: '', q: '', tag: '', without: '', diet: '', sort: 'position'};

test('An address without a search has the default criteria and shows the whole menu', () => {
  assert.deepEqual(criteriaOf(''), everything);
  assert.equal(criteria.isWholeMenu(criteriaOf('', 'burgers')), true);
  for (const query of ['q=a', 'tag=hot', 'without=nuts', 'diet=vegan', 'sort=price']) {
    assert.equal(criteria.isWholeMenu(criteriaOf(query)), false, query);
  }
});

test('Search criteria survive the way to an address and back', () => {
  const all = {category: 'burgers', q: 'a & b = c', tag: 'hot', without: 'nuts,milk', diet: 'vegan', sort: 'price'};
  const address = criteria.menuAddress(all);
  const [path, query] = address.split('?');
  assert.equal(path, '#/menu/burgers');
  assert.deepEqual(criteriaOf(query, 'burgers'), all);
  assert.equal(criteria.menuAddress(everything), '#/menu');
});

test('A request has no empty criteria and no default order', () => {
  assert.equal(String(criteria.queryParameters({...everything, q: 'chili'})), 'q=chili');
  assert.equal(String(criteria.queryParameters({...everything, sort: 'price'})), 'sort=price');
});

test('The food filter is named with its allergens and its diet', () => {
  assert.equal(criteria.foodFilterText({without: 'nuts,milk', diet: ''}), 'without nuts, milk');
  assert.equal(criteria.foodFilterText({without: '', diet: 'gluten_free'}), 'gluten-free');
  assert.equal(criteria.foodFilterText({without: 'nuts', diet: 'vegan'}), 'without nuts, vegan');
  assert.deepEqual([{without: '', diet: ''}, {without: 'nuts', diet: ''}, {without: '', diet: 'vegan'}]
    .map(criteria.hasFoodFilter), [false, true, true]);
});
