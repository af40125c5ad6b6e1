// parts/money.js: amounts as text, and typed amounts as numbers.

import assert from 'node:assert/strict';
import test from 'node:test';
import {openPage} from './page.mjs';

const [dollars, yen, dinars] = [['USD', 2], ['JPY', 0], ['KWD', 3]].map(([currency, currencyExponent]) =>
  ({currency, currencyExponent}));
const english = await openPage({languages: ['en-US']}).load('parts/money.js');
const german = await openPage({language: 'de', languages: ['de-DE']}).load('parts/money.js');
/** A text with ordinary spaces in place of those that do not break a line. */
const withSpaces = (text) => text.replaceAll('\u00a0', ' ');

test('An amount has as many decimals as the server says for its currency', () => {
  assert.equal(english.money(2899, dollars), '$28.99');
  assert.equal(english.money(2899, yen), '¥2,899');
  assert.equal(withSpaces(english.money(2899, dinars)), 'KWD 2.899');
  assert.equal(english.money(2899, {currency: 'JPY', currencyExponent: 2}), '¥28.99');
});

test('An amount below one unit has a zero before the point, and a negative one has a minus sign', () => {
  assert.equal(english.money(5, dollars), '$0.05');
  assert.equal(english.money(0, dollars), '$0.00');
  assert.equal(english.money(-5, dollars), '-$0.05');
  assert.equal(english.money(-1250, dollars), '-$12.50');
});

test('A large amount is shown without rounding', () => {
  assert.equal(english.money(999_999_999_999_999, dollars), '$9,999,999,999,999.99');
  assert.equal(english.editableAmount(9_007_199_254_740_991, dollars), '90071992547409.91');
});

test('A German page writes amounts and percentages in the German way', () => {
  assert.equal(withSpaces(german.money(123_456, {currency: 'EUR', currencyExponent: 2})), '1.234,56 €');
  assert.equal(withSpaces(german.percentage(10)), '10 %');
  assert.equal(german.editableAmount(250, dollars), '2,50');
});

test('A percentage keeps up to six decimals', () => {
  assert.equal(english.percentage('8.875'), '8.875%');
  assert.equal(english.percentage(10), '10%');
});

test('A typed amount with a point or a comma is read in minor units', () => {
  assert.equal(english.parseAmount('2.50', dollars), 250);
  assert.equal(english.parseAmount('2,5', dollars), 250);
  assert.equal(english.parseAmount('2', dollars), 200);
  assert.equal(english.parseAmount('2', yen), 2);
  assert.equal(english.parseAmount('0.125', dinars), 125);
  assert.equal(english.parseAmount('999999999999.99', dollars), 99_999_999_999_999);
});

test('A typed text that is no amount of the currency is rejected', () => {
  for (const text of ['', 'x', '-1', '1.', '.5', '1.234', '1 000', '1.2.3', '1e3', '1234567890123', '2.50 $']) {
    assert.equal(english.parseAmount(text, dollars), null, text);
  }
  assert.equal(english.parseAmount('2.5', yen), null);
});

test('An amount as the guest would type it is read back as the same amount', () => {
  for (const priced of [dollars, yen, dinars]) for (const amount of [0, 1, 10, 99, 100, 12_345]) {
    for (const {editableAmount, parseAmount} of [english, german]) {
      assert.equal(parseAmount(editableAmount(amount, priced), priced), amount);
    }
  }
});
