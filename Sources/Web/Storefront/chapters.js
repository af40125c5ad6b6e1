// The whole card, a chapter for each category, and the bar of categories that follows while one scrolls. Used by screens/menu.js.

import {readAll} from './api.js';
import {itemCard} from './cards.js';
import {el, fill} from './dom.js';
import {langOf} from './lang.js';
import {readdress} from './router.js';
import {isCard} from './wanted.js';
import {t} from './words.js';

/** All dishes, as they stand on the card. */
export const wholeCard = () => readAll('/v1/menu');

/** Asks for the card every ten seconds while the page is looked at, and at once when it is looked at again; unchanged it costs an answer without a
 *  body. Calls `take` with the dishes. Returns what ends it. */
export function watchCard(take) {
  const isSeen = () => document.visibilityState === 'visible';
  const look = () => isSeen() && wholeCard().then((items) => timer && take(items), (problem) => {
    if (problem.code === undefined) throw problem;
  });
  let timer = setInterval(look, 10_000);
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    timer = clearInterval(timer);
  };
}

/** A section for each category that has dishes. */
export const chapters = (categories, items) => categories.map((category) => [category, items.filter((item) => item.category === category.id)])
  .filter(([, dishes]) => dishes.length)
  .map(([category, dishes], index) => el('section.chapter', {'data-category': category.id},
    el('h2', {tabindex: '-1', ...langOf(category)}, category.title), el('div.grid', {}, dishes.map((item, place) => itemCard(item, {eager: index === 0 && place < 4})))));

/** How one moves along the card, unless one wants less motion. */
const motion = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth');

/** Goes to a category's chapter; false where it has none. */
export function toChapter(list, category, {behavior = motion(), focus = true} = {}) {
  const chapter = list.querySelector(`[data-category="${category}"]`);
  chapter?.scrollIntoView({behavior});
  if (focus) chapter?.querySelector('h2').focus({preventScroll: true});
  return Boolean(chapter);
}

/** Tells the bar which chapter is read, `mark(link)`, and keeps that one in the bar's view. Returns what ends it. */
export function follow(bar, list, mark) {
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) seen[isIntersecting ? 'add' : 'delete'](target);
    const chapter = [...list.children].find((one) => seen.has(one));
    const link = chapter && bar.querySelector(`[data-chapter="${chapter.dataset.category}"]`);
    if (!link) return;
    mark(link);
    bar.scrollTo({left: link.offsetLeft - (bar.clientWidth - link.clientWidth) / 2});
  }, {rootMargin: '-150px 0px -65% 0px'});
  for (const chapter of list.children) watch.observe(chapter);
  return () => {
    watch.disconnect();
    return null;
  };
}

/** The bar: {node, categories, draw, mark}. On the card its links lead to the chapters of `list`, else to the same dishes of one category. */
export function categoryLinks(wanted, list) {
  const node = el('nav.chips.chapters', {'aria-label': t('Categories')});

  function turnTo(event, category) {
    if (category && !toChapter(list, category)) return;
    if (!category) scrollTo({top: 0, behavior: motion()});
    event.preventDefault();
    wanted.category = category;
    readdress(event.currentTarget.hash);
  }

  function mark(category) {
    for (const link of node.children) {
      if (link.dataset.chapter === category) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  return {
    node, mark,
    /** Those that the shop has, once it has told. */
    categories: [],
    draw() {
      const query = String(new URLSearchParams(Object.entries({without: wanted.without, diet: wanted.diet}).filter(([, value]) => value)));
      const link = (id, text, said = {}) => el('a.chip', {
        href: `#/menu${id ? `/${id}` : ''}${query && `?${query}`}`, 'data-chapter': id, ...said, onclick: (event) => isCard(wanted) && turnTo(event, String(id)),
      }, text);
      fill(node, link('', t('All')), this.categories.map((category) => link(category.id, category.title, langOf(category))));
      mark(wanted.category);
    },
  };
}
