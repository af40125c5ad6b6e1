// The start page: the sections that the server lists. Unknown kinds of sections are skipped.

import {activeOrders} from '../orders/activeOrders.js';
import {cachedBody, read} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {openingLine} from '../parts/openingStatus.js';
import {picture} from '../parts/picture.js';
import {setTitle} from '../parts/router.js';
import {loadScreen} from '../parts/screenLoading.js';
import {t} from '../parts/translation.js';
import {itemCard, placeholderCards, saleCard} from './cards.js';
import {couponTickets} from './couponTickets.js';
import {deliveryTerms} from './deliveryTerms.js';
import {surpriseShelf} from './surpriseShelf.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {import('../parts/dom.js').Child} Child */
/** @typedef {API.Home['sections'][number]} Section */

/** @param {string} name @param {string} heading @param {...(Child | Child[])} content */
const section = (name, heading, ...content) => el(`section.${name}`, {}, el('h2', {}, heading), ...content);

/**
 * A section of the server, or null if it is empty or of an unknown kind.
 * @param {Section} content
 */
function sectionOf(content) {
  if (!content.items?.length) return null;
  switch (content.kind) {
    case 'categories':
      return section('categories', t('What would you like?'), el('ul.tiles', {}, content.items.map((category) =>
        el('li', {}, el('a.tile', {href: `#/menu/${category.id}`},
          picture(category.imageURL, category.title, {eager: true}), el('span', langOf(category), category.title))))));
    case 'sales': return section('sales', t('This week'), el('div.salesrow', {}, content.items.map(saleCard)));
    case 'specials':
      return section('specials', t('On offer today'),
        el('div.shelf', {tabindex: '0', role: 'group', 'aria-label': t('On offer today')},
          content.items.map((item) => itemCard(item))));
    case 'coupons': return section('coupons', t('Coupons'), el('ul.tickets', {}, couponTickets(content.items)));
    default: return null;
  }
}

/**
 * The dish in the header: a discounted dish, with a photograph if possible.
 * @param {API.Home | null} home
 */
function featuredDish(home) {
  const dishes = (home?.sections ?? []).flatMap((content) => (content.kind === 'specials' ? content.items : []))
    .filter(({isAvailable}) => isAvailable);
  const dish = dishes.find(({photograph}) => photograph) ?? dishes[0];
  if (!dish) return el('span.food');
  return el('a.food', {href: `#/items/${dish.id}`, 'aria-label': dish.title},
    picture(dish.imageURL, dish.title, {shape: 'hero', eager: true, photograph: dish.photograph}));
}

/** @param {API.Home | null} home @param {HTMLElement} terms */
const hero = (home, terms) => el('div.hero', {},
  el('h1', {}, t('Made to order,'), el('br'), t('at your door within the hour.')),
  el('div.words', {},
    el('p', {}, t('Burgers, fries and good company from Welm’s kitchen.')),
    el('p.row', {}, el('a.button.big', {href: '#/menu'}, t('See the menu')), openingLine(home))),
  featuredDish(home),
  terms,
  el('p.pays', {}, t('You pay in cash on delivery or pickup.')));

/** @param {HTMLElement} container @param {Route} route */
export function homeScreen(container, route) {
  setTitle('', {silent: true});
  const terms = deliveryTerms();
  const orders = activeOrders();
  /** @param {API.Home} home */
  const draw = (home) => {
    const sections = home.sections.map(sectionOf);
    sections.splice(3, 0, surpriseShelf());
    terms.keepingFocus(() => replaceChildren(container, orders.nodes, hero(home, terms.draw(home)), sections));
  };
  const waiting = () => {
    const home = cachedBody('/v1/home');
    if (home) draw(home);
    else {
      replaceChildren(container, orders.nodes, hero(null, terms.draw(null)),
        section('categories', t('What would you like?'),
          el('ul.tiles', {},
            Array.from({length: 5}, () => el('li', {}, el('span.tile.skeleton', {}, el('span.picture.item')))))),
        section('sales', t('This week'), el('div.salesrow', {}, placeholderCards(3, 'sale'))));
    }
  };
  const load = async () => {
    const [before, previousTerms] = [cachedBody('/v1/home'), terms.shownText];
    const [home] = await Promise.all([read('/v1/home'), terms.load()]);
    return () => {
      const isSame = home === before && previousTerms === terms.shownText;
      if (!isSame || !container.querySelector('.tickets')) draw(home);
    };
  };
  const end = loadScreen(container, route, waiting, load, {ofMenu: true});
  return () => {
    end();
    orders.end();
  };
}
