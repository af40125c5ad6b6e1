// The bar that stays in view while something is in the basket: how much, what it costs, and the way there. Started by app.js.

import {basket, totalCount} from './basket.js';
import {el} from './dom.js';
import {money} from './money.js';
import {t} from './words.js';

/** Shows it in its place, which is hidden while the basket is empty. It comes when the first taps are over: it may lie where they were. */
export function startBar(place) {
  const many = el('span');
  const sum = el('strong');
  let timer = 0;
  function show(isShown) {
    place.hidden = !isShown;
    // For base.css, which makes room for the bar.
    document.documentElement.toggleAttribute('data-bar', isShown);
  }
  place.append(el('a.button.big', {href: '#/basket'}, many, sum));
  basket.watch((now) => {
    clearTimeout(timer);
    if (totalCount() === 0) show(false);
    else if (place.hidden) timer = setTimeout(() => show(true), 700);
    many.textContent = t('Basket · {count}', {count: totalCount()});
    sum.textContent = now ? money(now.total, now) : '';
  });
}
