// The basket of this device: its id is kept here, everything else is the server's. Each change answers with the whole basket, and tabs
// hear of each other's changes. A change names the version that it is for, so that one whose answer was lost can't be made twice, or late:
// the basket is read again, and shows what became of it. Used by the cards, the basket screen and the checkout.

import {Problem, ask, post} from './api.js';
import {unitOf} from './chosen.js';
import {keep, kept, onOtherTab, signal} from './store.js';
import {t} from './words.js';

/** The priced basket as the server answered last; null before the first thing was put in. */
export const basket = signal(null);

const id = () => kept('basket');
const path = (rest = '') => `/v1/baskets/${id()}${rest}`;
/** So many of a dish in a line. */
export const most = 99;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
let last = Promise.resolve();
/** The entity tag of `basket`. */
let tag = null;
/** What was tapped and is not made yet: by dish, how many more. */
const taps = new Map();

/** One change after the other, so that an answer never overtakes a newer one. */
function inTurn(work) {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}

/** A basket as it may lie on the device: what its guest asks the kitchen for does not. */
const withoutNotes = (body) => ({...body, lines: body.lines.map(noteless), sales: body.sales.map((sale) => ({...sale, items: sale.items.map(noteless)}))});
const noteless = (line) => ({...line, note: null});

function hold({body, headers}) {
  // Another tab may have begun a new basket since this was asked for.
  if (body.id !== id()) return undefined;
  if (body.state === 'ordered') return forget(body.id);
  // A proxy that compresses marks the tag as weak, which no change is made for; the text is the same.
  tag = headers.get('ETag')?.replace(/^W\//, '') ?? null;
  keep('basketSeen', withoutNotes(body));
  basket.set(body);
  return undefined;
}

/** The other tabs' storage event; the version makes each write a change. */
const tellOtherTabs = () => basket.value && keep('basketVersion', `${basket.value.id} ${basket.value.version}`);

/** Lets go of a basket that was ordered or is gone. A newer basket that was begun meanwhile, in another tab too, stays. */
export function forget(which) {
  if (!id() || id() === which) for (const name of ['basket', 'basketVersion', 'basketSeen']) keep(name, null);
  else if (basket.value?.id === id()) return;
  tag = null;
  basket.set(null);
}

/** Reads the basket; a gone or ordered one is let go. */
async function look() {
  const asked = id();
  if (!asked) return basket.value && forget(basket.value.id);
  const isHeld = tag && basket.value?.id === asked;
  try {
    const answer = await ask('GET', path(), {headers: isHeld ? {'If-None-Match': tag} : {}});
    if (answer.status !== 304) hold(answer);
  } catch (problem) {
    if (problem.code !== 'basket_not_found') {
      // As it was last seen on this device: to look at, for a change asks first.
      const seen = kept('basketSeen');
      if (problem.passes && !basket.value && seen?.id === id()) basket.set(seen);
      throw problem;
    }
    forget(asked);
  }
  return undefined;
}

let rereading = 0;

/** Reads the basket again, after the changes that are under way. A basket that was never read is read again by itself. */
export const refresh = () => inTurn(look).catch((problem) => {
  clearTimeout(rereading);
  if (problem.passes && !tag && navigator.onLine !== false) {
    rereading = setTimeout(() => refresh().catch(() => {}), Math.max(problem.retryAfter, 3) * 1_000);
  }
  throw problem;
});

const isGone = (problem) => problem.code === 'basket_not_found' || problem.code === 'basket_already_ordered';

/** Makes the changes that `plan` asks for, until it asks for none: {method, rest, body, made, lost}, judged by the basket as it is then. */
async function carryOut(plan) {
  const began = Date.now();
  for (let lost = 0, refused = 0; ;) {
    let change = null, asked = id();
    try {
      if (id() && (basket.value?.id !== id() || !tag)) await look();
      while ((change = plan(basket.value))) {
        if (!id()) {
          const made = await post('/v1/baskets');
          keep('basket', made.body.id);
          asked = id();
          hold(made);
        }
        const answer = await ask(change.method, path(change.rest), {body: change.body, headers: tag ? {'If-Match': tag} : {}});
        change.made?.();
        hold(answer);
        tellOtherTabs();
        change = null;
      }
      return;
    } catch (problem) {
      const isOld = isGone(problem) || problem.status === 412;
      if (problem.code === undefined || !(isOld || problem.passes)) throw problem;
      if (problem.passes) change?.lost?.();
      [lost, refused] = isOld ? [lost, refused + 1] : [lost + 1, refused];
      if (isGone(problem)) forget(asked);
      else {
        const rest = isOld ? 0 : Math.max(problem.retryAfter * 1_000, 500 * lost);
        // Who taps waits some seconds for a word, and not longer.
        if (Date.now() - began + rest > 4_000) lost = 3;
        if (lost < 3) await pause(rest);
        // Whether it was made, the basket tells.
        await look().catch(() => {});
      }
      if ((lost === 3 || refused === 5) && plan(basket.value)) throw problem;
    }
  }
}

/** One change, unless the basket shows that there is nothing to do any more. */
function once(method, rest, {body, isDone}) {
  let wasMade = false;
  return inTurn(() => carryOut((now) => (wasMade || isDone(now) ? null : {method, rest, body, made: () => { wasMade = true; }})));
}

const among = (quantity, has) => Math.min(Math.max(most, has), Math.max(0, quantity));
/** A dish is an item with its note for the kitchen and what was chosen with it: {menuItemId, note, options}, the note null or left out where there
 *  is none. Without options it is the item as it comes, which may be any of its lines: they are counted together. */
const keyOf = (dish) => `${dish.menuItemId} ${JSON.stringify(unitOf(dish))}`;
const isLineOf = (dish) => (line) => keyOf(dish.options ? {...line, options: line.options ?? []} : {...line, options: undefined}) === keyOf(dish);
const lineOf = (now, dish) => now?.lines.find(isLineOf(dish));
const inBasket = (now, dish) => (now?.lines ?? []).filter(isLineOf(dish)).reduce((sum, {quantity}) => sum + quantity, 0);

/** The line of a dish, as the server has it; nothing where there is none. */
export const heldLine = (dish) => lineOf(basket.value, dish);
/** So many of a dish as the guest has tapped, the basket's and what is on its way. */
export const quantityOf = (dish) => inBasket(basket.value, dish) + (taps.get(keyOf(dish))?.more ?? 0);
/** The same of everything. */
export const totalCount = () => (basket.value?.totalCount ?? 0) + [...taps.values()].reduce((sum, {more}) => sum + more, 0);
/** How many of an item there are for one line, or for another one: what is left of it without what the basket's other lines and its sets hold. */
export const roomFor = ({id, left}, mine = 0) => {
  const held = [...basket.value?.lines ?? [], ...(basket.value?.sales ?? []).flatMap((sale) => sale.items)]
    .reduce((sum, one) => sum + (one.menuItemId === id ? one.quantity : 0), 0);
  const tapped = [...taps].reduce((sum, [key, {more}]) => sum + (key.startsWith(`${id} `) ? more : 0), 0);
  return Math.min(most, (left ?? most * most) - held - tapped + mine);
};
/** Whether what was tapped is on its way. */
export const isTapped = (dish) => (dish === undefined ? taps.size > 0 : taps.has(keyOf(dish)));

/** So many more of a dish, or fewer; at zero its line is gone. Each tap counts: those that come while another is on its way go with the next.
 *  Resolves when the basket is as it was tapped; where that can't be, the basket is as the server says. */
export function addDish(dish, quantity = 1) {
  const key = keyOf(dish);
  const entry = taps.get(key) ?? {more: 0, had: 0, lost: new Set(), lostTag: null, done: null};
  const inIt = inBasket(basket.value, dish);
  entry.more = among(quantityOf(dish) + quantity, inIt) - inIt;
  if (!entry.done) {
    taps.set(key, entry);
    entry.done = inTurn(() => carryOut((now) => nextTaps(now, dish, entry))).finally(() => {
      taps.delete(key);
      basket.set(basket.value);
    });
  }
  basket.set(basket.value);
  return entry.done;
}

/** The next change on the way to what was tapped. */
function nextTaps(now, dish, entry) {
  const has = inBasket(now, dish);
  if (entry.lost.size && tag !== entry.lostTag) {
    // Somebody has changed the basket since an answer was lost: that change, or somebody else while that one was not made and never will be.
    if (entry.lost.has(has)) entry.more -= has - entry.had;
    else if (has !== entry.had) entry.more = 0;
    entry.lost.clear();
  }
  const wanted = among(has + entry.more, has);
  if (wanted === has) return null;
  const next = wanted > has || wanted === 0 ? wanted : has - 1;
  return {
    ...next > has ? {method: 'POST', rest: '/items', body: {...unitOf(dish), quantity: next - has}}
      : next === 0 ? {method: 'DELETE', rest: `/lines/${lineOf(now, dish).lineId}`}
        : {method: 'POST', rest: `/lines/${lineOf(now, dish).lineId}/decrement`},
    made: () => {
      entry.more -= next - has;
      entry.lost.clear();
    },
    lost: () => {
      entry.lost.add(next);
      [entry.had, entry.lostTag] = [has, tag];
    },
  };
}

/** Takes the line away, whatever is in it. */
export const removeDish = (dish) => addDish(dish, -most);

/** Another quantity, other options, another note or none: null. A line that is then like another joins the one that was there first, so that a change
 *  whose answer was lost is sent again for the same version alone: for another one it would be made of what it has made. */
export function changeLine(lineId, changes) {
  let isWanted = null, sentFor = null, wasMade = false;
  return inTurn(async () => {
    // The tag moves with the menu and what is left of it too. What can't be read now is told by the change itself.
    await look().catch(() => {});
    return carryOut((now) => {
      if (wasMade || isWanted?.(now)) return null;
      if (!now || (isWanted && tag !== sentFor)) {
        throw new Problem(409, 'basket_changed', t('Your basket has changed in the meantime. Your choices are still here: please check them and save again.'));
      }
      [isWanted, sentFor] = [changedLine(now, lineId, changes), tag];
      return {method: 'PATCH', rest: `/lines/${lineId}`, body: changes, made: () => { wasMade = true; }};
    });
  });
}

/** Whether a basket is what the change makes of this one. */
function changedLine(now, lineId, changes) {
  const line = now.lines.find((one) => one.lineId === lineId);
  if (!line) return () => false;
  const wanted = keyOf({options: [], ...line, ...changes});
  const alike = (lines) => lines.filter((one) => keyOf({options: [], ...one}) === wanted);
  const others = alike(now.lines).filter((one) => one !== line);
  const id = Math.min(lineId, ...others.map((one) => one.lineId));
  const quantity = others.reduce((sum, one) => sum + one.quantity, changes.quantity ?? line.quantity);
  return (then) => alike(then?.lines ?? []).some((one) => one.lineId === id && one.quantity === quantity);
}

/** A sale's set that is in it, and whether there is one. */
export const heldSale = (sale, now = basket.value) => now?.sales.find((one) => one.salesGroupId === sale);
export const holdsSale = (sale, now = basket.value) => Boolean(heldSale(sale, now));
/** Adds a sale's set; `items` are the dishes of those of its units that are not as they come. */
export const addSale = (salesGroupId, items = []) => once('POST', '/sales', {body: {salesGroupId, items}, isDone: (now) => holdsSale(salesGroupId, now)});
/** The same of a set that is in it. */
export const changeSale = (sale, items) => once('PUT', `/sales/${sale}`, {body: {items}, isDone: (now) => !holdsSale(sale, now)});
/** Takes a set out. */
export const removeSale = (sale) => once('DELETE', `/sales/${sale}`, {isDone: (now) => !holdsSale(sale, now)});
const inSet = (sale, item, now) => Boolean(heldSale(sale, now)?.items.some((one) => one.menuItemId === item));
/** Takes one item out of a set. */
export const removeSaleItem = (sale, item) =>
  once('DELETE', `/sales/${sale}/items/${item}`, {isDone: (now) => !inSet(sale, item, now)});
/** Empties the basket. */
export const clearBasket = () => once('DELETE', '/items', {isDone: (now) => !now?.totalCount});

/** Follows the other tabs: at once by the storage event, and again when this one is looked at. */
export function startBasket() {
  const quietly = () => refresh().catch(() => {});
  onOtherTab('basketVersion', quietly);
  onOtherTab('basket', quietly);
  addEventListener('focus', quietly);
  addEventListener('online', quietly);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && quietly());
  return quietly();
}
