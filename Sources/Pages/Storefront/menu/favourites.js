// The guest's favourite items, stored on this device only.

import {signal} from '../parts/signal.js';
import {loadValue, onChangeInOtherTab, saveValue} from '../parts/storage.js';

/**
 * The ids, newest first.
 * @type {import('../parts/signal.js').Signal<number[]>}
 */
export const favourites = signal(loadValue('favourites', []));

/**
 * Whether the item is a favourite.
 * @param {number} id
 */
export const isFavourite = (id) => favourites.value.includes(id);

/**
 * Adds or removes a favourite. At most 100 are kept.
 * @param {number} id
 */
export function toggleFavourite(id) {
  const others = favourites.value.filter((other) => other !== id);
  const next = others.length < favourites.value.length ? others : [id, ...others].slice(0, 100);
  saveValue('favourites', next);
  favourites.set(next);
}

onChangeInOtherTab('favourites', () => favourites.set(loadValue('favourites', [])));
