// The basket of this device: its id is kept here, everything else is the server's. Each change answers with the whole basket, and tabs
// hear of each other's changes. Used by the cards, the basket screen and the checkout.

import {ask, post, read} from './api.js';
import {keep, kept, onOtherTab, signal} from './store.js';

/** The priced basket as the server answered last; null before the first thing was put in. */
export const basket = signal(null);

const id = () => kept('basket');
const path = (rest = '') => `/v1/baskets/${id()}${rest}`;
let last = Promise.resolve();

/** One change after the other, so that an answer never overtakes a newer one. */
function inTurn(work) {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}

function hold(answer) {
  if (answer.state === 'ordered') return forget();
  basket.set(answer);
  // The other tabs' storage event; the version makes each write a change.
  keep('basketVersion', `${answer.id} ${answer.version}`);
}

/** Lets go of the basket: it was ordered, or is gone. */
export function forget() {
  keep('basket', null);
  keep('basketVersion', null);
  basket.set(null);
}

/** Reads the basket again; a gone or ordered one is let go. */
export function refresh() {
  return inTurn(async () => {
    if (!id()) return basket.value && basket.set(null);
    try {
      const answer = await read(path());
      if (answer.state === 'ordered') forget();
      else basket.set(answer);
    } catch (problem) {
      if (problem.status === 404) forget();
      else throw problem;
    }
  });
}

async function change(method, rest, body) {
  return inTurn(async () => {
    for (let attempt = 0; ; attempt += 1) {
      if (!id()) {
        const made = await post('/v1/baskets');
        keep('basket', made.body.id);
      }
      try {
        const answer = await ask(method, path(rest), {body});
        return hold(answer.body);
      } catch (problem) {
        const isGone = problem.code === 'basket_not_found' || problem.code === 'basket_already_ordered';
        if (!isGone || attempt > 0) throw problem;
        forget();
        if (method === 'DELETE') return undefined;
      }
    }
  });
}

/** Adds so many of an item. */
export const addItem = (menuItemId, quantity = 1) => change('POST', '/items', {menuItemId, quantity});
/** One more. */
export const increment = (menuItemId) => change('POST', `/items/${menuItemId}/increment`);
/** One less; the last one takes the line away. */
export const decrement = (menuItemId) => change('POST', `/items/${menuItemId}/decrement`);
/** Takes the line away. */
export const removeItem = (menuItemId) => change('DELETE', `/items/${menuItemId}`);
/** Adds a sale's set. */
export const addSale = (salesGroupId) => change('POST', '/sales', {salesGroupId});
/** Takes a set out. */
export const removeSale = (salesGroupId) => change('DELETE', `/sales/${salesGroupId}`);
/** Empties the basket. */
export const clearBasket = () => change('DELETE', '/items');

/** Whether a sale's set is in it. */
export const holdsSale = (salesGroupId) => Boolean(basket.value?.sales.some((sale) => sale.salesGroupId === salesGroupId));

/** Follows the other tabs: at once by the storage event, and again when this one is looked at. */
export function startBasket() {
  const quietly = () => refresh().catch(() => {});
  onOtherTab('basketVersion', quietly);
  onOtherTab('basket', quietly);
  addEventListener('focus', quietly);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && quietly());
  return quietly();
}
