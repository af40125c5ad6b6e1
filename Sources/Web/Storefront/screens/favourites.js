// What the guest likes, from this device. Items that have left the menu are passed over.

import {read} from '../api.js';
import {itemCard, skeletons} from '../cards.js';
import {el, fill} from '../dom.js';
import {favourites} from '../favourites.js';
import {title} from '../router.js';
import {loading} from './loading.js';

export function favouritesScreen(place, route) {
  title('Favourites', {silent: route.isFirst});
  const heading = () => el('h1', {}, 'Favourites');
  const load = async () => {
    const found = await Promise.all(favourites.value.map((id) => read(`/v1/menu/${id}`).catch((problem) => {
      if (problem.status === 404) return null;
      throw problem;
    })));
    const items = found.filter(Boolean);
    return () => {
      const empty = el('p.empty', {}, 'A tap on a heart keeps a dish here, on this device alone.');
      fill(place, heading(), items.length ? el('div.grid', {}, items.map((item) => itemCard(item, {level: 'h2'}))) : empty,
        items.length ? null : el('p', {}, el('a.button', {href: '#/menu'}, 'Look at the menu')));
    };
  };
  return loading(place, route, () => fill(place, heading(), el('div.grid', {}, skeletons(Math.min(favourites.value.length, 6)))), load, {ofMenu: true});
}
