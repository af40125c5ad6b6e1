// One item: its picture and text, what can be chosen with it, its price on the button, and for a special one the way to its sale.

import {read} from '../api.js';
import {addDish, basket, isTapped, most, quantityOf, roomFor} from '../basket.js';
import {heart, marks} from '../cards.js';
import {el, fill, icon} from '../dom.js';
import {langOf} from '../lang.js';
import {notice} from '../notice.js';
import {loadPart} from '../parts/loadPart.js';
import {picture} from '../picture.js';
import {prices} from '../prices.js';
import {title} from '../router.js';
import {isForLater, soldOut} from '../soldout.js';
import {stepper} from '../stepper.js';
import {t, tagName} from '../words.js';
import {loading} from './loading.js';

/** Tells how high what stays at the lower edge is, for what stays above it: the bar of the basket. Returns what ends it. */
function aboveDock(node) {
  const {style} = document.documentElement;
  const watch = new ResizeObserver(() => style.setProperty('--dock', `${node.offsetHeight}px`));
  watch.observe(node);
  return () => {
    watch.disconnect();
    style.removeProperty('--dock');
  };
}

/** A dish of an item with the titles of its options, which an item that is read again may not have any more. */
function withTitles({optionGroups = []}, {options = [], ...dish}) {
  const titled = (groups, choice) => choice.map((one) => {
    const option = groups.flatMap((group) => group.options).find(({id}) => id === one.optionId);
    return {...one, title: option.title, options: titled(option.optionGroups, one.options)};
  });
  return {...dish, options: titled(optionGroups, options)};
}

/** The form of an item, with its price and how many are added at once: {form, price, steps, held}. `earlier` is what the
 *  guest chose in a form, which this one replaces: {dish, many}. */
function formOf(item, dishForm, earlier) {
  const price = el('p.price');
  let form = null;
  /** What there is of it, and what one line may hold. */
  const room = () => Math.min(roomFor(item), form ? most - quantityOf(form.dish) : most);
  const fewer = () => item.left !== null && notice(t('Only {count} left', {count: item.left}), {isProblem: true});
  const steps = stepper(item.title, {many: earlier?.many, most: room, changed: () => form.draw(), full: fewer});

  /** Each tap adds as many as stand there, also while others are on their way; then one stands there again. */
  async function add(dish, button) {
    if (roomFor(item) < steps.many) return fewer();
    const {many} = steps;
    button.setAttribute('aria-busy', 'true');
    steps.many = 1;
    try {
      await addDish(dish, many);
      fill(form.message);
      notice(t('{title} is in the basket.', item));
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      steps.many = many;
      form.draw();
      if (problem.errors.length) form.refuse(problem);
      else notice(problem.detail, {isProblem: true});
    }
    if (!isTapped(dish)) button.removeAttribute('aria-busy');
    return undefined;
  }

  form = dishForm(item, {
    held: earlier?.dish,
    times: () => steps.many,
    drawn: ({now, before}) => {
      fill(price, prices(now, item.salePercent ? before : null, item));
      steps.draw();
    },
    save: add,
  });
  const state = () => ({dish: withTitles(item, form.dish), many: steps.many});
  const first = JSON.stringify(state());
  /** What the guest has changed; null where that is nothing. */
  const held = () => (earlier || JSON.stringify(state()) !== first ? state() : null);
  return {form, price, steps: steps.node, held};
}

const back = (category) => el('a.back', {href: category ? `#/menu/${category}` : '#/menu'}, icon('back'), t('Menu'));

/** Draws an item: {item, sale, node, form, choosing, held}. */
function drawItem(place, route, {item, sale, dishForm}, earlier) {
  const {form, price, steps, held} = formOf(item, dishForm, earlier);
  const toSale = sale ? el('a.button.plain.big', {href: `#/sales/${sale.id}`}, icon('star'), t('Part of {title}', sale)) : null;
  // The button stays where a thumb finds it: above the note, or at the lower edge for as long as there is something to choose above it.
  const choosing = item.optionGroups?.length ? el('div.row.choosing', {}, steps, form.button) : null;
  const toAdd = !item.isAvailable && !isForLater(item) ? el('div.row', {}, el('span.soldout', {}, soldOut(item)), toSale)
    : choosing ? [form.chosen, form.note, form.message, choosing, toSale]
      : [form.message, el('div.row', {}, steps, form.button, toSale), form.note];
  const node = el('article.detail', {},
    el('div.side', {}, picture(item.imageURL, item.title, {shape: 'tall', eager: true, photograph: item.photograph}), heart(item)),
    el('div.text', {},
      el('p.marks', {}, marks(item)),
      el('h1', langOf(item), item.title),
      el('p.lead', langOf(item, 'description'), item.description),
      el('ul.tags', {'aria-label': t('Tags')}, item.tags.map((tag) => el('li', {}, el('a.chip', {href: `#/menu?tag=${encodeURIComponent(tag)}`}, tagName(tag))))),
      price, toAdd, form.food));
  title(item.title, {silent: route.isFirst});
  fill(place, back(item.category), node);
  return {item, sale, node, form, choosing, held};
}

export function itemScreen(place, route) {
  let drawn = null;
  const load = async () => {
    const [item, {dishForm}] = await Promise.all([read(`/v1/menu/${route.id}`), loadPart('dish', () => import('../dish.js'))]);
    const sale = item.salesGroupId ? await read(`/v1/sales/${item.salesGroupId}`).catch(() => null) : null;
    return () => {
      // Read again after the network returned: what the guest has chosen stays, and the focus where nothing is new.
      const isSame = drawn?.item === item && drawn.sale === sale && drawn.node.isConnected;
      if (!isSame) drawn = drawItem(place, route, {item, sale, dishForm}, drawn?.held());
      const {form, choosing} = drawn;
      const unwatch = basket.watch(() => form.draw());
      const leave = choosing && aboveDock(choosing);
      return () => {
        unwatch();
        leave?.();
      };
    };
  };
  const waiting = () => fill(place, back(), el('div.detail', {}, el('div.side', {}, el('span.picture.tall.skeleton')), el('div.text', {}, el('h1', {}, '…'))));
  return loading(place, route, waiting, load, {ofMenu: true});
}
