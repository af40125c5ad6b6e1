// Allergens, diets and minimum age of a dish, as text. Unknown values are never presented as "free of".

import {el} from '../parts/dom.js';
import {t, translatedName} from '../parts/translation.js';

/** @typedef {Pick<API.MenuItem, 'contains' | 'mayContain' | 'allergensAreKnown' | 'diets' | 'minimumAge'>} Food */

/** @type {API.Allergen[]} */
export const allergens = ['celery', 'crustaceans', 'eggs', 'fish', 'gluten', 'lupin', 'milk', 'molluscs', 'mustard',
  'nuts', 'peanuts', 'sesame', 'soya', 'sulphites'];
/** @type {API.Diet[]} */
export const diets = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'];

/**
 * The name of a diet.
 * @param {API.Diet} diet
 */
export const dietName = (diet) => translatedName(diet, diet.replace('_', '-'));

/** @param {string[]} names */
const nameList = (names) => names.map((name) => translatedName(name)).join(', ');

/**
 * Vegan food is also vegetarian, even if staff entered only "vegan".
 * @param {Food} food
 * @param {API.Diet} diet
 */
const meets = (food, diet) => food.diets.includes(diet) || (diet === 'vegetarian' && food.diets.includes('vegan'));

/** @param {API.Allergen[]} a @param {API.Allergen[]} b */
const union = (a, b) => allergens.filter((name) => a.includes(name) || b.includes(name));

/**
 * The food information of an item together with its options.
 * @param {Food} item
 * @param {Food[]} options
 */
export const combinedFood = (item, options) => options.reduce((all, option) => ({
  contains: union(all.contains, option.contains),
  mayContain: union(all.mayContain, option.mayContain),
  allergensAreKnown: all.allergensAreKnown && option.allergensAreKnown,
  diets: diets.filter((diet) => meets(all, diet) && meets(option, diet)
    && (all.diets.includes(diet) || option.diets.includes(diet))),
  minimumAge: Math.max(all.minimumAge ?? 0, option.minimumAge ?? 0) || null,
}), item);

/** @param {Food} food */
const traces = ({contains, mayContain}) => mayContain.filter((name) => !contains.includes(name));

/** @param {Food} food */
const allergensOf = (food) => [
  food.contains.length ? t('contains {names}', {names: nameList(food.contains)}) : null,
  traces(food).length ? t('may contain {names}', {names: nameList(traces(food))}) : null,
];

/**
 * The allergens and the minimum age of an option in a few words, or ''.
 * @param {API.Option} option
 * @param {API.MenuItem} item
 */
export const optionFood = (option, item) => [
  ...allergensOf(option),
  item.allergensAreKnown && !option.allergensAreKnown ? t('allergens not known') : null,
  option.minimumAge ? t('{age} or older', {age: option.minimumAge}) : null,
].filter(Boolean).join(' · ');

/**
 * The allergens of a basket line with its options, or '' if the server sends none.
 * @param {Food} line
 */
export function lineFood(line) {
  if (!line.contains) return '';
  const texts = [...allergensOf(line), line.allergensAreKnown ? null : t('allergens not known')].filter(Boolean);
  return texts.length ? texts.join(' · ') : t('none of the 14 allergens');
}

/**
 * All food information as rows, or none if the server sends none.
 * @param {Food} food
 */
export function foodRows(food) {
  if (!food.contains) return [];
  const more = traces(food);
  const rows = [
    [t('Contains'), food.contains.length ? nameList(food.contains)
      : food.allergensAreKnown ? t('none of the 14 allergens') : null],
    [t('May contain'), nameList(more)],
    [t('Diet'), food.diets.map(dietName).join(', ')],
    [t('Age'), food.minimumAge ? t('{age} or older', {age: food.minimumAge}) : null],
  ].filter(([, text]) => text).map(([term, text]) => el('div', {}, el('dt', {}, term), el('dd', {}, text)));
  return food.allergensAreKnown ? rows
    : [...rows, el('div', {}, el('dt', {}, t('Allergens')),
      el('dd', {}, food.contains.length ? t('There may be others: please ask us.') : t('Not known: please ask us.')))];
}
