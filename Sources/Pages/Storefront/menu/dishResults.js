// The dishes of the menu screen: the whole menu by category, or search results, twenty at a time.

import {Problem, read} from '../parts/api.js';
import {announce, el, replaceChildren} from '../parts/dom.js';
import {t} from '../parts/translation.js';
import {readWholeMenu} from '../parts/wholeMenu.js';
import {itemCard} from './cards.js';
import {categorySections, trackCategory} from './categories.js';
import {foodFilterText, isWholeMenu, queryParameters} from './searchCriteria.js';
import {surpriseShelf} from './surpriseShelf.js';

/** @typedef {import('./searchCriteria.js').Criteria} Criteria */
/** @typedef {ReturnType<typeof import('./categories.js').categoryLinks>} CategoryLinks */
/** @typedef {ReturnType<typeof import('./tagChips.js').tagChips>} TagChips */

/**
 * Shows one page of results. `nothing` creates the content for an empty result.
 * @param {HTMLElement} list
 * @param {{items: API.MenuItem[]}} page
 * @param {boolean} isFirst
 * @param {() => Node} nothing
 */
function drawPage(list, {items}, isFirst, nothing) {
  const cards = items.map((item, index) => itemCard(item, {level: 'h2', eager: isFirst && index < 4}));
  list.className = isFirst && !items.length ? '' : 'grid';
  if (!isFirst) list.append(...cards);
  else replaceChildren(list, items.length ? cards : nothing());
  list.removeAttribute('aria-busy');
}

/**
 * Shows the number of results and the food filter.
 * @param {HTMLElement} status
 * @param {Criteria} criteria
 * @param {number} count
 * @param {boolean} hasMore
 */
function showStatus(status, criteria, count, hasMore) {
  status.classList.toggle('unseen', isWholeMenu(criteria));
  const [dishes, food] = [t('{count, plural, one {# dish} other {# dishes}}', {count}), foodFilterText(criteria)];
  const many = hasMore ? t('{dishes} and more', {dishes}) : dishes;
  status.textContent = food ? `${many}: ${food}` : many;
}

/**
 * The whole menu in the list, with the surprise shelf below it. The menu is read once and kept.
 * @param {Criteria} criteria
 * @param {HTMLElement} list
 * @param {{links: CategoryLinks, tags: TagChips}} bars
 */
function wholeMenuList(criteria, list, {links, tags}) {
  const surprise = el('div', {hidden: true});
  /** @type {Promise<API.MenuItem[]> | API.MenuItem[] | null} */
  let dishes = null;
  /** @type {(() => null) | null} */
  let stopTracking = null;
  return {
    surprise,
    get isShown() { return Boolean(stopTracking); },
    /** Resolves to the dishes. */
    load: async () => (dishes ??= readWholeMenu()),
    reload() {
      dishes = readWholeMenu();
      dishes.catch(() => { dishes = null; });
      return dishes;
    },
    /** @param {API.MenuItem[] | null} newer */
    setDishes(newer) { dishes = newer; },
    /** @param {API.MenuItem[]} items */
    show(items) {
      list.className = '';
      replaceChildren(list, categorySections(links.categories, items));
      list.removeAttribute('aria-busy');
      tags.draw(items);
      surprise.hidden = Boolean(criteria.category);
      if (!surprise.hidden && !surprise.firstChild) surprise.append(surpriseShelf());
      stopTracking?.();
      stopTracking = trackCategory(links.node, list, (link) => links.markCurrent(link.dataset.chapter));
    },
    hide() {
      stopTracking = stopTracking?.() ?? null;
      surprise.hidden = true;
    },
    /** Stops tracking the current category. */
    end: () => stopTracking?.(),
  };
}

/**
 * Shows the dishes for `criteria` in `list`: {status, more, wholeMenu, …}. `links` is the category bar, `tags` the
 * filter chips; `nothing` creates the content for an empty result.
 * @param {Criteria} criteria
 * @param {HTMLElement} list
 * @param {{links: CategoryLinks, tags: TagChips, nothing: () => Node}} options
 */
export function dishResults(criteria, list, {links, tags, nothing}) {
  // A hidden status takes no space, also before the dishes have loaded.
  const status = el(isWholeMenu(criteria) ? 'p.quiet.found.unseen' : 'p.quiet.found', {role: 'status'});
  const more = el('div.more');
  const wholeMenu = wholeMenuList(criteria, list, {links, tags});
  /** @type {string | null} */
  let cursor = null;
  /** @type {AbortController | null} */
  let request = null;

  async function showWholeMenu() {
    request?.abort();
    const ownRequest = request = new AbortController();
    const items = await wholeMenu.load().catch((problem) => {
      wholeMenu.setDishes(null);
      // Ignores the failure if something else is shown now.
      if (request === ownRequest) throw problem;
    });
    if (request !== ownRequest || !items) return;
    request = cursor = null;
    wholeMenu.show(items);
    showStatus(status, criteria, items.length, false);
  }

  /** @param {boolean} isFirst @returns {Promise<void>} */
  async function loadPage(isFirst) {
    request?.abort();
    const ownRequest = request = new AbortController();
    const query = queryParameters(criteria);
    query.set('limit', '20');
    if (!isFirst) query.set('cursor', cursor ?? '');
    const page = await read(`/v1/menu?${query}`, {signal: ownRequest.signal});
    if (request !== ownRequest) return;
    request = null;
    cursor = page.nextCursor;
    wholeMenu.hide();
    drawPage(list, page, isFirst, nothing);
    if (isFirst) void tags.offer(page, ownRequest.signal);
    showStatus(status, criteria, list.querySelectorAll('article').length, cursor !== null);
    if (!isFirst) announce(t('{count} more', {count: page.items.length}));
    requestAnimationFrame(() => cursor && more.isConnected && more.getBoundingClientRect().top < innerHeight + 600
      && loadMore());
  }

  /** Shows the results for the current criteria from the start. Removes the retry button of an earlier request. */
  const show = () => {
    replaceChildren(more);
    cursor = null;
    return isWholeMenu(criteria) ? showWholeMenu() : loadPage(true);
  };
  const loadMore = () => { if (cursor && !request) loadPage(false).catch(showFailure); };
  /** @param {unknown} problem */
  function showFailure(problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') return;
    if (!(problem instanceof Problem)) throw problem;
    request = null;
    wholeMenu.setDishes(null);
    const retry = () => {
      replaceChildren(more);
      (cursor ? loadPage(false) : show()).catch(showFailure);
    };
    replaceChildren(more,
      el('button.button.plain', {type: 'button', onclick: retry}, `${problem.detail} ${t('Try again')}`));
  }

  return {
    status, more, wholeMenu, loadMore,
    /** Shows the results of the current criteria, or why they cannot be loaded. */
    show: () => show().catch(showFailure),
    /** Loads the first results. The whole menu is drawn after `categories` has resolved. Throws if loading fails. */
    async loadFirst(/** @type {Promise<void>} */ categories) {
      replaceChildren(more);
      cursor = null;
      const whole = wholeMenu.reload();
      await Promise.all([categories, isWholeMenu(criteria) ? whole : loadPage(true)]);
      if (isWholeMenu(criteria)) await showWholeMenu();
    },
    stop: () => request?.abort(),
  };
}
