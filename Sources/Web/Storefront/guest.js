// Who orders, kept on this device for those who asked for it, and what was typed into the form of the checkout.
// Used by the checkout, the tickets of the home screen, and the list of orders.

import {beforeReload} from './parts/reload.js';
import {keep, kept, visit} from './store.js';

const details = ['name', 'phone', 'email', 'address', 'postcode'];

/** The details of the one who asked to be remembered; null for all others. */
export const rememberedGuest = () => kept('guest');

/** Keeps what is needed the next time; what was not asked for this time, as the address of one who came for it, stays as it was. */
export const rememberGuest = (values) =>
  keep('guest', {...rememberedGuest(), ...Object.fromEntries(details.filter((name) => values[name]).map((name) => [name, values[name]]))});

/** Forgets it. */
export const forgetGuest = () => keep('guest', null);

/** Of what was typed that which says nothing of who the guest is: this alone a reload finds again. */
const written = ['fulfilment', 'postcode', 'wantedAt', 'coupon', 'tip'];
/** What was typed before the page reloaded itself, as in another language. It is stored for that moment only. */
let typed = visit.kept('handover');
visit.keep('handover', null);
beforeReload(() => visit.keep('handover', typed));

/** What was typed into the form so far, and the coupon that was tapped; gone with the order, or with the visit. */
export const draft = () => typed ?? visit.kept('form', {});

/** Keeps what was typed; null forgets it. */
export function keepDraft(values) {
  typed = values;
  visit.keep('form', values && Object.fromEntries(written.filter((name) => values[name]).map((name) => [name, values[name]])));
}
