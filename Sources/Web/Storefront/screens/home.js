// Home: the sections that the server lists, each kind with its own builder; kinds it does not know are passed over.
// Read next: cards.js, shelf.js.

import {read, remembered} from '../api.js';
import {itemCard, saleCard, skeletons} from '../cards.js';
import {el, fill, say} from '../dom.js';
import {money} from '../money.js';
import {picture} from '../picture.js';
import {title} from '../router.js';
import {surpriseShelf} from '../shelf.js';
import {loading} from './loading.js';

const section = (name, heading, ...content) => el(`section.${name}`, {}, el('h2', {}, heading), content);

const builders = {
  categories: (items) => section('categories', 'What would you like?', el('ul.tiles', {}, items.map((category) =>
    el('li', {}, el('a.tile', {href: `#/menu/${category.id}`},
      picture(category.imageURL, category.title, {eager: true}), el('span', {}, category.title)))))),
  sales: (items) => section('sales', 'This week', el('div.salesrow', {}, items.map((sale, index) => saleCard(sale, {eager: index === 0})))),
  specials: (items) => section('specials', 'A little less today', el('div.shelf', {tabindex: '0', role: 'group', 'aria-label': 'A little less today'},
    items.map((item) => itemCard(item)))),
  coupons: (items) => section('coupons', 'Coupons', el('ul.tickets', {}, items.map(coupon))),
};

/** A ticket whose key word is covered until it is tapped. */
function coupon({key, title: name, description, ...terms}) {
  const word = el('span.word', {}, '• • • • •');
  const button = el('button.cover', {
    type: 'button', 'aria-label': `Uncover the key word of ${name}`,
    onclick: () => {
      word.textContent = key;
      button.classList.add('open');
      button.setAttribute('aria-label', `The key word of ${name} is ${key}`);
      button.querySelector('small').textContent = 'type it at checkout';
      say(`The key word is ${key}. Type it at checkout.`);
    },
  }, word, el('small', {}, 'tap to uncover'));
  return el('li.ticket', {}, el('div', {}, el('h3', {}, name), el('p', {}, description), conditions(terms)), button);
}

/** Until when a coupon can be used, from when on, and from which sum; nothing where there is no such limit. */
function conditions({startsAt, endsAt, minimumSubtotal, ...shop}) {
  const day = (moment) => new Date(moment).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'});
  const sentences = [
    startsAt && Date.parse(startsAt) > Date.now() ? `From ${day(startsAt)} on.` : '',
    endsAt ? `Until ${day(endsAt)}.` : '',
    minimumSubtotal ? `For orders of ${money(minimumSubtotal, shop)} or more.` : '',
  ].filter(Boolean);
  return sentences.length ? el('p.muted', {}, sentences.join(' ')) : null;
}

const hero = () => el('div.hero', {},
  el('h1', {}, 'Made to order,', el('br'), 'at your door within the hour.'),
  el('p', {}, 'Burgers, fries and good company from Welm’s kitchen.'),
  el('p.row', {}, el('a.button.big', {href: '#/menu'}, 'See the menu')));

export function homeScreen(place, route) {
  title('Home', {silent: true});
  const draw = (home) => {
    const sections = home.sections.map(({kind, items}) => (items?.length ? builders[kind]?.(items) : null));
    sections.splice(3, 0, surpriseShelf());
    fill(place, hero(), sections);
  };
  const waiting = () => {
    const home = remembered('/v1/home');
    if (home) draw(home);
    else {
      fill(place, hero(),
        section('categories', 'What would you like?', el('ul.tiles', {}, Array.from({length: 5}, () => el('li', {}, el('span.tile.skeleton', {}, el('span.picture.item')))))),
        section('sales', 'This week', el('div.salesrow', {}, skeletons(3, 'sale'))));
    }
  };
  const load = async () => {
    const before = remembered('/v1/home');
    const home = await read('/v1/home');
    return () => (home === before && place.querySelector('.tickets') ? undefined : draw(home));
  };
  return loading(place, route, waiting, load, {ofMenu: true});
}
