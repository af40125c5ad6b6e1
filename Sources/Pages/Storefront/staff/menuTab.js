// The Menu tab: taps mark dishes and options as sold out or back in stock, for a time, or set their stock. A poll every
// three seconds finds changes by others, in SQL too. Without a change it costs a 304.

import {isOrderable, unavailableText} from '../dish/availability.js';
import {readAll} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {serverNow} from '../parts/serverClock.js';
import {runBusy, showToast} from '../parts/toast.js';
import {isPermitted, postAsStaff, readAsStaff} from './authentication.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {photographButton} from './photographButton.js';
import {openStockDialog} from './stockDialog.js';

/** @typedef {API.MenuItem | API.StaffOption} Product */
/** @typedef {'menu' | 'options'} ProductKind As in the paths of the staff API: `menu` stands for dishes. */
/** @typedef {{kind: ProductKind, id: string, group: number | null, title: string, products: Product[]}} Section */
/** @typedef {(changed: Product) => void} OnChange */
/**
 * A change by this page. From `until` on, the server's menu has it.
 * @template {Product} Changed
 * @typedef {{product: Changed, until: number}} OwnChange
 */

/**
 * For how long a product can be sold out: the label, and a function that returns the members of the request.
 * @type {Array<[string, () => API.Availability]>}
 */
const durations = [
  ['for an hour', () => ({until: new Date(serverNow() + 3_600_000).toISOString()})],
  ['until tomorrow', () => ({untilTomorrow: true})],
  ['until further notice', () => ({})],
];

/** For how many milliseconds after a change the server's menu may still show the previous state. */
const propagationTime = 2_000;

/** @type {(product: Product) => product is API.StaffOption} */
const isOption = (product) => 'groupId' in product;

/**
 * The title of a product. Options can have the same title, so an option also has the title of its group.
 * @param {Product} product
 */
const nameOf = (product) => (isOption(product) ? `${product.title}, ${product.groupTitle}` : product.title);

/**
 * Whether a product is sold out. A product that is only outside its serving hours is not.
 * @param {Product} product
 */
const isSoldOut = (product) => !isOrderable(product);

/**
 * The stock of a product in words.
 * @param {Product} product
 */
function stockText(product) {
  if (!product.isAvailable) return unavailableText(product);
  return product.left == null ? 'In stock' : `${product.left} left`;
}

/**
 * A section of products of one kind. `group` is the number of an option group, which is shown because groups can have
 * the same title.
 * @param {ProductKind} kind
 * @param {API.StaffID} id
 * @param {string} title
 * @param {Product[]} products
 * @returns {Section}
 */
const createSection = (kind, id, title, products) =>
  ({kind, id: `stock-${kind}-${id}`, group: kind === 'options' ? id : null, title, products});

/**
 * Replaces the product with the same id.
 * @template {Product} Listed
 * @param {Listed[]} products
 * @param {Listed} changed
 */
const replaced = (products, changed) => products.map((product) => (product.id === changed.id ? changed : product));

/**
 * The products that were read, with the changes of this page that the response may not contain yet.
 * @template {Product} Listed
 * @param {Map<API.StaffID, OwnChange<Listed>>} ownChanges
 * @param {Listed[]} products
 * @param {number} readStart
 */
const withOwnChanges = (ownChanges, products, readStart) => products.map((product) => {
  const own = ownChanges.get(product.id);
  return own && readStart < own.until ? own.product : product;
});

/**
 * The row of a product; `onChange` gets the product after a change.
 * @param {ProductKind} kind
 * @param {Product} product
 * @param {OnChange} onChange
 * @param {() => Promise<Product | undefined>} readAgain
 */
function productRow(kind, product, onChange, readAgain) {
  const key = `${kind} ${product.id}`;
  /** @param {string} tag @param {string} duration @param {string} label @param {() => API.Availability} change */
  const availabilityButton = (tag, duration, label, change) => el(tag, {
    type: 'button', 'data-key': `${key} ${duration}`, 'aria-label': `${label}: ${nameOf(product)}`,
    onclick: (event) => event.detail < 2 && runBusy(event.currentTarget, async () => {
      const changed = await postAsStaff(`/v1/staff/${kind}/${product.id}/availability`, change());
      onChange(changed);
      const outcome = !isSoldOut(changed) ? 'back in stock' : unavailableText(changed).replace('S', 's');
      showToast(`${changed.title} is ${outcome}.`);
    }),
  }, label);
  const openDialog = () => openStockDialog(kind, product, {
    readAgain,
    onSave: (changed) => {
      onChange(changed);
      showToast(`${changed.title}: ${stockText(changed).replace('S', 's')}.`);
    },
  });
  // A counted product of which none is left needs a new number.
  const button = product.left === 0
    ? el('button.button.plain', {
      type: 'button', 'data-key': `${key} `, 'aria-label': `Back in stock: ${nameOf(product)}`, onclick: openDialog,
    }, 'Back in stock')
    : availabilityButton('button.button.plain', '', isSoldOut(product) ? 'Back in stock' : 'Mark sold out',
      () => ({isAvailable: isSoldOut(product)}));
  const durationChips = !isSoldOut(product) ? null
    : el('div.chips', {role: 'group', 'aria-label': `How long ${nameOf(product)} is sold out`},
      durations.map(([label, members]) =>
        availabilityButton('button.chip', label, label, () => ({isAvailable: false, ...members()}))));
  const id = {[kind === 'menu' ? 'data-item' : 'data-option']: product.id};
  return el(isSoldOut(product) ? 'li.gone' : 'li', {'data-key': key, ...id},
    el('span.name', {},
      !isOption(product) && isPermitted('edit_menu') ? photographButton(product, onChange) : null, product.title,
      isOption(product) ? null : el('small', {}, ` ${money(product.currentPrice, product)}`)),
    el(isSoldOut(product) ? 'button.level.out' : 'button.level', {
      type: 'button', 'data-key': `${key} count`, 'aria-label': `${stockText(product)}. Count ${nameOf(product)}`,
      onclick: openDialog,
    }, stockText(product)), button, durationChips);
}

