// Values that are never missing, such as the elements of the page's own HTML.

/**
 * Returns the value; throws if it is missing.
 * @template Value
 * @param {Value | null | undefined} value
 * @returns {Value}
 */
export function required(value) {
  if (value == null) throw new TypeError('A required value is missing.');
  return value;
}
