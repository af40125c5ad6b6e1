// Parses the text of an event stream (HTML standard, section 9.2.6, "Interpreting an event stream").

/**
 * The fields that a blank line has completed; null for a field that is missing.
 * @typedef {{name: string, data: string | null, id: string | null}} StreamMessage
 */

/** A line ends with "\r\n", "\n" or "\r". */
const lineEnd = /\r\n|\n|\r/;
/**
 * Two line ends. A "\r" at the end of the text may be half of a "\r\n": its "\n" then begins the next text, where it is
 * an empty line without effect.
 */
const blankLine = /(?:\r\n|\n|\r(?!\n)){2}/;

/** @param {string} text @returns {StreamMessage} */
function parseMessage(text) {
  let name = '', id = null;
  /** @type {string[]} */
  const data = [];
  for (const line of text.split(lineEnd)) {
    const [field, ...parts] = line.split(':');
    const value = parts.join(':').replace(/^ /, '');
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
  return {name: name || 'message', data: data.length ? data.join('\n') : null, id};
}

/**
 * Parses the messages that a text completes. `rest` is the text after them: the next piece of the stream belongs behind
 * it.
 * @param {string} text
 * @returns {{messages: StreamMessage[], rest: string}}
 */
export function parseEventStream(text) {
  const parts = text.split(blankLine);
  const rest = parts.pop() ?? '';
  return {messages: parts.map(parseMessage), rest};
}
