// One sale: information to read, or a set that goes into the basket in one step and only once.

import {read} from '../api.js';
import {addSale, basket, holdsSale} from '../basket.js';
import {el, fill, icon} from '../dom.js';
import {langOf} from '../lang.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {loadPart} from '../parts/loadPart.js';
import {picture} from '../picture.js';
import {prices} from '../prices.js';
import {onThisScreen, title} from '../router.js';
import {isForLater, soldOut} from '../soldout.js';
import {t} from '../words.js';
import {loading} from './loading.js';

function setButton(sale) {
  const button = el('button.button.big', {
    type: 'button',
    onclick: () => button.getAttribute('aria-disabled') !== 'true' && doing(button, async () => {
      const needsChoice = sale.items.some((part) => part.menuItem.needsChoice);
      const items = needsChoice ? await (await onThisScreen(loadPart('sheet', () => import('../sheet.js')))).askForUnits(sale) : [];
      if (!items) return;
      await addSale(sale.id, items);
      notice(t('{title} is in the basket.', sale));
    }, sale.title),
  });
  const isOut = sale.items.some(({menuItem}) => !menuItem.isAvailable && !isForLater(menuItem));
  const draw = () => {
    const isIn = holdsSale(sale.id);
    button.setAttribute('aria-disabled', String(isIn || isOut));
    button.textContent = isIn ? t('In the basket') : isOut ? soldOut(...sale.items.map((part) => part.menuItem)) : `${t('Add to basket')} · ${money(sale.total, sale)}`;
  };
  draw();
  return [button, basket.watch(draw)];
}

export function saleScreen(place, route) {
  const back = () => el('a.back', {href: '#/'}, icon('back'), t('Home'));
  const load = async () => {
    const sale = await read(`/v1/sales/${route.id}`);
    return () => {
      title(sale.title, {silent: route.isFirst});
      const [button, end] = sale.kind === 'set' ? setButton(sale) : [null, null];
      const parts = el('ul.parts', {}, sale.items.map(({menuItem, quantity}) => el('li', {},
        picture(menuItem.imageURL, menuItem.title, {photograph: menuItem.photograph}),
        el('a', {href: `#/items/${menuItem.id}`}, `${quantity} × `, el('span', langOf(menuItem), menuItem.title), isForLater(menuItem) ? `. ${soldOut(menuItem)}` : null),
        prices(menuItem.currentPrice, menuItem.price, menuItem))));
      fill(place, back(), el('article.poster', {},
        el('header', {}, picture(sale.backgroundImageURL, sale.title, {shape: 'wide', eager: true}),
          el('div.words', {}, el('h1', langOf(sale), sale.title), el('p', langOf(sale, 'headline'), sale.headline))),
        el('div.text', {}, el('p.lead', langOf(sale, 'description'), sale.description),
        sale.kind === 'set' ? [
          el('h2', {}, t('What’s included')), parts,
          el('p.price', {}, prices(sale.total, null, sale)),
          el('div.row', {}, button, el('a.button.plain.big', {href: '#/basket'}, t('Go to the basket'))),
        ] : el('p', {}, el('a.button', {href: '#/menu'}, t('See the menu'))))));
      return end;
    };
  };
  const waiting = () => fill(place, back(), el('div.poster', {}, el('header', {}, el('span.picture.wide.skeleton')), el('h1.unseen', {}, t('Sale'))));
  return loading(place, route, waiting, load, {ofMenu: true});
}
