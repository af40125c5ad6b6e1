// The emails that were not sent to the guest of an order, and why.

import {el} from '../parts/dom.js';

/** @typedef {Pick<API.Order, 'unsentMails'>} OrderMails */

const reasonTexts = {
  address_limit: 'the address has had five within an hour',
  refused: 'the mail server refused the address',
  expired: 'sending failed for a day',
  unwritable: 'the order has no valid address',
};

/**
 * One line for each reason: staff should know that the guest lacks these emails.
 * @param {OrderMails} order
 */
export const unsentMailLines = ({unsentMails = []}) => [...new Set(unsentMails.map(({reason}) => reason))]
  .map((reason) => el('p.unsent-mail', {}, `An email to the guest was not sent: ${reasonTexts[reason] ?? reason}`));

/**
 * A key that changes when the lines change.
 * @param {OrderMails} order
 */
export const unsentMailsKey = ({unsentMails = []}) =>
  unsentMails.map(({state, reason}) => `${state} ${reason}`).join();
