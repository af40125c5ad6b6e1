// The search criteria of the menu: {category, q, tag, without, diet, sort}, all strings, as in the address.

import {t, translatedName} from '../parts/translation.js';

/** The criteria of an address. */
export function criteriaFrom({category = '', query}) {
  const valueOf = (name, fallback = '') => query.get(name) ?? fallback;
  return {category, q: valueOf('q'), tag: valueOf('tag'), without: valueOf('without'), diet: valueOf('diet'),
    sort: valueOf('sort', 'position')};
}

/** Whether dishes are filtered by allergens or diet. */
export const hasFoodFilter = ({without, diet}) => Boolean(without || diet);

/** Whether there is no search: then the whole menu is shown. */
export const isWholeMenu = (criteria) => !(criteria.q || criteria.tag || hasFoodFilter(criteria))
  && criteria.sort === 'position';

/** The criteria as query parameters of a request. */
export const queryParameters = (criteria) => new URLSearchParams(Object.entries(criteria)
  .filter(([name, value]) => value && !(name === 'sort' && value === 'position')));

/** The address of a search. */
export function menuAddress({category, ...rest}) {
  // Does not use `size` of URLSearchParams: Safari before 17 and Chrome before 113 lack it.
  const query = String(queryParameters(rest));
  return `#/menu${category ? `/${category}` : ''}${query && `?${query}`}`;
}

/** The food filter as text. */
export const foodFilterText = ({without, diet}) => [
  without && t('without {names}', {names: without.split(',').map((name) => translatedName(name)).join(', ')}),
  diet && translatedName(diet, diet.replace('_', '-')),
].filter(Boolean).join(', ');
