// The texts that a guest can add to a dish. This is their only list on the guest page.

import {t} from '../parts/translation.js';

/** @typedef {keyof typeof dishTexts} DishTextName */
/** @typedef {Partial<Record<DishTextName, string | null>>} DishTexts */

/** The label and the maximum length of each text, by its name in a request. */
export const dishTexts = {note: {label: t('A note for the kitchen'), maxlength: 140}};
export const dishTextNames = /** @type {DishTextName[]} */ (Object.keys(dishTexts));

/**
 * The texts that a dish has, by name.
 * @param {DishTexts} dish
 */
export function textsOf(dish) {
  /** @type {Partial<Record<DishTextName, string>>} */
  const texts = {};
  for (const name of dishTextNames) {
    const text = dish[name];
    if (text) texts[name] = text;
  }
  return texts;
}

/**
 * The texts that a dish has.
 * @param {DishTexts} dish
 */
export const textList = (dish) => Object.values(textsOf(dish));

/**
 * A copy of a line without its texts, safe to keep in local storage.
 * @template {DishTexts} Line
 * @param {Line} line
 */
export const withoutTexts = (line) =>
  ({...line, ...Object.fromEntries(Object.keys(dishTexts).map((name) => [name, null]))});
