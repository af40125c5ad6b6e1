// The draft of the checkout form, with the applied coupon.

import {beforeReload} from '../parts/reload.js';
import {sessionValues} from '../parts/storage.js';

/**
 * @typedef {'fulfilment' | 'postcode' | 'wantedAt' | 'name' | 'phone' | 'email' | 'address' | 'coupon' | 'birthday'
 *   | 'tip' | 'comment'} TextName
 */
/**
 * The typed values by the names of the fields.
 * @typedef {Partial<Record<TextName, string | null>>
 *   & {ageConfirmed?: boolean | null, remember?: boolean}} CheckoutDraft
 */

/** The fields that do not identify the guest. Only these survive an ordinary reload. */
const impersonalNames = /** @type {const} */ (['fulfilment', 'postcode', 'wantedAt', 'coupon', 'tip']);
/**
 * The complete draft, or null before the first input. It is stored only for a reload by the page itself, for example to
 * change the language.
 * @type {CheckoutDraft | null}
 */
let currentDraft = sessionValues.load('handover');
sessionValues.save('handover', null);
beforeReload(() => sessionValues.save('handover', currentDraft));

/**
 * The draft of the form with the applied coupon, until the guest orders or the visit ends.
 * @returns {CheckoutDraft}
 */
export const checkoutDraft = () => currentDraft ?? sessionValues.load('form', {});

/**
 * Stores the draft; null deletes it.
 * @param {CheckoutDraft | null} values
 */
export function saveCheckoutDraft(values) {
  currentDraft = values;
  sessionValues.save('form',
    values && Object.fromEntries(impersonalNames.filter((name) => values[name]).map((name) => [name, values[name]])));
}
