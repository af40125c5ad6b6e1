// The menu: all dishes by category, or a search by word, tag, allergen or price, twenty results at a time. The criteria
// are in the address, so that they can be shared and Back restores them.

import {read, readAll} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {loadPart} from '../parts/loadPart.js';
import {openingLine} from '../parts/openingStatus.js';
import {ifScreenIsOpen, replaceAddress, setTitle} from '../parts/router.js';
import {emptyState, loadScreen} from '../parts/screenLoading.js';
import {runBusy} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {watchMenu} from '../parts/wholeMenu.js';
import {placeholderCards, redrawCards} from './cards.js';
import {categoryLinks, scrollToCategory} from './categories.js';
import {dishResults} from './dishResults.js';
import {criteriaFrom, hasFoodFilter, isWholeMenu, menuAddress} from './searchCriteria.js';
import {tagChips} from './tagChips.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {import('./searchCriteria.js').Criteria} Criteria */

const sorts = [['position', t('Menu order')], ['price', t('Price: low to high')], ['-price', t('Price: high to low')],
  ['title', t('By name')]];

/**
 * A hint for an empty result. Only a search in the whole menu suggests a shorter word.
 * @param {Criteria} criteria
 */
const noResults = (criteria) => (criteria.q && !criteria.category && !criteria.tag && !hasFoodFilter(criteria)
  ? el('p.empty', {}, t('No dish has this name. Try a shorter word.'))
  : emptyState(hasFoodFilter(criteria) ? t('No dish is known to suit you.') : t('No dish matches your search.')));

/**
 * The search field and the sort order: {node, end}. Calls `changed` after a change; for typed words 180 ms after the
 * last key.
 * @param {Criteria} criteria
 * @param {() => void} changed
 */
function searchFields(criteria, changed) {
  let timer = 0;
  const search = el('input', {
    type: 'search', id: 'q', placeholder: t('Search'), 'aria-label': t('Search the menu'), autocomplete: 'off',
    maxlength: 60, value: criteria.q,
    oninput: () => {
      criteria.q = search.value.trim();
      clearTimeout(timer);
      timer = setTimeout(changed, 180);
    },
  });
  const sort = el('select',
    {'aria-label': t('Order of the dishes'), onchange: () => { criteria.sort = sort.value; changed(); }},
    sorts.map(([value, name]) => el('option', {value, selected: value === criteria.sort}, name)));
  return {node: el('div.finding', {role: 'search'}, search, sort), end: () => clearTimeout(timer)};
}

/**
 * The chip that opens the dialog for allergens and diet: {node, draw}.
 * @param {Criteria} criteria
 * @param {() => void} changed
 */
function foodChip(criteria, changed) {
  /** @type {HTMLButtonElement} */
  const node = el('button.chip', {type: 'button', 'aria-haspopup': 'dialog', onclick: () => runBusy(node, async () => {
    const dialog = loadPart('menu/foodFilterDialog', () => import('./foodFilterDialog.js'));
    const {askForFoodFilter} = await ifScreenIsOpen(dialog);
    const next = await askForFoodFilter({without: criteria.without.split(','), diet: criteria.diet});
    if (!next) return;
    Object.assign(criteria, {without: next.without.join(','), diet: next.diet});
    changed();
  })}, t('Allergens and diet'));
  return {node, draw: () => node.setAttribute('aria-pressed', String(hasFoodFilter(criteria)))};
}

/** @param {HTMLElement} container @param {Route} route */
export function menuScreen(container, route) {
  const criteria = criteriaFrom(route);
  const list = el('div.grid', {id: 'list', 'aria-busy': 'true'}, placeholderCards(8));
  const search = searchFields(criteria, onCriteriaChange);
  const food = foodChip(criteria, onCriteriaChange);
  const tags = tagChips(criteria, food.node, onCriteriaChange);
  const links = categoryLinks(criteria, list);
  const found = dishResults(criteria, list, {links, tags, nothing: () => noResults(criteria)});
  const observer = new IntersectionObserver((entries) =>
    entries[0].isIntersecting && found.loadMore(), {rootMargin: '600px'});

  /** Applies changed criteria and updates the address without a new history entry. */
  function onCriteriaChange() {
    // In the whole menu a category is a scroll position, and a search covers all categories.
    if (found.wholeMenu.isShown) criteria.category = '';
    replaceAddress(menuAddress(criteria));
    links.draw();
    food.draw();
    void found.show();
  }

  /** @param {API.Home | null} home */
  function draw(home) {
    const name = links.categories.find((category) => String(category.id) === criteria.category)?.title ?? t('The menu');
    setTitle(name, {silent: route.isFirst});
    const hadFocus = container.contains(document.activeElement)
      || document.activeElement === document.getElementById('main');
    links.draw();
    food.draw();
    replaceChildren(container,
      el('div.row.titled', {}, el('h1', {}, isWholeMenu(criteria) ? t('The menu') : name), openingLine(home)),
      search.node, tags.node, found.status, links.node, list, found.more, found.wholeMenu.surprise);
    observer.observe(found.more);
    const unwatch = watchMenu((items) => {
      redrawCards(container, items);
      if (isWholeMenu(criteria)) tags.draw(items);
      found.wholeMenu.setDishes(items);
    });
    if (isWholeMenu(criteria) && criteria.category) {
      scrollToCategory(list, criteria.category, {behavior: 'instant', focus: hadFocus});
    }
    return () => {
      observer.disconnect();
      unwatch();
      found.wholeMenu.end();
    };
  }

  const load = async () => {
    const categories = readAll('/v1/categories').then((all) => { links.categories = all; });
    const [home] = await Promise.all([read('/v1/home').catch(() => null), found.loadFirst(categories)]);
    return () => draw(home);
  };
  const end = loadScreen(container, route, () => {
    setTitle(t('The menu'), {silent: route.isFirst});
    replaceChildren(container, el('div.row.titled', {}, el('h1', {}, t('The menu'))), el('div.finding'),
      el('div.chips'),
      found.status, el('div.chips'), list);
  }, load, {ofMenu: true});
  return () => {
    search.end();
    found.stop();
    end();
  };
}
