// Formats amounts: integers of minor units. The server's answer has the currency and the number of decimals (ISO 4217:
// none for yen, three for dinars), because the browser's own list differs for some currencies.

import {locale} from './translation.js';

/**
 * The currency of an answer of the API.
 * @typedef {{currency: string, currencyExponent: number}} Priced
 */

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {string} currency
 * @param {number} digits
 */
function formatOf(currency, digits) {
  const key = currency + digits;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale,
    {style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits});
  formats.set(key, format);
  return format;
}

/**
 * `money(2899, item)` is "$28.99" for an item with `currency: 'USD', currencyExponent: 2`. The decimal point is
 * inserted as text, so no amount is rounded.
 * @param {number} minorUnits
 * @param {Priced} priced
 */
export function money(minorUnits, {currency, currencyExponent: digits}) {
  return formatOf(currency, digits).format(decimal(minorUnits, digits));
}

const percents = new Intl.NumberFormat(locale, {style: 'percent', maximumFractionDigits: 6});
/**
 * A percentage in the page's language: "10%", "10 %".
 * @type {(percent: number | string) => string}
 */
export const percentage = (percent) => percents.format(Number(percent) / 100);

/**
 * @param {number} minorUnits
 * @param {number} digits
 */
function decimal(minorUnits, digits) {
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const whole = `${minorUnits < 0 ? '-' : ''}${text.slice(0, text.length - digits)}`;
  return digits ? `${whole}.${text.slice(-digits)}` : whole;
}

const decimalSeparator = new Intl.NumberFormat(locale).format(0.5)[1];
/**
 * An amount as a guest would type it.
 * @type {(minorUnits: number, priced: Priced) => string}
 */
export const editableAmount = (minorUnits, {currencyExponent: digits}) =>
  decimal(minorUnits, digits).replace('.', decimalSeparator === ',' ? ',' : '.');

/**
 * A typed amount in minor units: "2.50" is 250 for a currency with two decimals. Null if it is not a valid amount.
 * @param {string} text
 * @param {Priced} priced
 */
export function parseAmount(text, {currencyExponent: digits}) {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text) ?? [];
  return whole === undefined || decimals.length > digits ? null : Number(whole + decimals.padEnd(digits, '0'));
}
