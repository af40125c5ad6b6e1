// What a guest looks for on the menu: {category, q, tag, without, diet, sort}, each a text, as the address has it.
// Used by the menu's screen and its parts: chapters.js, found.js, tags.js.

import {named, t} from './words.js';

/** What an address asks for. */
export function wantedBy({category = '', query}) {
  const asked = (name, otherwise = '') => query.get(name) ?? otherwise;
  return {category, q: asked('q'), tag: asked('tag'), without: asked('without'), diet: asked('diet'), sort: asked('sort', 'position')};
}

/** Whether only some dishes can be eaten. */
export const isFiltered = ({without, diet}) => Boolean(without || diet);

/** Whether nothing is looked for: then there is the whole card. */
export const isCard = (wanted) => !(wanted.q || wanted.tag || isFiltered(wanted)) && wanted.sort === 'position';

/** The same as a request has it. */
export const parameters = (wanted) => new URLSearchParams(Object.entries(wanted).filter(([name, value]) => value && !(name === 'sort' && value === 'position')));

/** The address that asks for it. */
export function addressOf({category, ...rest}) {
  // Not `size`: Safari before 17 and Chrome before 113 lack it.
  const query = String(parameters(rest));
  return `#/menu${category ? `/${category}` : ''}${query && `?${query}`}`;
}

/** What must not be in a dish, and what it is right for, in words. */
export const foodWords = ({without, diet}) => [
  without && t('without {names}', {names: without.split(',').map((name) => named(name)).join(', ')}), diet && named(diet, diet.replace('_', '-')),
].filter(Boolean).join(', ');
