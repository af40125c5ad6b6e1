// The basket of this device. Only its id is stored here; the server has everything else and answers each change with
// the whole basket. If-Match names the entity tag that a change is for, so a change whose response was lost is not
// applied twice: the server rejects it, and the basket is read again.

import {dishRequest} from '../dish/dishRequest.js';
import {withoutTexts} from '../dish/dishTexts.js';
import {post, Problem, request} from '../parts/api.js';
import {required} from '../parts/required.js';
import {signal} from '../parts/signal.js';
import {sleep} from '../parts/sleep.js';
import {loadValue, onChangeInOtherTab, saveValue} from '../parts/storage.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../dish/dishRequest.js').Dish} Dish */
/** @typedef {API.Basket['sales'][number]} BasketSet */
/** @typedef {Partial<API.ChosenUnit> & {quantity?: number}} LineChanges */
/**
 * A change of the basket.
 * @typedef {object} Change
 * @property {string} method
 * @property {string} rest
 * @property {unknown} [body]
 * @property {() => void} [onApplied]
 * @property {() => void} [onLost] Its outcome is unknown.
 */
/**
 * @typedef {object} Tap
 * @property {number} more
 * @property {number} hadQuantity
 * @property {Set<number>} lostQuantities
 * @property {string | null} lostTag
 * @property {Promise<void> | null} done
 */

/** The priced basket as the server answered last; null before the first item is added. */
export const basket = signal(/** @type {API.Basket | null} */ (null));

const basketId = () => loadValue('basket');
/** @param {string} [rest] */
const basketPath = (rest = '') => `/v1/baskets/${basketId()}${rest}`;
/** The maximum quantity of a line. */
export const lineLimit = 99;
/** @type {Promise<unknown>} */
let queue = Promise.resolve();
/**
 * The entity tag of `basket`.
 * @type {string | null}
 */
let entityTag = null;
/**
 * The taps that the server has not confirmed yet, by dish key. `more` is the quantity to add.
 * @type {Map<string, Tap>}
 */
const pendingTaps = new Map();

/**
 * Runs reads and changes one after another, so that an older response never replaces a newer one.
 * @template Value
 * @param {() => Promise<Value>} action
 */
function enqueue(action) {
  const turn = queue.then(action, action);
  queue = turn.catch(() => {});
  return turn;
}

/**
 * A copy without the guest's texts, safe to keep in local storage.
 * @param {API.Basket} body
 */
const storableBasket = (body) =>
  ({...body, lines: body.lines.map(withoutTexts),
    sales: body.sales.map((sale) => ({...sale, items: sale.items.map(withoutTexts)}))});

/** @param {{body: API.Basket, headers: Headers}} answer */
function adopt({body, headers}) {
  // Another tab may have started a new basket since the request was sent.
  if (body.id !== basketId()) return undefined;
  if (body.state === 'ordered') return forgetBasket(body.id);
  // A proxy that compresses makes the tag weak, and If-Match needs a strong one. The value is the same.
  entityTag = headers.get('ETag')?.replace(/^W\//, '') ?? null;
  saveValue('basketSeen', storableBasket(body));
  basket.set(body);
  return undefined;
}

/**
 * Notifies the other tabs by a storage event. Browsers send such an event only for a new value, so the value contains
 * the version.
 */
const notifyOtherTabs = () => basket.value && saveValue('basketVersion', `${basket.value.id} ${basket.value.version}`);

/**
 * Forgets a basket that was ordered or deleted. A newer basket stays, even if another tab has started it.
 * @param {string} forgottenId
 */
export function forgetBasket(forgottenId) {
  if (!basketId() || basketId() === forgottenId) for (const name of ['basket', 'basketVersion', 'basketSeen']) {
    saveValue(name, null);
  }
  else if (basket.value?.id === basketId()) return;
  entityTag = null;
  basket.set(null);
}

/** Reads the basket. Forgets it if it was ordered or deleted. */
async function readBasket() {
  const requestedId = basketId();
  if (!requestedId) return basket.value && forgetBasket(basket.value.id);
  const heldTag = basket.value?.id === requestedId ? entityTag : null;
  try {
    const answer = await request('GET', `/v1/baskets/${requestedId}`,
      {headers: heldTag ? {'If-None-Match': heldTag} : {}});
    if (answer.status !== 304) adopt(answer);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.code !== 'basket_not_found') {
      // Shows the last known copy. It is only for display: every change reads the basket first.
      const seen = loadValue('basketSeen');
      if (problem.isTransient && !basket.value && seen?.id === basketId()) basket.set(seen);
      throw problem;
    }
    forgetBasket(requestedId);
  }
  return undefined;
}

