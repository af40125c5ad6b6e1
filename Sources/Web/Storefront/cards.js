// An item or a sale as a card: the picture and the name lead to it, the buttons put it into the basket or among the favourites.
// Used by the home, menu and favourites screens.

import {fetched} from './api.js';
import {addDish, basket, isTapped, quantityOf, roomFor} from './basket.js';
import {el, fill, icon} from './dom.js';
import {favourites, isFavourite, toggleFavourite} from './favourites.js';
import {langOf} from './lang.js';
import {money} from './money.js';
import {notice, trying} from './notice.js';
import {picture} from './picture.js';
import {prices} from './prices.js';
import {few, isForLater, soldOut} from './soldout.js';
import {t} from './words.js';

/** A heart that is full or not. It ends with its element: the watch is dropped at the first change after that. */
export function heart(item) {
  const button = el('button.round.heart', {
    type: 'button', 'aria-label': t('Favourite: {title}', item),
    onclick: () => {
      toggleFavourite(item.id);
      notice(isFavourite(item.id) ? t('{title} is a favourite now.', item) : t('{title} is no favourite any more.', item));
    },
  }, icon('heart'));
  const draw = () => button.setAttribute('aria-pressed', String(isFavourite(item.id)));
  const end = favourites.watch(() => (button.isConnected ? draw() : end()));
  draw();
  return button;
}

/** Each tap adds one, also while another is on its way. What can't be added as it comes is chosen first. */
async function add(button, item) {
  if (roomFor(item) < 1) return notice(t('Only {count} left', {count: item.left}), {isProblem: true});
  const dish = {menuItemId: item.id};
  button.setAttribute('aria-busy', 'true');
  await trying(async () => {
    try {
      if (item.needsChoice) return await choose(item);
      await addDish(dish);
      notice(t('{title} is in the basket.', item));
    } catch (problem) {
      // One of its defaults was sold out since.
      if (!item.hasOptions || problem.code !== 'validation_failed') throw problem;
      await choose(item, problem.errors);
    }
    return undefined;
  });
  if (!isTapped(dish)) button.removeAttribute('aria-busy');
  return undefined;
}

async function choose(item, errors) {
  const {askToAdd} = await fetched(import('./sheet.js'));
  await askToAdd(item.id, errors);
}

/** The button that adds one; beside it how many are in the basket, and the one that takes one away. */
function adding(item) {
  if (!item.isAvailable && !isForLater(item)) return el('span.soldout', {}, soldOut(item));
  const dish = {menuItemId: item.id};
  const minus = el('button.round', {type: 'button', 'aria-label': t('One {title} less', item), onclick: () => trying(() => addDish(dish, -1))}, icon('minus'));
  const many = el('span.quantity');
  const plus = el('button.button.small', {
    type: 'button', 'aria-label': item.needsChoice ? t('Choose {title}', item) : t('Add {title}', item), 'aria-haspopup': item.needsChoice ? 'dialog' : null,
    onclick: (event) => add(event.currentTarget, item),
  }, icon('plus'), item.needsChoice ? t('Choose') : t('Add'));
  const node = el('div.adding', {}, minus, many, plus);
  const draw = () => {
    const quantity = quantityOf(dish);
    many.hidden = quantity === 0;
    plus.setAttribute('aria-disabled', String(roomFor(item) < 1));
    if (quantity === 0 && document.activeElement === minus) plus.focus({preventScroll: true});
    // Where there is a choice, which one should go is said in the basket.
    minus.hidden = quantity === 0 || item.needsChoice || (basket.value?.lines ?? []).filter(({menuItemId}) => menuItemId === item.id).length > 1;
    fill(many, el('span.unseen', {}, `${t('In the basket:')} `), quantity);
  };
  const end = basket.watch(() => (node.isConnected ? draw() : end()));
  draw();
  return node;
}

/** Marks what is special about an item: the star, the percentage, how few are left, from which age on. */
export function marks(item) {
  return [
    item.kind === 'special' ? el('span.mark.special', {}, icon('star'), t('Special')) : null,
    item.salePercent ? el('span.mark', {}, `−${item.salePercent} %`) : null,
    isForLater(item) ? el('span.mark', {}, soldOut(item)) : null,
    few(item) ? el('span.mark', {}, few(item)) : null,
    item.minimumAge ? el('span.mark', {}, `${item.minimumAge}+`) : null,
  ];
}

/** What the cards were drawn of. */
const drawn = new WeakMap();

/** Draws those cards of a place anew that are of something that can't be had any more, or can again, or costs something else. */
export function redrawCards(place, items) {
  const by = new Map(items.map((item) => [String(item.id), item]));
  for (const card of place.querySelectorAll('article[data-item]')) {
    const [item, {item: before, options} = {}] = [by.get(card.dataset.item), drawn.get(card)];
    if (!item || !before || item === before || JSON.stringify(item) === JSON.stringify(before)) continue;
    const focused = [...card.querySelectorAll('a, button')].indexOf(document.activeElement);
    const other = itemCard(item, options);
    card.replaceWith(other);
    if (focused >= 0) (other.querySelectorAll('a, button')[focused] ?? other.querySelector('a')).focus({preventScroll: true});
  }
}

/** An item of a list; `level` is its heading's. */
export function itemCard(item, {eager = false, level = 'h3'} = {}) {
  const card = el(item.isAvailable || isForLater(item) ? 'article.card' : 'article.card.gone', {'data-item': item.id},
    el('a.face', {href: `#/items/${item.id}`},
      picture(item.imageURL, item.title, {eager, photograph: item.photograph}),
      el(level, langOf(item), item.title)),
    el('p.marks', {}, marks(item)),
    el('p.about', langOf(item, 'description'), item.description),
    el('div.row', {}, prices(item.currentPrice, item.salePercent ? item.price : null, item), adding(item)),
    heart(item));
  drawn.set(card, {item, options: {eager, level}});
  return card;
}

/** A sale of the home screen. */
export function saleCard(sale) {
  return el('article.sale', {'data-sale': sale.id},
    el('a.face', {href: `#/sales/${sale.id}`},
      picture(sale.previewImageURL, sale.title, {shape: 'wide'}),
      el('span.words', {},
        el('h3', langOf(sale), sale.title),
        el('span.headline', langOf(sale, 'headline'), sale.headline),
        sale.kind === 'set' ? el('span.total', {}, t('The set for {amount}', {amount: money(sale.total, sale)})) : null)));
}

/** Grey cards in the size of those that come. */
export const skeletons = (count, name = 'card') =>
  Array.from({length: count}, () => el(`div.${name}.skeleton`, {'aria-hidden': 'true'}, el('span.picture.item')));
