// An item or a sale as a card: the picture and the name lead to it, the buttons put it into the basket or among the favourites.
// Used by the home, menu and favourites screens.

import {fetched} from './api.js';
import {addDish, isTapped} from './basket.js';
import {el, icon} from './dom.js';
import {favourites, isFavourite, toggleFavourite} from './favourites.js';
import {money} from './money.js';
import {notice, trying} from './notice.js';
import {picture} from './picture.js';
import {prices} from './prices.js';
import {few, soldOut} from './soldout.js';

/** A heart that is full or not. It ends with its element: the watch is dropped at the first change after that. */
export function heart(item) {
  const button = el('button.round.heart', {
    type: 'button', 'aria-label': `Favourite: ${item.title}`,
    onclick: () => {
      toggleFavourite(item.id);
      notice(isFavourite(item.id) ? `${item.title} is a favourite now.` : `${item.title} is no favourite any more.`);
    },
  }, icon('heart'));
  const draw = () => button.setAttribute('aria-pressed', String(isFavourite(item.id)));
  const end = favourites.watch(() => (button.isConnected ? draw() : end()));
  draw();
  return button;
}

/** Each tap adds one, also while another is on its way. What can't be added as it comes is chosen first. */
async function add(button, item) {
  const dish = {menuItemId: item.id};
  button.setAttribute('aria-busy', 'true');
  await trying(async () => {
    try {
      if (item.needsChoice) return await choose(item);
      await addDish(dish);
      notice(`${item.title} is in the basket.`);
    } catch (problem) {
      // One of its defaults was sold out since.
      if (!item.hasOptions || problem.code !== 'validation_failed') throw problem;
      await choose(item, problem.errors);
    }
    return undefined;
  });
  if (!isTapped(dish)) button.removeAttribute('aria-busy');
}

async function choose(item, errors) {
  const {askToAdd} = await fetched(import('./sheet.js'));
  await askToAdd(item.id, errors);
}

/** The button that adds one. */
function addButton(item) {
  if (!item.isAvailable) return el('span.soldout', {}, soldOut(item));
  return el('button.button.small', {
    type: 'button', 'aria-label': `${item.needsChoice ? 'Choose' : 'Add'} ${item.title}`, 'aria-haspopup': item.needsChoice ? 'dialog' : null,
    onclick: (event) => add(event.currentTarget, item),
  }, icon('plus'), item.needsChoice ? 'Choose' : 'Add');
}

/** Marks what is special about an item: the star, the percentage, how few are left, from which age on. */
export function marks(item) {
  return [
    item.kind === 'special' ? el('span.mark.special', {}, icon('star'), 'Special') : null,
    item.salePercent ? el('span.mark', {}, `−${item.salePercent} %`) : null,
    few(item) ? el('span.mark', {}, few(item)) : null,
    item.minimumAge ? el('span.mark', {}, `${item.minimumAge}+`) : null,
  ];
}

/** An item of a list; `level` is its heading's. */
export function itemCard(item, {eager = false, level = 'h3'} = {}) {
  return el(item.isAvailable ? 'article.card' : 'article.card.gone', {'data-item': item.id},
    el('a.face', {href: `#/items/${item.id}`},
      picture(item.imageURL, item.title, {eager}),
      el(level, {}, item.title)),
    el('p.marks', {}, marks(item)),
    el('p.about', {}, item.description),
    el('div.row', {}, prices(item.currentPrice, item.salePercent ? item.price : null, item), addButton(item)),
    heart(item));
}

/** A sale of the home screen. */
export function saleCard(sale, {eager = false} = {}) {
  return el('article.sale', {'data-sale': sale.id},
    el('a.face', {href: `#/sales/${sale.id}`},
      picture(sale.previewImageURL, sale.title, {shape: 'wide', eager}),
      el('span.words', {},
        el('h3', {}, sale.title),
        el('span.headline', {}, sale.headline),
        sale.kind === 'set' ? el('span.total', {}, `The set for ${money(sale.total, sale)}`) : null)));
}

/** Grey cards in the size of those that come. */
export const skeletons = (count, name = 'card') =>
  Array.from({length: count}, () => el(`div.${name}.skeleton`, {'aria-hidden': 'true'}, el('span.picture.item')));
