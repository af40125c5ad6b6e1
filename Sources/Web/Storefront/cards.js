// An item or a sale as a card: the picture and the name lead to it, the buttons put it into the basket or among the favourites.
// Used by the home, menu and favourites screens.

import {read, remembered} from './api.js';
import {addDish, basket, isTapped, quantityOf, roomFor} from './basket.js';
import {choiceOf} from './chosen.js';
import {el, fill, icon} from './dom.js';
import {favourites, isFavourite, toggleFavourite} from './favourites.js';
import {langOf} from './lang.js';
import {money, percentage} from './money.js';
import {notice, trying} from './notice.js';
import {loadPart} from './parts/loadPart.js';
import {patch} from './parts/patch.js';
import {picture} from './picture.js';
import {prices} from './prices.js';
import {onThisScreen} from './router.js';
import {defaultsOf} from './selection.js';
import {few, isForLater, soldOut} from './soldout.js';
import {t} from './words.js';

/** A heart that is full or not. It ends with its element: the watch is dropped at the first change after that. */
export function heart(item) {
  const button = el('button.round.heart', {
    type: 'button', 'aria-label': t('Favourite: {title}', item),
    onclick: () => {
      toggleFavourite(item.id);
      notice(isFavourite(item.id) ? t('{title} is now a favourite.', item) : t('{title} is no longer a favourite.', item));
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
  }, item.title);
  if (!isTapped(dish)) button.removeAttribute('aria-busy');
  return undefined;
}

async function choose(item, errors) {
  const {askToAdd} = await onThisScreen(loadPart('sheet', () => import('./sheet.js')));
  await askToAdd(item.id, errors);
}

/** Whether an item's lines are one line of the item as it comes, which the card's buttons add and remove. Null without the
 *  item's groups. */
function isAsItComes({id, hasOptions}, lines) {
  if (lines.length > 1 || lines[0]?.note) return false;
  if (!lines.length || !hasOptions) return true;
  const groups = remembered(`/v1/menu/${id}`)?.optionGroups;
  return groups ? JSON.stringify(choiceOf(lines[0].options)) === JSON.stringify(choiceOf(defaultsOf(groups))) : null;
}

const canBeHad = (item) => item.isAvailable || isForLater(item);

/** The button that adds one; beside it how many are in the basket, and the one that takes one away. `update` returns
 *  the node for an item. */
function adding(item) {
  const dish = {menuItemId: item.id};
  const minus = el('button.round', {type: 'button', onclick: () => trying(() => addDish(dish, -1), item.title)}, icon('minus'));
  const many = el('span.quantity');
  const label = document.createTextNode('');
  const plus = el('button.button.small', {type: 'button', onclick: ({currentTarget}) => add(currentTarget, item)},
    icon('plus'), label);
  const node = el('div.adding', {}, minus, many, plus);
  let isAsking = false;
  const draw = () => {
    const quantity = quantityOf(dish);
    const lines = (basket.value?.lines ?? []).filter(({menuItemId}) => menuItemId === item.id);
    minus.setAttribute('aria-label', t('One {title} less', item));
    plus.setAttribute('aria-label', item.needsChoice ? t('Choose {title}', item) : t('Add {title}', item));
    if (item.needsChoice) plus.setAttribute('aria-haspopup', 'dialog');
    else plus.removeAttribute('aria-haspopup');
    label.data = item.needsChoice ? t('Choose') : t('Add');
    many.hidden = quantity === 0;
    plus.setAttribute('aria-disabled', String(roomFor(item) < 1));
    if (quantity === 0 && document.activeElement === minus) plus.focus({preventScroll: true});
    // Where there is a choice, which one should go is said in the basket.
    minus.hidden = quantity === 0 || item.needsChoice || lines.length > 1;
    // A line that the guest has customised is removed in the basket only. The button keeps its room: nothing moves.
    const isPlain = isAsItComes(item, lines);
    minus.style.visibility = isPlain ? '' : 'hidden';
    if (isPlain === null && !isAsking) {
      isAsking = true;
      read(`/v1/menu/${item.id}`).then(draw, () => {});
    }
    fill(many, el('span.unseen', {}, `${t('In the basket:')} `), quantity);
  };
  let end = () => {};
  return {update(next) {
    item = next;
    end();
    if (!canBeHad(item)) return el('span.soldout', {}, soldOut(item));
    end = basket.watch(() => (node.isConnected ? draw() : end()));
    draw();
    return node;
  }};
}

/** Marks what is special about an item: the star, the percentage, how few are left, from which age on. */
export function marks(item) {
  return [
    item.kind === 'special' ? el('span.mark.special', {}, icon('star'), t('Special')) : null,
    item.salePercent ? el('span.mark', {}, `−${percentage(item.salePercent)}`) : null,
    isForLater(item) ? el('span.mark', {}, soldOut(item)) : null,
    few(item) ? el('span.mark', {}, few(item)) : null,
    item.minimumAge ? el('span.mark', {}, `${item.minimumAge}+`) : null,
  ];
}

/** By card, the function that draws it for another state of its item. */
const redraws = new WeakMap();

/** Draws the cards of a place for these items. A card and its buttons stay the same nodes. */
export function redrawCards(place, items) {
  const by = new Map(items.map((item) => [String(item.id), item]));
  for (const card of place.querySelectorAll('article[data-item]')) {
    const item = by.get(card.dataset.item);
    if (item) redraws.get(card)?.(item);
  }
}

/** An item of a list; `level` is its heading's. */
export function itemCard(item, {eager = false, level = 'h3'} = {}) {
  const card = el('article.card', {'data-item': item.id});
  const [buttons, like, row] = [adding(item), heart(item), el('div.row')];

  function draw() {
    card.classList.toggle('gone', !canBeHad(item));
    patch(row, [prices(item.currentPrice, item.salePercent ? item.price : null, item), buttons.update(item)]);
    patch(card, [
      el('a.face', {href: `#/items/${item.id}`},
        picture(item.imageURL, item.title, {eager, photograph: item.photograph}),
        el(level, langOf(item), item.title)),
      el('p.marks', {}, marks(item)),
      el('p.about', langOf(item, 'description'), item.description),
      row, like]);
  }

  draw();
  redraws.set(card, (next) => {
    if (next === item || JSON.stringify(next) === JSON.stringify(item)) return;
    item = next;
    like.setAttribute('aria-label', t('Favourite: {title}', item));
    draw();
  });
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