let rereading = 0;

/** Reads the basket again, after the pending changes. Retries by itself until the basket has been read once. */
export const refreshBasket = () => enqueue(readBasket).catch((problem) => {
  clearTimeout(rereading);
  if (problem.isTransient && !entityTag && navigator.onLine !== false) {
    rereading = setTimeout(() => refreshBasket().catch(() => {}), Math.max(problem.retryAfter, 3) * 1_000);
  }
  throw problem;
});

/** @param {Problem} problem */
const isGone = (problem) => problem.code === 'basket_not_found' || problem.code === 'basket_already_ordered';

/**
 * `plan` gets the current basket and returns the next change, or null if none is left. Applies the changes in turn. A
 * change is {method, rest, body, onApplied, onLost}; `onLost` means that its outcome is unknown.
 * @param {(current: API.Basket | null) => Change | null} plan
 * @returns {Promise<void>}
 */
async function applyChanges(plan) {
  const began = Date.now();
  for (let failures = 0, conflicts = 0; ;) {
    /** @type {Change | null} */
    let change = null;
    let requestedId = basketId();
    try {
      if (basketId() && (basket.value?.id !== basketId() || !entityTag)) await readBasket();
      while ((change = plan(basket.value))) {
        if (!basketId()) {
          const created = await post('/v1/baskets');
          saveValue('basket', created.body.id);
          requestedId = basketId();
          adopt(created);
        }
        const answer = await request(change.method, basketPath(change.rest),
          {body: change.body, headers: entityTag ? {'If-Match': entityTag} : {}});
        change.onApplied?.();
        // Each change answers with the basket.
        adopt({headers: answer.headers, body: /** @type {API.Basket} */ (answer.body)});
        notifyOtherTabs();
        change = null;
      }
      return;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const isOutdated = isGone(problem) || problem.status === 412;
      if (!(isOutdated || problem.isTransient)) throw problem;
      if (problem.isTransient) change?.onLost?.();
      [failures, conflicts] = isOutdated ? [failures, conflicts + 1] : [failures + 1, conflicts];
      if (isGone(problem)) forgetBasket(requestedId);
      else {
        const rest = isOutdated ? 0 : Math.max(problem.retryAfter * 1_000, 500 * failures);
        // Stops retrying after four seconds, because the guest is waiting for the answer.
        if (Date.now() - began + rest > 4_000) failures = 3;
        if (failures < 3) await sleep(rest);
        // Reads the basket, because only the basket tells whether the lost change was applied.
        await readBasket().catch(() => {});
      }
      if ((failures === 3 || conflicts === 5) && plan(basket.value)) throw problem;
    }
  }
}

/**
 * Applies one change, unless the basket shows that it is not needed any more.
 * @param {string} method
 * @param {string} rest
 * @param {{body?: unknown, isDone: (current: API.Basket | null) => boolean}} change
 */
function applyOnce(method, rest, {body, isDone}) {
  let wasMade = false;
  return enqueue(() =>
    applyChanges((current) => (wasMade || isDone(current) ? null
      : {method, rest, body, onApplied: () => { wasMade = true; }})));
}

/** @param {number} quantity @param {number} has */
const clampQuantity = (quantity, has) => Math.min(Math.max(lineLimit, has), Math.max(0, quantity));
/**
 * The key of a dish: {menuItemId, options} and its texts, which may be null or missing. A dish without `options` stands
 * for all lines of its item that have the same texts.
 * @param {Dish} dish
 */
const dishKey = (dish) => `${dish.menuItemId} ${JSON.stringify(dishRequest(dish))}`;
/** @param {Dish} dish */
const isLineOf = (dish) =>
  (/** @type {Dish} */ line) => dishKey(dish.options ? {...line, options: line.options ?? []}
    : {...line, options: undefined}) === dishKey(dish);
/** @param {API.Basket | null} current @param {Dish} dish */
const findLine = (current, dish) => current?.lines.find(isLineOf(dish));
/** @param {API.Basket | null} current @param {Dish} dish */
const countInBasket = (current, dish) => (current?.lines ?? []).filter(isLineOf(dish))
  .reduce((sum, {quantity}) => sum + quantity, 0);

