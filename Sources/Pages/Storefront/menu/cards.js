// Cards of items and sales: a link with picture and name, and the buttons for basket and favourites.

import {addDish, basket, hasPendingTaps, quantityOf, remainingFor} from '../basket/basket.js';
import {loadDishSheet} from '../basket/loadDishSheet.js';
import {fewLeft, isOrderable, isServedLater, unavailableText} from '../dish/availability.js';
import {selectionOf} from '../dish/dishRequest.js';
import {textList} from '../dish/dishTexts.js';
import {prices} from '../dish/prices.js';
import {defaultSelection} from '../dish/selectionRules.js';
import {cachedBody, Problem, read} from '../parts/api.js';
import {el, icon, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {money, percentage} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {picture} from '../parts/picture.js';
import {runAndReport, showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {favourites, isFavourite, toggleFavourite} from './favourites.js';

/**
 * The favourite button. A button that was removed from the document stops watching at the next change of the
 * favourites.
 * @param {API.MenuItem} item
 */
export function favouriteButton(item) {
  const button = el('button.round.heart', {
    type: 'button', 'aria-label': t('Favourite: {title}', item),
    onclick: () => {
      toggleFavourite(item.id);
      showToast(isFavourite(item.id) ? t('{title} is now a favourite.', item)
        : t('{title} is no longer a favourite.', item));
    },
  }, icon('heart'));
  const draw = () => button.setAttribute('aria-pressed', String(isFavourite(item.id)));
  const end = favourites.watch(() => (button.isConnected ? draw() : end()));
  draw();
  return button;
}

/**
 * Each tap adds one unit, also during a request. An item with required options opens the sheet instead.
 * @param {HTMLElement} button
 * @param {API.MenuItem} item
 */
async function add(button, item) {
  if (remainingFor(item) < 1) return showToast(t('Only {count} left', {count: item.left}), {isProblem: true});
  const dish = {menuItemId: item.id};
  button.setAttribute('aria-busy', 'true');
  await runAndReport(async () => {
    try {
      if (item.needsChoice) return await choose(item);
      await addDish(dish);
      showToast(t('{title} is in the basket.', item));
    } catch (problem) {
      // A default option has sold out in the meantime.
      if (!(problem instanceof Problem) || !item.hasOptions || problem.code !== 'validation_failed') throw problem;
      await choose(item, problem.errors);
    }
    return undefined;
  }, item.title);
  if (!hasPendingTaps(dish)) button.removeAttribute('aria-busy');
  return undefined;
}

/** @param {API.MenuItem} item @param {API.FieldError[]} [errors] */
async function choose(item, errors) {
  const {askToAdd} = await loadDishSheet();
  await askToAdd(item.id, errors);
}

/**
 * Whether the minus button of the card can remove a unit. The item may have one line at most, with the default options
 * and without texts. Null until the item's option groups are known.
 * @param {API.MenuItem} item
 * @param {API.BasketLine[]} lines
 */
function isDefaultDish({id, hasOptions}, lines) {
  if (lines.length > 1 || lines.some((line) => textList(line).length)) return false;
  if (!lines.length || !hasOptions) return true;
  const groups = cachedBody(`/v1/menu/${id}`)?.optionGroups;
  if (!groups) return null;
  const [own, defaults] = [lines[0].options, defaultSelection(groups)].map((options) => selectionOf(options));
  return JSON.stringify(own) === JSON.stringify(defaults);
}

/**
 * The buttons that add and remove one unit, with the quantity in the basket: {update}. `update` returns the buttons for
 * a newer state of the item, or the reason why the item cannot be ordered.
 * @param {API.MenuItem} item
 */
function addControls(item) {
  const dish = {menuItemId: item.id};
  const minus = el('button.round', {type: 'button', onclick: () => runAndReport(() => addDish(dish, -1), item.title)},
    icon('minus'));
  const many = el('span.quantity');
  const label = document.createTextNode('');
  const plus = el('button.button.small', {type: 'button', onclick: ({currentTarget}) => add(currentTarget, item)},
    icon('plus'), label);
  const node = el('div.adding', {}, minus, many, plus);
  let isReading = false;
  const draw = () => {
    const quantity = quantityOf(dish);
    const lines = (basket.value?.lines ?? []).filter(({menuItemId}) => menuItemId === item.id);
    minus.setAttribute('aria-label', t('One {title} less', item));
    plus.setAttribute('aria-label', item.needsChoice ? t('Choose {title}', item) : t('Add {title}', item));
    if (item.needsChoice) plus.setAttribute('aria-haspopup', 'dialog');
    else plus.removeAttribute('aria-haspopup');
    label.data = item.needsChoice ? t('Choose') : t('Add');
    many.hidden = quantity === 0;
    plus.setAttribute('aria-disabled', String(remainingFor(item) < 1));
    if (quantity === 0 && document.activeElement === minus) plus.focus({preventScroll: true});
    // With required options or several lines, the guest removes the right line in the basket.
    minus.hidden = quantity === 0 || item.needsChoice || lines.length > 1;
    // A customised line can be removed in the basket only. The button keeps its space, so that nothing moves.
    const isPlain = isDefaultDish(item, lines);
    minus.style.visibility = isPlain ? '' : 'hidden';
    if (isPlain === null && !isReading) {
      isReading = true;
      read(`/v1/menu/${item.id}`).then(draw, () => {});
    }
    replaceChildren(many, el('span.unseen', {}, `${t('In the basket:')} `), String(quantity));
  };
  let end = () => {};
  return {update(/** @type {API.MenuItem} */ next) {
    item = next;
    end();
    if (!isOrderable(item)) return el('span.soldout', {}, unavailableText(item));
    end = basket.watch(() => (node.isConnected ? draw() : end()));
    draw();
    return node;
  }};
}

/**
 * The labels of an item: special, discount, served later, few left, minimum age.
 * @param {API.MenuItem} item
 */
export function itemMarks(item) {
  return [
    item.kind === 'special' ? el('span.mark.special', {}, icon('star'), t('Special')) : null,
    item.salePercent ? el('span.mark', {}, `−${percentage(item.salePercent)}`) : null,
    isServedLater(item) ? el('span.mark', {}, unavailableText(item)) : null,
    fewLeft(item) ? el('span.mark', {}, fewLeft(item)) : null,
    item.minimumAge ? el('span.mark', {}, `${item.minimumAge}+`) : null,
  ];
}

/**
 * The redraw function of each card.
 * @type {WeakMap<Element, (item: API.MenuItem) => void>}
 */
const redraws = new WeakMap();

/**
 * Redraws the cards in `container` for changed items. A card and its buttons stay the same nodes.
 * @param {HTMLElement} container
 * @param {API.MenuItem[]} items
 */
export function redrawCards(container, items) {
  const itemsById = new Map(items.map((item) => [String(item.id), item]));
  for (const card of container.querySelectorAll('article[data-item]')) {
    const item = itemsById.get(card.getAttribute('data-item') ?? '');
    if (item) redraws.get(card)?.(item);
  }
}

/**
 * The card of an item. `level` is the heading level.
 * @param {API.MenuItem} item
 * @param {{eager?: boolean, level?: 'h2' | 'h3'}} options
 */
export function itemCard(item, {eager = false, level = 'h3'} = {}) {
  const card = el('article.card', {'data-item': item.id});
  const [buttons, favourite, row] = [addControls(item), favouriteButton(item), el('div.row')];

  function draw() {
    card.classList.toggle('gone', !isOrderable(item));
    patch(row, [prices(item.currentPrice, item.salePercent ? item.price : null, item), buttons.update(item)]);
    patch(card, [
      el('a.face', {href: `#/items/${item.id}`},
        picture(item.imageURL, item.title, {eager, photograph: item.photograph}),
        el(level, langOf(item), item.title)),
      el('p.marks', {}, itemMarks(item)),
      el('p.about', langOf(item, 'description'), item.description),
      row, favourite]);
  }

  draw();
  redraws.set(card, (next) => {
    if (next === item || JSON.stringify(next) === JSON.stringify(item)) return;
    item = next;
    favourite.setAttribute('aria-label', t('Favourite: {title}', item));
    draw();
  });
  return card;
}

/**
 * The card of a sale on the start page.
 * @param {API.Sale} sale
 */
export function saleCard(sale) {
  return el('article.sale', {'data-sale': sale.id},
    el('a.face', {href: `#/sales/${sale.id}`},
      picture(sale.previewImageURL, sale.title, {shape: 'wide'}),
      el('span.words', {},
        el('h3', langOf(sale), sale.title),
        el('span.headline', langOf(sale, 'headline'), sale.headline),
        sale.kind === 'set' ? el('span.total', {}, t('The set for {amount}', {amount: money(sale.total, sale)}))
          : null)));
}

/**
 * Grey placeholder cards of the final size.
 * @param {number} count
 * @param {string} [name]
 */
export const placeholderCards = (count, name = 'card') =>
  Array.from({length: count}, () => el(`div.${name}.skeleton`, {'aria-hidden': 'true'}, el('span.picture.item')));
