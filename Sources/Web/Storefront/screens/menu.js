// The menu: a category or all, found as one types, narrowed by tags, twenty at a time as one scrolls. What is asked for stands in the
// address, so that it can be shared and the way back finds it.

import {fetched, read} from '../api.js';
import {itemCard, skeletons} from '../cards.js';
import {el, fill, say} from '../dom.js';
import {doing} from '../notice.js';
import {title} from '../router.js';
import {surpriseShelf} from '../shelf.js';
import {loading} from './loading.js';

const sorts = [['position', 'As on the card'], ['price', 'Cheapest first'], ['-price', 'Dearest first'], ['title', 'By name']];

/** The twelve tags most of the menu has. */
async function commonTags() {
  const {items} = await read('/v1/menu?limit=100');
  const counts = new Map();
  for (const tag of items.flatMap((item) => item.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 12).map(([tag]) => tag);
}

export function menuScreen(place, route) {
  const asked = (name, otherwise = '') => route.query.get(name) ?? otherwise;
  const wanted = {category: route.category ?? '', q: asked('q'), tag: asked('tag'), without: asked('without'), diet: asked('diet'), sort: asked('sort', 'position')};
  const list = el('div.grid', {id: 'list', 'aria-busy': 'true'}, skeletons(8));
  const status = el('p.quiet.found', {role: 'status'});
  const more = el('div.more');
  let cursor = null, asking = null, timer = 0;

  const isFiltered = () => Boolean(wanted.without || wanted.diet);
  const parameters = () => new URLSearchParams(Object.entries(wanted).filter(([name, value]) => value && !(name === 'sort' && value === 'position')));

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
    const cards = page.items.map((item, index) => itemCard(item, {level: 'h2', eager: first && index < 4}));
    if (first) fill(list, cards);
    else list.append(...cards);
    list.removeAttribute('aria-busy');
    if (first && page.items.length === 0) fill(list, el('p.empty', {}, isFiltered() ? 'We know of nothing here that is right for you.' : 'Nothing on the menu is called that. Try a shorter word.'));
    const total = list.querySelectorAll('article').length;
    const food = [wanted.without && `without ${wanted.without.split(',').join(', ')}`, wanted.diet.replace('_', '-')].filter(Boolean).join(', ');
    status.textContent = `${total} ${total === 1 ? 'dish' : 'dishes'}${cursor ? ' and more' : ''}${food ? `: ${food}` : ''}`;
    if (!first) say(`${page.items.length} more`);
    surprise.hidden = Boolean(wanted.q || wanted.tag || isFiltered());
    requestAnimationFrame(() => cursor && more.isConnected && more.getBoundingClientRect().top < innerHeight + 600 && next());
  }

  const fail = (problem) => {
    if (problem.name === 'AbortError') return;
    if (problem.code === undefined) throw problem;
    asking = null;
    fill(more, el('button.button.plain', {type: 'button', onclick: () => { fill(more); next(); }}, `${problem.detail} Try again`));
  };
  const next = () => { if (cursor && !asking) ask(false).catch(fail); };

  /** Something else is wanted: the address tells, without another step in the history. */
  function again() {
    const {category, ...rest} = wanted;
    const query = new URLSearchParams(Object.entries(rest).filter(([name, value]) => value && !(name === 'sort' && value === 'position')));
    history.replaceState(history.state, '', `#/menu${category ? `/${category}` : ''}${query.size ? `?${query}` : ''}`);
    drawLinks();
    ask(true).catch(fail);
  }

  const search = el('input', {
    type: 'search', id: 'q', placeholder: 'Search', 'aria-label': 'Search the menu', autocomplete: 'off', maxlength: 60, value: wanted.q,
    oninput: () => {
      wanted.q = search.value.trim();
      clearTimeout(timer);
      timer = setTimeout(again, 180);
    },
  });
  const sort = el('select', {'aria-label': 'Order of the dishes', onchange: () => { wanted.sort = sort.value; again(); }},
    sorts.map(([value, name]) => el('option', {value, selected: value === wanted.sort}, name)));
  const chips = el('div.chips', {role: 'group', 'aria-label': 'Narrow the menu'});
  const surprise = el('div', {hidden: Boolean(wanted.q || wanted.tag || wanted.category || isFiltered())});
  const seen = new IntersectionObserver((entries) => entries[0].isIntersecting && next(), {rootMargin: '600px'});

  const food = el('button.chip', {type: 'button', 'aria-haspopup': 'dialog', onclick: () => doing(food, askFood)}, 'Allergens and diet');
  const links = el('nav.chips', {'aria-label': 'Categories'});
  let categories = [];

  async function askFood() {
    const {askFilter} = await fetched(import('../filter.js'));
    const next = await askFilter({without: wanted.without.split(','), diet: wanted.diet});
    if (!next) return;
    Object.assign(wanted, {without: next.without.join(','), diet: next.diet});
    again();
  }

  /** The ways to the categories, which keep what the guest can eat. */
  function drawLinks() {
    const query = new URLSearchParams(Object.entries({without: wanted.without, diet: wanted.diet}).filter(([, value]) => value));
    const link = (id, text) => el('a.chip', {href: `#/menu${id ? `/${id}` : ''}${query.size ? `?${query}` : ''}`, 'aria-current': String(id) === wanted.category ? 'page' : null}, text);
    fill(links, link('', 'All'), categories.map((category) => link(category.id, category.title)));
    food.setAttribute('aria-pressed', String(isFiltered()));
  }

  function drawTags(tags) {
    fill(chips, food, tags.map((tag) => {
      const chip = el('button.chip', {
        type: 'button', 'aria-pressed': String(tag === wanted.tag),
        onclick: () => {
          wanted.tag = wanted.tag === tag ? '' : tag;
          for (const other of chips.children) if (other !== food) other.setAttribute('aria-pressed', String(other === chip && wanted.tag === tag));
          again();
        },
      }, tag);
      return chip;
    }));
  }

  const load = async () => {
    [{items: categories}] = await Promise.all([read('/v1/categories'), ask(true)]);
    return () => {
      const name = categories.find((category) => String(category.id) === wanted.category)?.title ?? 'The menu';
      title(name, {silent: route.isFirst});
      drawLinks();
      fill(chips, food);
      fill(place, el('h1', {}, name),
        links, el('div.finding', {role: 'search'}, search, sort), chips, status, list, more, surprise);
      if (!wanted.category && !surprise.firstChild) surprise.append(surpriseShelf());
      commonTags().then(drawTags, () => {});
      seen.observe(more);
      return () => seen.disconnect();
    };
  };
  const end = loading(place, route, () => {
    title('The menu', {silent: route.isFirst});
    fill(place, el('h1', {}, 'The menu'), el('nav.chips', {'aria-label': 'Categories'}), el('div.finding'), list);
  }, load, {ofMenu: true});
  return () => {
    clearTimeout(timer);
    asking?.abort();
    end();
  };
}
