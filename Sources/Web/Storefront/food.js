// What a dish is made of, in words: the allergens, the diets it is right for, from which age on. What is unknown is never told as free of anything.
// Used by the dish's form and the menu's filter.

import {el} from './dom.js';

export const allergens = ['celery', 'crustaceans', 'eggs', 'fish', 'gluten', 'lupin', 'milk', 'molluscs', 'mustard', 'nuts', 'peanuts', 'sesame', 'soya', 'sulphites'];
export const diets = ['vegan', 'vegetarian', 'halal', 'kosher', 'gluten_free', 'lactose_free'];

/** The name of a diet. */
export const dietName = (diet) => diet.replace('_', '-');

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

/** The allergens of one option, in a few words; nothing where there are none. */
export function optionFood(option, item) {
  const more = traces(option);
  return [
    option.contains.length ? `contains ${option.contains.join(', ')}` : null,
    more.length ? `may contain ${more.join(', ')}` : null,
    item.allergensAreKnown && !option.allergensAreKnown ? 'allergens not known' : null,
    option.minimumAge ? `from ${option.minimumAge} years` : null,
  ].filter(Boolean).join(' · ');
}

/** Everything, as rows; nothing where the server says nothing. */
export function foodRows(food) {
  if (!food.contains) return [];
  const more = traces(food);
  const rows = [
    ['Contains', food.contains.length ? food.contains.join(', ') : food.allergensAreKnown ? 'none of the 14 allergens' : null],
    ['May contain', more.join(', ')],
    ['Suits', food.diets.map(dietName).join(', ')],
    ['Age', food.minimumAge ? `${food.minimumAge} or older` : null],
  ].filter(([, text]) => text).map(([term, text]) => el('div', {}, el('dt', {}, term), el('dd', {}, text)));
  return food.allergensAreKnown ? rows
    : [...rows, el('div', {}, el('dt', {}, 'Allergens'), el('dd', {}, food.contains.length ? 'There may be others: please ask us.' : 'Not known: please ask us.'))];
}
