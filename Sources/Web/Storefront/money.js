// Writes amounts: integers of minor units, with the currency and the number of decimals that the server's answer has beside them (ISO 4217: none for
// yen, three for dinars). Browsers have a list of their own, which leaves some decimals out. What counts is always the server's.

import {locale} from './words.js';

const formats = new Map();

function formatOf(currency, digits) {
  const key = currency + digits;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(locale, {style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits}));
  return formats.get(key);
}

/**
 * `money(2899, item)` is "$28.99" where the item has `currency: 'USD', currencyExponent: 2`, as all has that has an amount.
 * The digits are moved as text, so that no amount is ever rounded.
 */
export function money(minorUnits, {currency, currencyExponent: digits}) {
  return formatOf(currency, digits).format(decimal(minorUnits, digits));
}

const percents = new Intl.NumberFormat(locale, {style: 'percent', maximumFractionDigits: 6});
/** A percentage as the page's language writes it: "10%", "10 %". */
export const percentage = (percent) => percents.format(Number(percent) / 100);

function decimal(minorUnits, digits) {
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const whole = `${minorUnits < 0 ? '-' : ''}${text.slice(0, text.length - digits)}`;
  return digits ? `${whole}.${text.slice(-digits)}` : whole;
}

const point = new Intl.NumberFormat(locale).format(0.5)[1];
/** An amount as somebody would type it. */
export const written = (minorUnits, {currencyExponent: digits}) => decimal(minorUnits, digits).replace('.', point === ',' ? ',' : '.');

/** What somebody has typed, in minor units: "2.50" is 250 where a currency has two decimals; null for what is no amount of it. */
export function minorUnits(text, {currencyExponent: digits}) {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text) ?? [];
  return whole === undefined || decimals.length > digits ? null : Number(whole + decimals.padEnd(digits, '0'));
}
