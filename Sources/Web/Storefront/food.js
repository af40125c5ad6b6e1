// What a dish is made of, in words: the allergens, the diets it is right for, from which age on. What is unknown is never told as free of anything.
// Used by the dish's form, the basket and the menu's filter.

import {el} from './dom.js';
import {named, t} from './words.js';

export const allergens = ['celery', 'crustaceans', 'eggs', 'fish', 'gluten', 'lupin', 'milk', 'molluscs', 'mustard', 'nuts', 'peanuts', 'sesame', 'soya', 'sulphites'];
export const diets = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'];

/** The name of a diet. */
export const dietName = (diet) => named(diet, diet.replace('_', '-'));

const list = (names) => names.map((name) => named(name)).join(', ');

/** What is vegan is vegetarian, also where staff wrote the one word only. */
const meets = (food, diet) => food.diets.includes(diet) || (diet === 'vegetarian' && food.diets.includes('vegan'));

const union = (one, other) => allergens.filter((name) => one.includes(name) || other.includes(name));

/** The food of an item together with that of its options. */
export const together = (item, options) => options.reduce((all, one) => ({
  contains: union(all.contains, one.contains),
  mayContain: union(all.mayContain, one.mayContain),
  allergensAreKnown: all.allergensAreKnown && one.allergensAreKnown,
  diets: diets.filter((diet) => meets(all, diet) && meets(one, diet) && (all.diets.includes(diet) || one.diets.includes(diet))),
  minimumAge: Math.max(all.minimumAge ?? 0, one.minimumAge ?? 0) || null,
}), item);

const traces = ({contains, mayContain}) => mayContain.filter((name) => !contains.includes(name));

const allergensOf = (food) => [
  food.contains.length ? t('contains {names}', {names: list(food.contains)}) : null,
  traces(food).length ? t('may contain {names}', {names: list(traces(food))}) : null,
];

/** The allergens of one option, in a few words; nothing where there are none. */
export const optionFood = (option, item) => [
  ...allergensOf(option),
  item.allergensAreKnown && !option.allergensAreKnown ? t('allergens not known') : null,
  option.minimumAge ? t('{age} or older', {age: option.minimumAge}) : null,
].filter(Boolean).join(' · ');

/** The allergens of a line of the basket with all that was chosen, in a few words; nothing where the server says nothing. */
export function lineFood(line) {
  if (!line.contains) return '';
  const told = [...allergensOf(line), line.allergensAreKnown ? null : t('allergens not known')].filter(Boolean);
  return told.length ? told.join(' · ') : t('none of the 14 allergens');
}

/** Everything, as rows; nothing where the server says nothing. */
export function foodRows(food) {
  if (!food.contains) return [];
  const more = traces(food);
  const rows = [
    [t('Contains'), food.contains.length ? list(food.contains) : food.allergensAreKnown ? t('none of the 14 allergens') : null],
    [t('May contain'), list(more)],
    [t('Diet'), food.diets.map(dietName).join(', ')],
    [t('Age'), food.minimumAge ? t('{age} or older', {age: food.minimumAge}) : null],
  ].filter(([, text]) => text).map(([term, text]) => el('div', {}, el('dt', {}, term), el('dd', {}, text)));
  return food.allergensAreKnown ? rows
    : [...rows, el('div', {}, el('dt', {}, t('Allergens')), el('dd', {}, food.contains.length ? t('There may be others: please ask us.') : t('Not known: please ask us.')))];
}
