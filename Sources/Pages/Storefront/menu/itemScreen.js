// One item: picture, text, options, price, and a link to its sale.

import {addDish, basket, hasPendingTaps, lineLimit, quantityOf, remainingFor} from '../basket/basket.js';
import {isOrderable, unavailableText} from '../dish/availability.js';
import {prices} from '../dish/prices.js';
import {Problem, read} from '../parts/api.js';
import {el, icon, replaceChildren} from '../parts/dom.js';
import {loadPart} from '../parts/loadPart.js';
import {langOf} from '../parts/menuLanguage.js';
import {picture} from '../parts/picture.js';
import {quantityStepper} from '../parts/quantityStepper.js';
import {setTitle} from '../parts/router.js';
import {loadScreen} from '../parts/screenLoading.js';
import {showToast} from '../parts/toast.js';
import {t, tagName} from '../parts/translation.js';
import {favouriteButton, itemMarks} from './cards.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {import('../dish/dishRequest.js').Dish} Dish */
/** @typedef {import('../dish/dishRequest.js').HeldDish} HeldDish */
/** @typedef {import('../dish/selectionRules.js').HeldOption} HeldOption */
/** @typedef {typeof import('../dish/dishForm.js').dishForm} DishForm */
/** @typedef {{dish: HeldDish, quantity: number}} Input What the guest has entered. */

/**
 * Publishes the height of the bar at the lower edge as `--dock`, so that the basket bar stays above it. Returns a
 * function that stops.
 * @param {HTMLElement} node
 */
function trackDockHeight(node) {
  const {style} = document.documentElement;
  const watch = new ResizeObserver(() => style.setProperty('--dock', `${node.offsetHeight}px`));
  watch.observe(node);
  return () => {
    watch.disconnect();
    style.removeProperty('--dock');
  };
}

/**
 * Adds the titles of the options to a dish, because a newer version of the item may lack these options.
 * @param {API.MenuItem} item
 * @param {Dish} dish
 * @returns {HeldDish}
 */
function withTitles({optionGroups = []}, {options, ...dish}) {
  /** @param {API.OptionGroup[]} groups @param {HeldOption[]} choice @returns {HeldOption[]} */
  const titled = (groups, choice) => choice.map((entry) => {
    const option = groups.flatMap((group) => group.options).find(({id}) => id === entry.optionId);
    return {...entry, title: option?.title, options: titled(option?.optionGroups ?? [], entry.options ?? [])};
  });
  return {...dish, options: titled(optionGroups, options ?? [])};
}

/**
 * The form of an item, with its price and quantity: {form, price, steps, held}. `previous` is the input of a form that
 * this one replaces: {dish, quantity}.
 * @param {API.MenuItem} item
 * @param {DishForm} dishForm
 * @param {Input | null | undefined} previous
 */
function itemForm(item, dishForm, previous) {
  const price = el('p.price');
  /**
   * The form once it is complete: it asks for the limit while it is created.
   * @type {ReturnType<DishForm> | null}
   */
  let drawnForm = null;
  /** The maximum quantity, by the stock and by the limit of a line. */
  const limit = () => Math.min(remainingFor(item), drawnForm ? lineLimit - quantityOf(drawnForm.dish) : lineLimit);
  const showLimit = () =>
    item.left !== null && showToast(t('Only {count} left', {count: item.left}), {isProblem: true});
  const steps = quantityStepper(item.title,
    {quantity: previous?.quantity, maximum: limit, changed: () => form.draw(), onLimit: showLimit});

  /**
   * Each tap adds the shown quantity, also during a request; then the quantity is 1 again.
   * @param {Dish} dish
   * @param {HTMLElement} button
   */
  async function add(dish, button) {
    if (remainingFor(item) < steps.quantity) return showLimit();
    const {quantity} = steps;
    button.setAttribute('aria-busy', 'true');
    steps.quantity = 1;
    try {
      await addDish(dish, quantity);
      replaceChildren(form.message);
      showToast(t('{title} is in the basket.', item));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      steps.quantity = quantity;
      form.draw();
      if (problem.errors.length) form.showErrors(problem);
      else showToast(problem.detail, {isProblem: true});
    }
    if (!hasPendingTaps(dish)) button.removeAttribute('aria-busy');
    return undefined;
  }

  /** @type {ReturnType<DishForm>} */
  const form = dishForm(item, {
    held: previous?.dish,
    times: () => steps.quantity,
    onDraw: ({now, before}) => {
      replaceChildren(price, prices(now, item.salePercent ? before : null, item));
      steps.draw();
    },
    save: add,
  });
  drawnForm = form;
  const state = () => ({dish: withTitles(item, form.dish), quantity: steps.quantity});
  const first = JSON.stringify(state());
  /** The guest's input, or null if nothing has changed. */
  const held = () => (previous || JSON.stringify(state()) !== first ? state() : null);
  return {form, price, steps: steps.node, held};
}

