// One sale: information only, or a set that is added to the basket once.

import {addSale, basket, hasSale} from '../basket/basket.js';
import {loadDishSheet} from '../basket/loadDishSheet.js';
import {isOrderable, isServedLater, unavailableText} from '../dish/availability.js';
import {prices} from '../dish/prices.js';
import {read} from '../parts/api.js';
import {el, icon, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {money} from '../parts/money.js';
import {picture} from '../parts/picture.js';
import {setTitle} from '../parts/router.js';
import {loadScreen} from '../parts/screenLoading.js';
import {runBusy, showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../parts/router.js').Route} Route */

/**
 * The button that adds the set, and a function that stops its updates.
 * @param {API.Sale} sale
 * @returns {[HTMLButtonElement, () => void]}
 */
function setButton(sale) {
  /** @type {HTMLButtonElement} */
  const button = el('button.button.big', {
    type: 'button',
    onclick: () => button.getAttribute('aria-disabled') !== 'true' && runBusy(button, async () => {
      const needsChoice = sale.items.some((part) => part.menuItem.needsChoice);
      const items = needsChoice ? await (await loadDishSheet()).askForUnits(sale) : [];
      if (!items) return;
      await addSale(sale.id, items);
      showToast(t('{title} is in the basket.', sale));
    }, sale.title),
  });
  const isOut = sale.items.some(({menuItem}) => !isOrderable(menuItem));
  const draw = () => {
    const isIn = hasSale(sale.id);
    button.setAttribute('aria-disabled', String(isIn || isOut));
    button.textContent = isIn ? t('In the basket') : isOut ? unavailableText(...sale.items.map((part) => part.menuItem))
      : `${t('Add to basket')} · ${money(sale.total, sale)}`;
  };
  draw();
  return [button, basket.watch(draw)];
}

/** @param {HTMLElement} container @param {Route} route */
export function saleScreen(container, route) {
  const back = () => el('a.back', {href: '#/'}, icon('back'), t('Home'));
  const load = async () => {
    const sale = await read(`/v1/sales/${route.id}`);
    return () => {
      setTitle(sale.title, {silent: route.isFirst});
      const [button, end] = sale.kind === 'set' ? setButton(sale) : [null, null];
      const parts = el('ul.parts', {}, sale.items.map(({menuItem, quantity}) => el('li', {},
        picture(menuItem.imageURL, menuItem.title, {photograph: menuItem.photograph}),
        el('a', {href: `#/items/${menuItem.id}`}, `${quantity} × `, el('span', langOf(menuItem), menuItem.title),
          isServedLater(menuItem) ? `. ${unavailableText(menuItem)}` : null),
        prices(menuItem.currentPrice, menuItem.price, menuItem))));
      replaceChildren(container, back(), el('article.poster', {},
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
  const waiting = () =>
    replaceChildren(container, back(),
      el('div.poster', {}, el('header', {}, el('span.picture.wide.skeleton')), el('h1.unseen', {}, t('Sale'))));
  return loadScreen(container, route, waiting, load, {ofMenu: true});
}
