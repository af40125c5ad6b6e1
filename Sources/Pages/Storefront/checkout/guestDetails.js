// The guest's details, stored only with their consent.

import {loadValue, saveValue} from '../parts/storage.js';
import {t} from '../parts/translation.js';

/** @typedef {keyof typeof detailLabels} DetailName */

/** The labels of the guest's details by their names in a request, in the order in which an order shows them. */
export const detailLabels = {
  name: t('Name'), phone: t('Phone'), email: t('Email'), address: t('Address'), postcode: t('Postcode'),
  comment: t('Comment'),
};
export const detailNames = /** @type {DetailName[]} */ (Object.keys(detailLabels));
/** The details that the device stores; a comment belongs to one order. */
const storedNames = detailNames.filter((name) => name !== 'comment');

/**
 * The stored details, or null.
 * @returns {Partial<Record<DetailName, string>> | null}
 */
export const rememberedGuest = () => loadValue('guest');

/**
 * Stores the details. A field that the form did not show, such as the address for a pickup, keeps its stored value.
 * @param {Partial<Record<DetailName, unknown>>} values
 */
export const rememberGuest = (values) =>
  saveValue('guest',
    {...rememberedGuest(),
      ...Object.fromEntries(storedNames.filter((name) => values[name]).map((name) => [name, values[name]]))});

export const forgetGuest = () => saveValue('guest', null);
