// The guest's favourites, from this device. Items that have left the menu are skipped.

import {read} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {setTitle} from '../parts/router.js';
import {emptyState, loadScreen} from '../parts/screenLoading.js';
import {t} from '../parts/translation.js';
import {itemCard, placeholderCards} from './cards.js';
import {favourites} from './favourites.js';

/** @typedef {import('../parts/router.js').Route} Route */

/** @param {HTMLElement} container @param {Route} route */
export function favouritesScreen(container, route) {
  setTitle(t('Favourites'), {silent: route.isFirst});
  const heading = () => el('h1', {}, t('Favourites'));
  const load = async () => {
    const found = await Promise.all(favourites.value.map((id) => read(`/v1/menu/${id}`).catch((problem) => {
      if (problem.status === 404) return null;
      throw problem;
    })));
    const items = found.flatMap((item) => item ?? []);
    return () => {
      replaceChildren(container, heading(), items.length
        ? el('div.grid', {}, items.map((item) => itemCard(item, {level: 'h2'})))
        : emptyState(t('Tap the heart of a dish to keep it here, on this device only.'), t('See the menu')));
    };
  };
  return loadScreen(container, route,
    () => replaceChildren(container, heading(),
      el('div.grid', {}, placeholderCards(Math.min(favourites.value.length, 6)))),
    load,
    {ofMenu: true});
}
