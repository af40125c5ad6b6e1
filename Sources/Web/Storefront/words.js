// What guests and staff read of a refusal. Most of the server's sentences are written for them; those of these codes are for who writes
// a program, and a page that meets one has words of its own. Used by api.js.

const words = {
  basket_not_found: 'This basket is gone. Please start a new one.',
  basket_already_ordered: 'This basket has been ordered already.',
  menu_item_not_found: 'This is not on the menu, or not any more.',
  sale_not_found: 'There is no such offer, or not any more.',
  price_changed: 'A price has changed since you looked.',
  validation_failed: 'Something is missing or wrong.',
  precondition_failed: 'This was changed somewhere else at the same moment. Please look, and try again.',
};

/** The sentence of a problem. */
export function wordsOf(status, code, detail) {
  if (words[code]) return words[code];
  // No answer of ours: a proxy's page, say.
  if (!detail) return status >= 500 ? 'Something went wrong on our side. Please try again in a moment.' : 'That did not work.';
  if (code === 'not_found') return 'There is nothing at this address.';
  if (status === 500) return 'Something went wrong on our side. Please try again in a moment.';
  if ([400, 405, 408, 413, 415, 431].includes(status)) return 'We could not make sense of that. Please load the page again.';
  return detail;
}
