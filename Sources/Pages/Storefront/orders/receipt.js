// The printed receipt of an order: an element that is visible only on paper.

import {dishList} from '../dish/dishList.js';
import {read} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {formatDateTime} from '../parts/timeFormat.js';
import {taxTitle, totalRows} from '../parts/totalRows.js';
import {t, translatedName} from '../parts/translation.js';

/** Removes the receipt from the document. */
export function removeReceipt() {
  document.querySelector('.receipt')?.remove();
  delete document.documentElement.dataset.receipt;
}

/**
 * Prints the receipt that the server has stored.
 * @param {`/v1/orders/${string}`} path
 * @param {string | null} token
 */
export async function printReceipt(path, token) {
  const {shop, order, taxes} = await read(`${path}/receipt`, {token});
  /** @param {string} name @param {number} amount */
  const row = (name, amount) => el('p', {}, el('span', {}, name), el('span', {}, money(amount, order)));
  const node = el('section.receipt', {},
    el('h2', {}, shop.title),
    [shop.address, shop.phone, shop.taxNumber && t('Tax number: {number}', {number: shop.taxNumber})]
      .map((text) => text && el('p', {}, text)),
    el('p', {}, t('Order {number}', order), ' · ', formatDateTime(order.placedAt)),
    dishList(order), totalRows(order),
    taxes.flatMap((tax) =>
      [el('h2', {}, taxTitle(tax)), row(t('Net'), tax.net), row(translatedName('tax', 'Tax'), tax.tax),
        row(t('Gross'), tax.gross)]));
  for (const element of node.querySelectorAll('[id]')) element.removeAttribute('id');
  removeReceipt();
  document.body.append(node);
  document.documentElement.dataset.receipt = '';
  window.print();
}
