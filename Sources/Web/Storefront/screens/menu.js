// The menu: the whole card by category; or what one looks for, by word, tag, allergen or price, twenty at a time as one scrolls. What is asked
// for stands in the address, so that it can be shared and the way back finds it. Read next: chapters.js.

import {fetched, read} from '../api.js';
import {itemCard, redrawCards, skeletons} from '../cards.js';
import {chapters, follow, motion, toChapter, watchCard, wholeCard} from '../chapters.js';
import {el, fill, say} from '../dom.js';
import {openLine} from '../hours.js';
import {doing} from '../notice.js';
import {readdress, title} from '../router.js';
import {surpriseShelf} from '../shelf.js';
import {tongue} from '../tongue.js';
import {named, t} from '../words.js';
import {loading, nothingYet} from './loading.js';

const sorts = [['position', t('As on the card')], ['price', t('Cheapest first')], ['-price', t('Dearest first')], ['title', t('By name')]];

/** The twelve tags most of the menu has. */
function commonTags(items) {
  const counts = new Map();
  for (const tag of items.flatMap((item) => item.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([tag]) => tag).slice(0, 12);
}

export function menuScreen(place, route) {
  const asked = (name, otherwise = '') => route.query.get(name) ?? otherwise;
  const wanted = {category: route.category ?? '', q: asked('q'), tag: asked('tag'), without: asked('without'), diet: asked('diet'), sort: asked('sort', 'position')};
  const list = el('div.grid', {id: 'list', 'aria-busy': 'true'}, skeletons(8));
  let unfollow = null;
  const status = el('p.quiet.found', {role: 'status'});
  const more = el('div.more');
  let cursor = null, asking = null, timer = 0;

  const isFiltered = () => Boolean(wanted.without || wanted.diet);
  /** Whether nothing is looked for: then there is the whole card. */
  const isCard = () => !(wanted.q || wanted.tag || isFiltered()) && wanted.sort === 'position';
  const parameters = () => new URLSearchParams(Object.entries(wanted).filter(([name, value]) => value && !(name === 'sort' && value === 'position')));

  const show = () => (isCard() ? showCard() : ask(true));

  async function showCard() {
    asking?.abort();
    const mine = asking = new AbortController();
    const items = await (card ??= wholeCard());
    if (asking !== mine) return;
    asking = cursor = null;
    list.className = '';
    fill(list, chapters(categories, items));
    list.removeAttribute('aria-busy');
    tell(items.length);
    drawTags(commonTags(items));
    surprise.hidden = Boolean(wanted.category);
    if (!surprise.hidden && !surprise.firstChild) surprise.append(surpriseShelf());
    unfollow?.();
    unfollow = follow(links, list, (link) => mark(link.dataset.chapter));
  }

  async function ask(first) {
    asking?.abort();
    const mine = asking = new AbortController();
    const query = parameters();
    query.set('limit', '20');
    if (!first) query.set('cursor', cursor);
    const page = await read(`/v1/menu?${query}`, {signal: mine.signal});
    if (asking !== mine) return;
    asking = null;
    cursor = page.nextCursor;
    unfollow = unfollow?.();
    list.className = 'grid';
    const cards = page.items.map((item, index) => itemCard(item, {level: 'h2', eager: first && index < 4}));
    if (first) fill(list, cards);
    else list.append(...cards);
    list.removeAttribute('aria-busy');
    if (first && page.items.length === 0) {
      list.className = '';
      fill(list, nothing());
    }
    if (first) offerTags(page, mine.signal);
    const names = wanted.without.split(',').map((name) => named(name)).join(', ');
    const food = [wanted.without && t('without {names}', {names}), wanted.diet && named(wanted.diet, wanted.diet.replace('_', '-'))].filter(Boolean).join(', ');
    tell(list.querySelectorAll('article').length, food);
    if (!first) say(t('{count} more', {count: page.items.length}));
    surprise.hidden = true;
    requestAnimationFrame(() => cursor && more.isConnected && more.getBoundingClientRect().top < innerHeight + 600 && next());
  }

  /** Only a word that was looked for everywhere can be another one. */
  const nothing = () => (wanted.q && !wanted.category && !wanted.tag && !isFiltered() ? el('p.empty', {}, t('Nothing on the menu is called that. Try a shorter word.'))
    : nothingYet(isFiltered() ? t('We know of nothing here that is right for you.') : t('There is nothing like that here.')));

  /** The tags of what is found without one: each of them leads to something. */
  async function offerTags(page, signal) {
    const query = parameters();
    query.delete('tag');
    query.set('limit', '100');
    const all = wanted.tag || page.nextCursor ? await read(`/v1/menu?${query}`, {signal}).catch((problem) => {
      if (problem.code === undefined && problem.name !== 'AbortError') throw problem;
    }) : page;
    if (all) drawTags(commonTags(all.items));
  }

  const tell = (total, food = '') => {
    status.classList.toggle('unseen', isCard());
    const dishes = t('{count, plural, one {# dish} other {# dishes}}', {count: total});
    const many = cursor ? t('{dishes} and more', {dishes}) : dishes;
    status.textContent = food ? `${many}: ${food}` : many;
  };

  const fail = (problem) => {
    if (problem.name === 'AbortError') return;
    if (problem.code === undefined) throw problem;
    asking = card = null;
    fill(more, el('button.button.plain', {type: 'button', onclick: () => { fill(more); (cursor ? ask(false) : show()).catch(fail); }}, `${problem.detail} ${t('Try again')}`));
  };
  const next = () => { if (cursor && !asking) ask(false).catch(fail); };

  /** Something else is wanted: the address tells, without another step in the history. */
  function again() {
    // On the card a category is a place, and what is looked for is looked for everywhere.
    if (unfollow) wanted.category = '';
    const {category, ...rest} = wanted;
    const query = new URLSearchParams(Object.entries(rest).filter(([name, value]) => value && !(name === 'sort' && value === 'position')));
    readdress(`#/menu${category ? `/${category}` : ''}${query.size ? `?${query}` : ''}`);
    drawLinks();
    show().catch(fail);
  }

  const search = el('input', {
    type: 'search', id: 'q', placeholder: t('Search'), 'aria-label': t('Search the menu'), autocomplete: 'off', maxlength: 60, value: wanted.q,
    oninput: () => {
      wanted.q = search.value.trim();
      clearTimeout(timer);
      timer = setTimeout(again, 180);
    },
  });
  const sort = el('select', {'aria-label': t('Order of the dishes'), onchange: () => { wanted.sort = sort.value; again(); }},
    sorts.map(([value, name]) => el('option', {value, selected: value === wanted.sort}, name)));
  const chips = el('div.chips', {role: 'group', 'aria-label': t('Narrow the menu')});
  const surprise = el('div', {hidden: true});
  const seen = new IntersectionObserver((entries) => entries[0].isIntersecting && next(), {rootMargin: '600px'});

  const food = el('button.chip', {type: 'button', 'aria-haspopup': 'dialog', onclick: () => doing(food, askFood)}, t('Allergens and diet'));
  const links = el('nav.chips.chapters', {'aria-label': t('Categories')});
  let categories = [], card = null, offered = '';

  async function askFood() {
    const {askFilter} = await fetched(import('../filter.js'));
    const next = await askFilter({without: wanted.without.split(','), diet: wanted.diet});
    if (!next) return;
    Object.assign(wanted, {without: next.without.join(','), diet: next.diet});
    again();
  }

  const mark = (category) => {
    for (const link of links.children) {
      if (link.dataset.chapter === category) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };

  /** The ways to the categories: on the card to their chapters, else to the same dishes of one category. */
  function drawLinks() {
    const query = new URLSearchParams(Object.entries({without: wanted.without, diet: wanted.diet}).filter(([, value]) => value));
    const link = (id, text, said = {}) => el('a.chip', {
      href: `#/menu${id ? `/${id}` : ''}${query.size ? `?${query}` : ''}`, 'data-chapter': id, ...said, onclick: (event) => isCard() && turnTo(event, String(id)),
    }, text);
    fill(links, link('', t('All')), categories.map((category) => link(category.id, category.title, tongue(category))));
    mark(wanted.category);
    food.setAttribute('aria-pressed', String(isFiltered()));
  }

  function turnTo(event, category) {
    if (category && !toChapter(list, category)) return;
    if (!category) scrollTo({top: 0, behavior: motion()});
    event.preventDefault();
    wanted.category = category;
    readdress(event.currentTarget.hash);
  }

  function drawTags(common) {
    const tags = !wanted.tag || common.includes(wanted.tag) ? common : [wanted.tag, ...common];
    const now = tags.join();
    if (now === offered) return;
    offered = now;
    const [focused, left] = [document.activeElement?.dataset.tag, chips.scrollLeft];
    fill(chips, food, tags.map((tag) => {
      const chip = el('button.chip', {
        type: 'button', 'data-tag': tag, 'aria-pressed': String(tag === wanted.tag),
        onclick: () => {
          wanted.tag = wanted.tag === tag ? '' : tag;
          for (const other of chips.children) if (other !== food) other.setAttribute('aria-pressed', String(other === chip && wanted.tag === tag));
          again();
        },
      }, tag);
      return chip;
    }));
    chips.scrollLeft = left;
    if (focused) ([...chips.children].find((one) => one.dataset.tag === focused) ?? food).focus({preventScroll: true});
  }

  const load = async () => {
    card = wholeCard();
    card.catch(() => { card = null; });
    const [answer, home] = await Promise.all([read('/v1/categories'), read('/v1/home').catch(() => null), isCard() ? card : ask(true)]);
    categories = answer.items;
    if (isCard()) await showCard();
    return () => {
      const name = categories.find((category) => String(category.id) === wanted.category)?.title ?? t('The menu');
      title(name, {silent: route.isFirst});
      const hadFocus = place.contains(document.activeElement) || document.activeElement === document.getElementById('main');
      drawLinks();
      if (!offered) fill(chips, food);
      fill(place, el('div.row.titled', {}, el('h1', {}, isCard() ? t('The menu') : name), openLine(home)),
        el('div.finding', {role: 'search'}, search, sort), chips, status, links, list, more, surprise);
      seen.observe(more);
      const unwatch = watchCard((items) => {
        redrawCards(place, items);
        if (isCard()) drawTags(commonTags(items));
        card = items;
      });
      if (isCard() && wanted.category) toChapter(list, wanted.category, {behavior: 'instant', focus: hadFocus});
      return () => {
        seen.disconnect();
        unwatch();
        unfollow?.();
      };
    };
  };
  const end = loading(place, route, () => {
    title(t('The menu'), {silent: route.isFirst});
    fill(place, el('div.row.titled', {}, el('h1', {}, t('The menu'))), el('div.finding'), el('div.chips'), status, el('div.chips'), list);
  }, load, {ofMenu: true});
  return () => {
    clearTimeout(timer);
    asking?.abort();
    end();
  };
}
