// The receipt of an order, for the printer: it lies behind the page, where only paper shows it. Loaded by the order's screen when it is asked for.

import {read} from './api.js';
import {dishList} from './chosen.js';
import {el} from './dom.js';
import {money} from './money.js';
import {taxOf, totalRows} from './totals.js';
import {dateAndTime} from './when.js';
import {named, t} from './words.js';

/** Takes the one away that lies there. */
export function clear() {
  document.querySelector('.receipt')?.remove();
  delete document.documentElement.dataset.receipt;
}

/** Prints what the shop has stored. */
export async function print(path, token) {
  const {shop, order, taxes} = await read(`${path}/receipt`, {token});
  const row = (name, amount) => el('p', {}, el('span', {}, name), el('span', {}, money(amount, order)));
  const node = el('section.receipt', {},
    el('h2', {}, shop.title), [shop.address, shop.phone, shop.taxNumber && t('Tax number: {number}', {number: shop.taxNumber})].map((text) => text && el('p', {}, text)),
    el('p', {}, t('Order {number}', order), ' · ', dateAndTime(order.placedAt)),
    dishList(order), totalRows(order),
    taxes.flatMap((tax) => [el('h2', {}, taxOf(tax)), row(t('Net'), tax.net), row(named('tax', 'Tax'), tax.tax), row(t('Gross'), tax.gross)]));
  for (const one of node.querySelectorAll('[id]')) one.removeAttribute('id');
  clear();
  document.body.append(node);
  document.documentElement.dataset.receipt = '';
  window.print();
}