/** @param {number} [category] */
const back = (category) => el('a.back', {href: category ? `#/menu/${category}` : '#/menu'}, icon('back'), t('Menu'));

/**
 * Draws an item: {item, sale, node, form, choosing, held}.
 * @param {HTMLElement} container
 * @param {Route} route
 * @param {{item: API.MenuItem, sale: API.Sale | null, dishForm: DishForm}} parts
 * @param {Input | null} [previous]
 */
function drawItem(container, route, {item, sale, dishForm}, previous) {
  const {form, price, steps, held} = itemForm(item, dishForm, previous);
  const toSale = sale
    ? el('a.button.plain.big', {href: `#/sales/${sale.id}`}, icon('star'), t('Part of {title}', sale)) : null;
  // A thumb reaches the button: it is above the texts, or at the lower edge while options are above it.
  const choosing = item.optionGroups?.length ? el('div.row.choosing', {}, steps, form.button) : null;
  const toAdd = !isOrderable(item)
    ? el('div.row', {}, el('span.soldout', {}, unavailableText(item)), toSale)
    : choosing ? [form.chosen, ...form.texts, form.message, choosing, toSale]
      : [form.message, el('div.row', {}, steps, form.button, toSale), ...form.texts];
  const node = el('article.detail', {},
    el('div.side', {}, picture(item.imageURL, item.title, {shape: 'tall', eager: true, photograph: item.photograph}),
      favouriteButton(item)),
    el('div.text', {},
      el('p.marks', {}, itemMarks(item)),
      el('h1', langOf(item), item.title),
      el('p.lead', langOf(item, 'description'), item.description),
      el('ul.tags', {'aria-label': t('Tags')},
        item.tags.map((tag) =>
          el('li', {}, el('a.chip', {href: `#/menu?tag=${encodeURIComponent(tag)}`}, tagName(tag))))),
      price, toAdd, form.food));
  setTitle(item.title, {silent: route.isFirst});
  replaceChildren(container, back(item.category), node);
  return {item, sale, node, form, choosing, held};
}

/** @param {HTMLElement} container @param {Route} route */
export function itemScreen(container, route) {
  /** @type {ReturnType<typeof drawItem> | null} */
  let drawn = null;
  const load = async () => {
    const [item, {dishForm}] =
      await Promise.all([read(`/v1/menu/${route.id}`), loadPart('dish/dishForm', () => import('../dish/dishForm.js'))]);
    const sale = item.salesGroupId ? await read(`/v1/sales/${item.salesGroupId}`).catch(() => null) : null;
    return () => {
      // After the network returns, the item is read again. The guest's input stays; an unchanged item also keeps the
      // focus.
      const isSame = drawn?.item === item && drawn.sale === sale && drawn.node.isConnected;
      const current = drawn && isSame ? drawn : drawItem(container, route, {item, sale, dishForm}, drawn?.held());
      drawn = current;
      const {form, choosing} = current;
      const unwatch = basket.watch(() => form.draw());
      const leave = choosing && trackDockHeight(choosing);
      return () => {
        unwatch();
        leave?.();
      };
    };
  };
  const waiting = () =>
    replaceChildren(container, back(),
      el('div.detail', {}, el('div.side', {}, el('span.picture.tall.skeleton')),
        el('div.text', {}, el('h1', {}, '…'))));
  return loadScreen(container, route, waiting, load, {ofMenu: true});
}
