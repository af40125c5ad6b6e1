// Formats amounts: integers of minor units. The server's answer has the currency and the number of decimals (ISO 4217:
// none for yen, three for dinars), because the browser's own list differs for some currencies.

import {locale} from './translation.js';

const formats = new Map();

function formatOf(currency, digits) {
  const key = currency + digits;
  if (!formats.has(key)) {
    formats.set(key,
      new Intl.NumberFormat(locale, {style: 'currency', currency, minimumFractionDigits: digits,
        maximumFractionDigits: digits}));
  }
  return formats.get(key);
}

/**
 * `money(2899, item)` is "$28.99" for an item with `currency: 'USD', currencyExponent: 2`. The decimal point is
 * inserted as text, so no amount is rounded.
 */
export function money(minorUnits, {currency, currencyExponent: digits}) {
  return formatOf(currency, digits).format(decimal(minorUnits, digits));
}

const percents = new Intl.NumberFormat(locale, {style: 'percent', maximumFractionDigits: 6});
/** A percentage in the page's language: "10%", "10 %". */
export const percentage = (percent) => percents.format(Number(percent) / 100);

function decimal(minorUnits, digits) {
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const whole = `${minorUnits < 0 ? '-' : ''}${text.slice(0, text.length - digits)}`;
  return digits ? `${whole}.${text.slice(-digits)}` : whole;
}

const decimalSeparator = new Intl.NumberFormat(locale).format(0.5)[1];
/** An amount as a guest would type it. */
export const editableAmount = (minorUnits, {currencyExponent: digits}) =>
  decimal(minorUnits, digits).replace('.', decimalSeparator === ',' ? ',' : '.');

/** A typed amount in minor units: "2.50" is 250 for a currency with two decimals. Null if it is not a valid amount. */
export function parseAmount(text, {currencyExponent: digits}) {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text) ?? [];
  return whole === undefined || decimals.length > digits ? null : Number(whole + decimals.padEnd(digits, '0'));
}
