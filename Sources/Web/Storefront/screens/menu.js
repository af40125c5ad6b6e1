// The menu: the whole card by category; or what one looks for, by word, tag, allergen or price, twenty at a time as one scrolls. What is asked
// for stands in the address, so that it can be shared and the way back finds it. Read next: wanted.js, found.js, chapters.js.

import {read, readAll} from '../api.js';
import {redrawCards, skeletons} from '../cards.js';
import {categoryLinks, toChapter, watchCard} from '../chapters.js';
import {el, fill} from '../dom.js';
import {dishesFound} from '../found.js';
import {openLine} from '../hours.js';
import {doing} from '../notice.js';
import {loadPart} from '../parts/loadPart.js';
import {onThisScreen, readdress, title} from '../router.js';
import {tagChips} from '../tags.js';
import {addressOf, isCard, isFiltered, wantedBy} from '../wanted.js';
import {t} from '../words.js';
import {loading, nothingYet} from './loading.js';

const sorts = [['position', t('Menu order')], ['price', t('Price: low to high')], ['-price', t('Price: high to low')], ['title', t('By name')]];

/** Only a word that was looked for everywhere can be another one. */
const nothing = (wanted) => (wanted.q && !wanted.category && !wanted.tag && !isFiltered(wanted) ? el('p.empty', {}, t('No dish has this name. Try a shorter word.'))
  : nothingYet(isFiltered(wanted) ? t('No dish is known to suit you.') : t('No dish matches your search.')));

/** The words that are looked for, and the order: {node, end}. Calls `changed` when another is wanted; of words, when the typing has come to rest. */
function searchFields(wanted, changed) {
  let timer = 0;
  const search = el('input', {
    type: 'search', id: 'q', placeholder: t('Search'), 'aria-label': t('Search the menu'), autocomplete: 'off', maxlength: 60, value: wanted.q,
    oninput: () => {
      wanted.q = search.value.trim();
      clearTimeout(timer);
      timer = setTimeout(changed, 180);
    },
  });
  const sort = el('select', {'aria-label': t('Order of the dishes'), onchange: () => { wanted.sort = sort.value; changed(); }},
    sorts.map(([value, name]) => el('option', {value, selected: value === wanted.sort}, name)));
  return {node: el('div.finding', {role: 'search'}, search, sort), end: () => clearTimeout(timer)};
}

/** The chip that asks for allergens and diet: {node, draw}. */
function foodChip(wanted, changed) {
  const node = el('button.chip', {type: 'button', 'aria-haspopup': 'dialog', onclick: () => doing(node, async () => {
    const {askFilter} = await onThisScreen(loadPart('filter', () => import('../filter.js')));
    const next = await askFilter({without: wanted.without.split(','), diet: wanted.diet});
    if (!next) return;
    Object.assign(wanted, {without: next.without.join(','), diet: next.diet});
    changed();
  })}, t('Allergens and diet'));
  return {node, draw: () => node.setAttribute('aria-pressed', String(isFiltered(wanted)))};
}

export function menuScreen(place, route) {
  const wanted = wantedBy(route);
  const list = el('div.grid', {id: 'list', 'aria-busy': 'true'}, skeletons(8));
  const search = searchFields(wanted, again);
  const food = foodChip(wanted, again);
  const tags = tagChips(wanted, food.node, again);
  const links = categoryLinks(wanted, list);
  const found = dishesFound(wanted, list, {links, tags, nothing: () => nothing(wanted)});
  const seen = new IntersectionObserver((entries) => entries[0].isIntersecting && found.next(), {rootMargin: '600px'});

  /** Something else is wanted: the address tells, without another step in the history. */
  function again() {
    // On the card a category is a place, and what is looked for is looked for everywhere.
    if (found.card.isShown) wanted.category = '';
    readdress(addressOf(wanted));
    links.draw();
    food.draw();
    found.show();
  }

  function draw(home) {
    const name = links.categories.find((category) => String(category.id) === wanted.category)?.title ?? t('The menu');
    title(name, {silent: route.isFirst});
    const hadFocus = place.contains(document.activeElement) || document.activeElement === document.getElementById('main');
    links.draw();
    food.draw();
    fill(place, el('div.row.titled', {}, el('h1', {}, isCard(wanted) ? t('The menu') : name), openLine(home)),
      search.node, tags.node, found.status, links.node, list, found.more, found.card.surprise);
    seen.observe(found.more);
    const unwatch = watchCard((items) => {
      redrawCards(place, items);
      if (isCard(wanted)) tags.draw(items);
      found.card.take(items);
    });
    if (isCard(wanted) && wanted.category) toChapter(list, wanted.category, {behavior: 'instant', focus: hadFocus});
    return () => {
      seen.disconnect();
      unwatch();
      found.card.end();
    };
  }

  const load = async () => {
    const categories = readAll('/v1/categories').then((all) => { links.categories = all; });
    const [home] = await Promise.all([read('/v1/home').catch(() => null), found.first(categories)]);
    return () => draw(home);
  };
  const end = loading(place, route, () => {
    title(t('The menu'), {silent: route.isFirst});
    fill(place, el('div.row.titled', {}, el('h1', {}, t('The menu'))), el('div.finding'), el('div.chips'), found.status, el('div.chips'), list);
  }, load, {ofMenu: true});
  return () => {
    search.end();
    found.stop();
    end();
  };
}