/**
 * The line of a dish, as the server has it, or undefined.
 * @param {Dish} dish
 */
export const basketLine = (dish) => findLine(basket.value, dish);
/**
 * The quantity of a dish, with the taps that are still pending.
 * @param {Dish} dish
 */
export const quantityOf = (dish) => countInBasket(basket.value, dish) + (pendingTaps.get(dishKey(dish))?.more ?? 0);
/** The number of all items, with the taps that are still pending. */
export const totalCount = () => (basket.value?.totalCount ?? 0)
  + [...pendingTaps.values()].reduce((sum, {more}) => sum + more, 0);
/**
 * How many units of an item can still be added while the rest of the basket stays. `ownQuantity` is the quantity of the
 * caller's own line.
 * @param {{id: number, left: number | null}} item
 * @param {number} [ownQuantity]
 */
export const remainingFor = ({id, left}, ownQuantity = 0) => {
  const held = [...basket.value?.lines ?? [], ...(basket.value?.sales ?? []).flatMap((sale) => sale.items)]
    .reduce((sum, line) => sum + (line.menuItemId === id ? line.quantity : 0), 0);
  const tapped = [...pendingTaps].reduce((sum, [key, {more}]) => sum + (key.startsWith(`${id} `) ? more : 0), 0);
  return Math.min(lineLimit, (left ?? lineLimit * lineLimit) - held - tapped + ownQuantity);
};
/**
 * Whether taps of this dish, or of any dish, are still pending.
 * @param {Dish} [dish]
 */
export const hasPendingTaps = (dish) => (dish === undefined ? pendingTaps.size > 0 : pendingTaps.has(dishKey(dish)));

/**
 * Adds a quantity of a dish; a negative quantity removes. Taps during a request are sent with the next one. Resolves
 * when the basket matches the taps. On failure the pending taps are dropped.
 * @param {Dish} dish
 * @param {number} [quantity]
 */
export function addDish(dish, quantity = 1) {
  const key = dishKey(dish);
  /** @type {Tap} */
  const entry = pendingTaps.get(key) ?? {more: 0, hadQuantity: 0, lostQuantities: new Set(), lostTag: null, done: null};
  const inBasket = countInBasket(basket.value, dish);
  entry.more = clampQuantity(quantityOf(dish) + quantity, inBasket) - inBasket;
  if (!entry.done) {
    pendingTaps.set(key, entry);
    entry.done = enqueue(() => applyChanges((current) => nextTapChange(current, dish, entry))).finally(() => {
      pendingTaps.delete(key);
      basket.set(basket.value);
    });
  }
  basket.set(basket.value);
  return entry.done;
}

/**
 * The next change towards the tapped quantity, or null if the basket has that quantity.
 * @param {API.Basket | null} current
 * @param {Dish} dish
 * @param {Tap} entry
 * @returns {Change | null}
 */
function nextTapChange(current, dish, entry) {
  const has = countInBasket(current, dish);
  if (entry.lostQuantities.size && entityTag !== entry.lostTag) {
    // The basket has changed since an answer was lost. Either the lost change was applied after all, or another change
    // came first. In the second case the server rejects the lost change.
    if (entry.lostQuantities.has(has)) entry.more -= has - entry.hadQuantity;
    else if (has !== entry.hadQuantity) entry.more = 0;
    entry.lostQuantities.clear();
  }
  const target = clampQuantity(has + entry.more, has);
  if (target === has) return null;
  const next = target > has || target === 0 ? target : has - 1;
  return {
    ...next > has ? {method: 'POST', rest: '/items', body: {...dishRequest(dish), quantity: next - has}}
      : next === 0 ? {method: 'DELETE', rest: `/lines/${required(findLine(current, dish)).lineId}`}
        : {method: 'POST', rest: `/lines/${required(findLine(current, dish)).lineId}/decrement`},
    onApplied: () => {
      entry.more -= next - has;
      entry.lostQuantities.clear();
    },
    onLost: () => {
      entry.lostQuantities.add(next);
      [entry.hadQuantity, entry.lostTag] = [has, entityTag];
    },
  };
}

/**
 * Removes the line of a dish.
 * @param {Dish} dish
 */
export const removeDish = (dish) => addDish(dish, -lineLimit);

