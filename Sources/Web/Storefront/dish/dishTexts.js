// The texts that a guest can add to a dish. This is their only list on the guest page.

import {t} from '../parts/translation.js';

/** The label and the maximum length of each text, by its name in a request. */
export const dishTexts = {note: {label: t('A note for the kitchen'), maxlength: 140}};

/** The texts that a dish has, by name. */
export const textsOf = (dish) =>
  Object.fromEntries(Object.keys(dishTexts).filter((name) => dish[name]).map((name) => [name, dish[name]]));

/** The texts that a dish has. */
export const textList = (dish) => Object.values(textsOf(dish));

/** A copy of a line without its texts, safe to keep in local storage. */
export const withoutTexts = (line) =>
  ({...line, ...Object.fromEntries(Object.keys(dishTexts).map((name) => [name, null]))});
