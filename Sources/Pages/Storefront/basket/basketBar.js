// The bar that stays in view while the basket has items: their number, the total and a link to the basket.

import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {t} from '../parts/translation.js';
import {basket, totalCount} from './basket.js';

/**
 * Shows the bar while the basket has items. The bar appears after 700 ms, because it may cover what the guest is
 * tapping.
 * @param {HTMLElement} container
 */
export function startBasketBar(container) {
  const many = el('span');
  const sum = el('strong');
  let timer = 0;
  /** @param {boolean} isShown */
  function show(isShown) {
    container.hidden = !isShown;
    // base.css reserves space for the bar while this attribute is set.
    document.documentElement.toggleAttribute('data-bar', isShown);
  }
  container.append(el('a.button.big', {href: '#/basket'}, many, sum));
  basket.watch((currentBasket) => {
    clearTimeout(timer);
    if (totalCount() === 0) show(false);
    else if (container.hidden) timer = setTimeout(() => show(true), 700);
    many.textContent = t('Basket · {count}', {count: totalCount()});
    sum.textContent = currentBasket ? money(currentBasket.total, currentBasket) : '';
  });
}
