// The guest's details, stored only with their consent, and the draft of the checkout form.

import {beforeReload} from './parts/reload.js';
import {loadValue, saveValue, sessionValues} from './parts/storage.js';
import {t} from './parts/translation.js';

/** The labels of the guest's details by their names in a request, in the order in which an order shows them. */
export const detailLabels = {
  name: t('Name'), phone: t('Phone'), email: t('Email'), address: t('Address'), postcode: t('Postcode'),
  comment: t('Comment'),
};
/** The details that the device stores; a comment belongs to one order. */
const detailNames = Object.keys(detailLabels).filter((name) => name !== 'comment');

/** The stored details, or null. */
export const rememberedGuest = () => loadValue('guest');

/** Stores the details. A field that the form did not show, such as the address for a pickup, keeps its stored value. */
export const rememberGuest = (values) =>
  saveValue('guest',
    {...rememberedGuest(),
      ...Object.fromEntries(detailNames.filter((name) => values[name]).map((name) => [name, values[name]]))});

export const forgetGuest = () => saveValue('guest', null);

/** The fields that do not identify the guest. Only these survive an ordinary reload. */
const impersonalNames = ['fulfilment', 'postcode', 'wantedAt', 'coupon', 'tip'];
/**
 * The complete draft, or null before the first input. It is stored only for a reload by the page itself, for example to
 * change the language.
 */
let currentDraft = sessionValues.load('handover');
sessionValues.save('handover', null);
beforeReload(() => sessionValues.save('handover', currentDraft));

/** The draft of the form with the applied coupon, until the guest orders or the visit ends. */
export const draft = () => currentDraft ?? sessionValues.load('form', {});

/** Stores the draft; null deletes it. */
export function saveDraft(values) {
  currentDraft = values;
  sessionValues.save('form',
    values && Object.fromEntries(impersonalNames.filter((name) => values[name]).map((name) => [name, values[name]])));
}
