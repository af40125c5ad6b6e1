// The search criteria of the menu: {category, q, tag, without, diet, sort}, all strings, as in the address.

import {t, translatedName} from '../parts/translation.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {Record<'category' | 'q' | 'tag' | 'without' | 'diet' | 'sort', string>} Criteria */

/**
 * The criteria of an address.
 * @param {Pick<Route, 'category' | 'query'>} route
 */
export function criteriaFrom({category = '', query}) {
  /** @param {string} name @param {string} [fallback] */
  const valueOf = (name, fallback = '') => query.get(name) ?? fallback;
  return {category, q: valueOf('q'), tag: valueOf('tag'), without: valueOf('without'), diet: valueOf('diet'),
    sort: valueOf('sort', 'position')};
}

/**
 * Whether dishes are filtered by allergens or diet.
 * @param {Pick<Criteria, 'without' | 'diet'>} criteria
 */
export const hasFoodFilter = ({without, diet}) => Boolean(without || diet);

/**
 * Whether there is no search: then the whole menu is shown.
 * @param {Criteria} criteria
 */
export const isWholeMenu = (criteria) => !(criteria.q || criteria.tag || hasFoodFilter(criteria))
  && criteria.sort === 'position';

/**
 * The criteria as query parameters of a request.
 * @param {Partial<Criteria>} criteria
 */
export const queryParameters = (criteria) => new URLSearchParams(Object.entries(criteria)
  .filter(([name, value]) => value && !(name === 'sort' && value === 'position')));

/**
 * The address of a search.
 * @param {Criteria} criteria
 */
export function menuAddress({category, ...rest}) {
  // Does not use `size` of URLSearchParams: Safari before 17 and Chrome before 113 lack it.
  const query = String(queryParameters(rest));
  return `#/menu${category ? `/${category}` : ''}${query && `?${query}`}`;
}

/**
 * The food filter as text.
 * @param {Criteria} criteria
 */
export const foodFilterText = ({without, diet}) => [
  without && t('without {names}', {names: without.split(',').map((name) => translatedName(name)).join(', ')}),
  diet && translatedName(diet, diet.replace('_', '-')),
].filter(Boolean).join(', ');