/**
 * Changes the quantity, the options or the texts of a line. The server merges the line with an equal line. A lost
 * change is therefore retried only for the same entity tag: later it could change the merged line.
 * @param {number} lineId
 * @param {LineChanges} changes
 */
export function changeLine(lineId, changes) {
  /** @type {((current: API.Basket | null) => boolean) | null} */
  let isApplied = null;
  /** @type {string | null} */
  let sentFor = null;
  let wasMade = false;
  return enqueue(async () => {
    // Reads the basket first, because its entity tag also changes with the menu and the stock. If this read fails, the
    // change itself reports the reason.
    await readBasket().catch(() => {});
    return applyChanges((current) => {
      if (wasMade || isApplied?.(current)) return null;
      if (!current || (isApplied && entityTag !== sentFor)) {
        throw new Problem(409, 'basket_changed',
          t('Your basket has changed in the meantime. Your choices are still here: please check them and save again.'));
      }
      [isApplied, sentFor] = [changeResult(current, lineId, changes), entityTag];
      return {method: 'PATCH', rest: `/lines/${lineId}`, body: changes, onApplied: () => { wasMade = true; }};
    });
  });
}

/**
 * Returns a test that tells whether a later basket is the result of this change.
 * @param {API.Basket} current
 * @param {number} lineId
 * @param {LineChanges} changes
 */
function changeResult(current, lineId, changes) {
  const line = current.lines.find((entry) => entry.lineId === lineId);
  if (!line) return () => false;
  const changedKey = dishKey({...line, ...changes});
  /** @param {API.BasketLine[]} lines */
  const alike = (lines) => lines.filter((entry) => dishKey(entry) === changedKey);
  const others = alike(current.lines).filter((entry) => entry !== line);
  const id = Math.min(lineId, ...others.map((entry) => entry.lineId));
  const quantity = others.reduce((sum, entry) => sum + entry.quantity, changes.quantity ?? line.quantity);
  return (/** @type {API.Basket | null} */ then) => alike(then?.lines ?? [])
    .some((entry) => entry.lineId === id && entry.quantity === quantity);
}

/**
 * A sale's set in the basket, or undefined.
 * @param {number} sale
 * @param {API.Basket | null} [current]
 */
export const basketSale = (sale, current = basket.value) => current?.sales.find((entry) => entry.salesGroupId === sale);
/** @param {number} sale @param {API.Basket | null} [current] */
export const hasSale = (sale, current = basket.value) => Boolean(basketSale(sale, current));
/**
 * Adds a sale's set. `items` has only the units whose options differ from the defaults.
 * @param {number} salesGroupId
 * @param {API.ChosenUnit[]} [items]
 */
export const addSale = (salesGroupId, items = []) =>
  applyOnce('POST', '/sales', {body: {salesGroupId, items}, isDone: (current) => hasSale(salesGroupId, current)});
/**
 * Replaces the units of a set in the basket.
 * @param {number} sale
 * @param {API.ChosenUnit[]} items
 */
export const changeSale = (sale, items) =>
  applyOnce('PUT', `/sales/${sale}`, {body: {items}, isDone: (current) => !hasSale(sale, current)});
/**
 * Removes a set from the basket.
 * @param {number} sale
 */
export const removeSale = (sale) =>
  applyOnce('DELETE', `/sales/${sale}`, {isDone: (current) => !hasSale(sale, current)});
/** @param {number} sale @param {number} item @param {API.Basket | null} current */
const setHasItem = (sale, item, current) =>
  Boolean(basketSale(sale, current)?.items.some((entry) => entry.menuItemId === item));
/**
 * Removes one item from a set.
 * @param {number} sale
 * @param {number} item
 */
export const removeSaleItem = (sale, item) =>
  applyOnce('DELETE', `/sales/${sale}/items/${item}`, {isDone: (current) => !setHasItem(sale, item, current)});
/** Removes everything from the basket. */
export const clearBasket = () => applyOnce('DELETE', '/items', {isDone: (current) => !current?.totalCount});

/** Reads the basket when another tab changes it, and when this tab gets the focus or the network returns. */
export function startBasket() {
  const quietly = () => refreshBasket().catch(() => {});
  onChangeInOtherTab('basketVersion', quietly);
  onChangeInOtherTab('basket', quietly);
  addEventListener('focus', quietly);
  addEventListener('online', quietly);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && quietly());
  return quietly();
}
