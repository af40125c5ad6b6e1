// The whole menu with a section for each category, and the category bar that follows the scroll position.

import {el, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {replaceAddress} from '../parts/router.js';
import {t} from '../parts/translation.js';
import {itemCard} from './cards.js';
import {isWholeMenu} from './searchCriteria.js';

/** @typedef {import('./searchCriteria.js').Criteria} Criteria */

/**
 * A section for each category that has dishes.
 * @param {API.Category[]} categories
 * @param {API.MenuItem[]} items
 */
export const categorySections = (categories, items) =>
  categories.map((category) => ({category, dishes: items.filter((item) => item.category === category.id)}))
    .filter(({dishes}) => dishes.length)
    .map(({category, dishes}, index) => el('section.chapter', {'data-category': category.id},
      el('h2', {tabindex: '-1', ...langOf(category)}, category.title),
      el('div.grid', {}, dishes.map((item, position) => itemCard(item, {eager: index === 0 && position < 4})))));

/** Smooth scrolling, unless the guest prefers reduced motion. */
const scrollBehavior = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth');

/**
 * Scrolls to a category's section. Returns false if the list has no such section.
 * @param {HTMLElement} list
 * @param {string} category
 * @param {{behavior?: 'instant' | 'smooth', focus?: boolean}} options
 */
export function scrollToCategory(list, category, {behavior = scrollBehavior(), focus = true} = {}) {
  const chapter = list.querySelector(`[data-category="${category}"]`);
  chapter?.scrollIntoView({behavior});
  if (focus) chapter?.querySelector('h2')?.focus({preventScroll: true});
  return Boolean(chapter);
}

/**
 * Calls `mark` with the link of the first category in view, and scrolls the bar to that link. Returns a function that
 * stops.
 * @param {HTMLElement} bar
 * @param {HTMLElement} list
 * @param {(link: HTMLElement) => void} mark
 */
export function trackCategory(bar, list, mark) {
  const seen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) seen[isIntersecting ? 'add' : 'delete'](target);
    const chapter = [...list.children].find((child) => seen.has(child));
    if (!chapter) return;
    /** @type {HTMLElement | null} */
    const link = bar.querySelector(`[data-chapter="${chapter.getAttribute('data-category')}"]`);
    if (!link) return;
    mark(link);
    bar.scrollTo({left: link.offsetLeft - (bar.clientWidth - link.clientWidth) / 2});
  }, {rootMargin: '-150px 0px -65% 0px'});
  for (const chapter of list.children) observer.observe(chapter);
  return () => {
    observer.disconnect();
    return null;
  };
}

/**
 * The category bar: {node, categories, draw, markCurrent}. In the whole menu its links scroll to the sections of
 * `list`; otherwise they restrict the search to a category.
 * @param {Criteria} criteria
 * @param {HTMLElement} list
 */
export function categoryLinks(criteria, list) {
  const node = el('nav.chips.chapters', {'aria-label': t('Categories')});

  /** @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event @param {string} category */
  function openCategory(event, category) {
    if (category && !scrollToCategory(list, category)) return;
    if (!category) scrollTo({top: 0, behavior: scrollBehavior()});
    event.preventDefault();
    criteria.category = category;
    replaceAddress(event.currentTarget.hash);
  }

  /** @param {string | undefined} category */
  function markCurrent(category) {
    for (const link of node.children) {
      if (link.getAttribute('data-chapter') === category) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  return {
    node, markCurrent,
    /** The shop's categories, empty until they are read. */
    categories: /** @type {API.Category[]} */ ([]),
    draw() {
      const query = String(new URLSearchParams(Object.entries({without: criteria.without, diet: criteria.diet})
        .filter(([, value]) => value)));
      /** @param {number | ''} id @param {string} text @param {{lang?: string}} [attributes] */
      const link = (id, text, attributes = {}) => el('a.chip', {
        href: `#/menu${id ? `/${id}` : ''}${query && `?${query}`}`, 'data-chapter': id, ...attributes,
        onclick: (event) => isWholeMenu(criteria) && openCategory(event, String(id)),
      }, text);
      replaceChildren(node, link('', t('All')),
        this.categories.map((category) => link(category.id, category.title, langOf(category))));
      markCurrent(criteria.category);
    },
  };
}
