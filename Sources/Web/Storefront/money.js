// Writes amounts: integers of minor units in the shop's currency, with that currency's own number of digits (none for yen, three for dinars).
// No arithmetic on money happens in the browser but what a set or a line costs, which the server answers.

const formats = new Map();

function formatOf(currency) {
  if (!formats.has(currency)) formats.set(currency, new Intl.NumberFormat(undefined, {style: 'currency', currency}));
  return formats.get(currency);
}

/** `money(2899, 'USD')` is "$28.99". The digits are moved as text, so that no amount is ever rounded. */
export function money(minorUnits, currency) {
  const format = formatOf(currency);
  const digits = format.resolvedOptions().maximumFractionDigits;
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const sign = minorUnits < 0 ? '-' : '';
  const whole = text.slice(0, text.length - digits);
  return format.format(digits ? `${sign}${whole}.${text.slice(-digits)}` : `${sign}${whole}`);
}
