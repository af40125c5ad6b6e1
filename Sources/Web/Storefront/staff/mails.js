// The mails that an order's guest did not get, and why. Used by ticket.js.

import {el} from '../dom.js';

const reasons = {
  address_limit: 'the address has had five within an hour',
  refused: 'the mail server refused the address',
  expired: 'sending failed for a day',
  unwritable: 'the order has no valid address',
};

/** One line for each reason; the guest knows nothing of what such a mail tells. */
export const unsentMails = ({unsentMails: mails = []}) => [...new Set(mails.map(({reason}) => reason))]
  .map((reason) => el('p.unsent', {}, `An email to the guest was not sent: ${reasons[reason] ?? reason}`));

/** Which of them there are, for the card that shows them. */
export const unsentKey = ({unsentMails: mails = []}) => mails.map(({state, reason}) => `${state} ${reason}`).join();