/**
 * The Menu tab; `showSoldOutCount` gets the number of sold-out dishes and options.
 * @param {(count: number) => void} showSoldOutCount
 */
export function menuTab(showSoldOutCount) {
  /** @type {API.MenuItem[]} */
  let items = [];
  /** @type {API.StaffOption[]} */
  let options = [];
  /** @type {API.Category[]} */
  let categories = [];
  let shownKey = '';
  /**
   * The recent changes of dishes by this page.
   * @type {Map<API.StaffID, OwnChange<API.MenuItem>>}
   */
  const changedItems = new Map();
  /**
   * The recent changes of options by this page.
   * @type {Map<API.StaffID, OwnChange<API.StaffOption>>}
   */
  const changedOptions = new Map();
  /** The start time of the read whose result is shown. */
  let newestReadStart = 0;
  const reads = monitorReads('menu');
  const lists = el('div.stock', {}, el('p.quiet', {}, 'One moment…'));
  const search = el('input', {
    type: 'search', placeholder: 'Find a dish or an option', 'aria-label': 'Find a dish or an option',
    autocomplete: 'off', maxlength: 60, oninput: draw,
  });

  /** @param {Product} changed */
  function replaceProduct(changed) {
    const until = performance.now() + propagationTime;
    if (isOption(changed)) {
      changedOptions.set(changed.id, {product: changed, until});
      options = replaced(options, changed);
    } else {
      changedItems.set(changed.id, {product: changed, until});
      items = replaced(items, changed);
    }
    draw();
  }

  /** The dishes by category, then the options by group. */
  function createSections() {
    const groups = new Map(options.map((option) => [option.groupId, option.groupTitle]));
    return [
      ...categories.map(({id, title}) =>
        createSection('menu', id, title, items.filter((item) => item.category === id))),
      ...[...groups].map(([id, title]) =>
        createSection('options', id, title, options.filter((option) => option.groupId === id))),
    ];
  }

  /** @param {Section} section */
  const sectionNode = ({kind, id, group, title, products}) =>
    el('section', {'data-key': id, 'aria-labelledby': id},
      el('h2', {id}, title, group ? el('small', {}, ` options ${group}`) : null),
      el('ul', {}, products.map((product) => productRow(
        kind, product, replaceProduct, () => readProduct(product)))));

  function draw() {
    const words = search.value.trim().toLowerCase();
    const key = JSON.stringify([words, items, categories, options]);
    if (key === shownKey) return;
    shownKey = key;
    /** @param {Product} product */
    const matches = (product) => nameOf(product).toLowerCase().includes(words);
    const sections = createSections()
      .map((section) => ({...section, products: section.products.filter(matches)}))
      .filter(({products}) => products.length);
    patch(lists, sections.length
      ? sections.map(sectionNode) : el('p.quiet', {}, 'No dishes or options found.'));
    showSoldOutCount([...items, ...options].filter(isSoldOut).length);
  }

  async function readStock() {
    const readStart = performance.now();
    const [newItems, newOptions, newCategories] = await Promise.all([
      readAll('/v1/menu'), readAll('/v1/staff/options', readAsStaff), readAll('/v1/categories')]);
    // An older read can end after a newer one.
    if (readStart < newestReadStart) return;
    newestReadStart = readStart;
    items = withOwnChanges(changedItems, newItems, readStart);
    options = withOwnChanges(changedOptions, newOptions, readStart);
    categories = newCategories;
    draw();
  }

  /**
   * The current state of a product; undefined if it is no longer on the menu.
   * @param {Product} known
   */
  async function readProduct(known) {
    await readStock();
    /** @type {Product[]} */
    const products = isOption(known) ? options : items;
    return products.find(({id}) => id === known.id);
  }

  async function poll() {
    const isNeeded = document.visibilityState === 'visible' || reads.isFailing();
    const problem = isNeeded ? await reads.attempt(readStock) : null;
    if (problem && !items.length) patch(lists, el('p.warn', {}, `${problem.detail} We keep trying.`));
    setTimeout(poll, problem ? retryDelay : 3_000);
  }
  void poll();
  return {title: 'Menu', nodes: [el('div.finding', {role: 'search'}, search), lists]};
}
