// One item: its picture and text, its price on the button, and for a special one the way to its sale.

import {read} from '../api.js';
import {addButton, heart, marks} from '../cards.js';
import {el, fill, icon} from '../dom.js';
import {noteField} from '../note.js';
import {picture} from '../picture.js';
import {prices} from '../prices.js';
import {title} from '../router.js';
import {loading} from './loading.js';

export function itemScreen(place, route) {
  const back = (category) => el('a.back', {href: category ? `#/menu/${category}` : '#/menu'}, icon('back'), 'Menu');
  const load = async () => {
    const item = await read(`/v1/menu/${route.id}`);
    const sale = item.salesGroupId ? await read(`/v1/sales/${item.salesGroupId}`).catch(() => null) : null;
    return () => {
      const note = noteField();
      title(item.title, {silent: route.isFirst});
      fill(place, back(item.category), el('article.detail', {},
        el('div.side', {}, picture(item.imageURL, item.title, {shape: 'tall', eager: true}), heart(item)),
        el('div.text', {},
          el('p.marks', {}, marks(item)),
          el('h1', {}, item.title),
          el('p.lead', {}, item.description),
          el('ul.tags', {'aria-label': 'Tags'}, item.tags.map((tag) => el('li', {}, el('a.chip', {href: `#/menu?tag=${encodeURIComponent(tag)}`}, tag)))),
          el('p.price', {}, prices(item.currentPrice, item.salePercent ? item.price : null, item)),
          el('div.row', {}, addButton(item, {withPrice: true, note: note.read}),
            sale ? el('a.button.plain.big', {href: `#/sales/${sale.id}`}, icon('star'), `Part of ${sale.title}`) : null),
          // Below the button, which stays where a thumb finds it.
          item.isAvailable ? note.node : null)));
    };
  };
  const waiting = () => fill(place, back(), el('div.detail', {}, el('div.side', {}, el('span.picture.tall.skeleton')), el('div.text', {}, el('h1', {}, '…'))));
  return loading(place, route, waiting, load, {ofMenu: true});
}
