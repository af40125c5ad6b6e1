// The items a guest likes, kept on this device alone. Used by cards.js and the favourites screen.

import {keep, kept, onOtherTab, signal} from './store.js';

/** The ids, newest first. */
export const favourites = signal(kept('favourites', []));

/** Whether it is one. */
export const isFavourite = (id) => favourites.value.includes(id);

/** Makes it one, or no longer. */
export function toggleFavourite(id) {
  const others = favourites.value.filter((other) => other !== id);
  const next = others.length < favourites.value.length ? others : [id, ...others].slice(0, 100);
  keep('favourites', next);
  favourites.set(next);
}

onOtherTab('favourites', () => favourites.set(kept('favourites', [])));
