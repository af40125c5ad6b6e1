// What the guest likes, from this device. Items that have left the menu are passed over.

import {read} from '../api.js';
import {itemCard, skeletons} from '../cards.js';
import {el, fill} from '../dom.js';
import {favourites} from '../favourites.js';
import {title} from '../router.js';
import {t} from '../words.js';
import {loading, nothingYet} from './loading.js';

export function favouritesScreen(place, route) {
  title(t('Favourites'), {silent: route.isFirst});
  const heading = () => el('h1', {}, t('Favourites'));
  const load = async () => {
    const found = await Promise.all(favourites.value.map((id) => read(`/v1/menu/${id}`).catch((problem) => {
      if (problem.status === 404) return null;
      throw problem;
    })));
    const items = found.filter(Boolean);
    return () => {
      fill(place, heading(), items.length ? el('div.grid', {}, items.map((item) => itemCard(item, {level: 'h2'})))
        : nothingYet(t('Tap the heart of a dish to keep it here, on this device only.'), t('See the menu')));
    };
  };
  return loading(place, route, () => fill(place, heading(), el('div.grid', {}, skeletons(Math.min(favourites.value.length, 6)))), load, {ofMenu: true});
}
