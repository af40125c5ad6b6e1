// The orders of the staff page. It reads the whole list when events may have been missed. It reads single orders that
// were placed or changed on this page, in SQL or on another server.

import {Problem} from '../parts/api.js';
import {announce} from '../parts/dom.js';
import {byPlacedAt, serverNow} from '../parts/serverClock.js';
import {signal} from '../parts/signal.js';
import {sleep} from '../parts/sleep.js';
import {postAsStaff, readAsStaff} from './authentication.js';
import {monitorReads, reportStreamState, retryDelay} from './connectionBanner.js';
import {subscribeToStaffEvents} from './staffEvents.js';

/**
 * @typedef {object} BoardSnapshot
 * @property {API.Order[]} open The oldest first.
 * @property {API.Order[]} closed The newest first.
 * @property {boolean} isComplete Whether `open` has all open orders.
 * @property {boolean} [isOwnChange] Whether this page caused the last change.
 * @property {API.Order[]} [changed] The orders that were read last; absent after a read of the list.
 */
/** @typedef {'accept' | 'advance' | 'back' | 'delay' | 'deliver' | 'reject'} OrderAction */
/** @typedef {import('../parts/formField.js').FormField['value']} FieldValue */

/** The orders of the board; null before the first list. */
export const boardOrders = signal(/** @type {BoardSnapshot | null} */ (null));

/** How many open and how many closed orders are shown. */
const limits = {open: 300, closed: 20};
/** @type {(number: string) => `/v1/staff/orders/${string}`} */
const pathOf = (number) => `/v1/staff/orders/${number}`;

const reads = monitorReads('orders');

/**
 * The numbers of the orders to read; `all` stands for the list.
 * @type {Set<string>}
 */
let pendingReads = new Set();
let isReading = false;
/**
 * The numbers of the orders for which a request of this page is running.
 * @type {Set<string>}
 */
const activeRequests = new Set();

async function loadList() {
  /** @type {API.Order[]} */
  const open = [];
  let cursor = '';
  do {
    const query = `open=true&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await readAsStaff(`/v1/staff/orders?${query}`);
    open.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor && open.length < limits.open);
  const closed = await readAsStaff(`/v1/staff/orders?open=false&limit=${limits.closed}`);
  boardOrders.set({open: open.reverse(), closed: closed.items, isComplete: !cursor});
}

/**
 * Replaces orders in the snapshot with newer states.
 * @param {API.Order[]} changed
 * @param {boolean} [isOwnChange]
 */
function merge(changed, isOwnChange = false) {
  const numbers = new Set(changed.map(({number}) => number));
  /** @param {API.Order[]} list */
  const others = (list) => list.filter(({number}) => !numbers.has(number));
  const snapshot = boardOrders.value;
  if (!snapshot) return;
  /** @param {API.Order} order */
  const isOpen = ({actions}) => actions.length > 0;
  const closed = [...others(snapshot.closed), ...changed.filter((order) => !isOpen(order))];
  boardOrders.set({
    ...snapshot, isOwnChange, changed,
    open: [...others(snapshot.open), ...changed.filter(isOpen)].sort(byPlacedAt),
    closed: closed.sort((one, other) => byPlacedAt(other, one)).slice(0, limits.closed),
  });
}

/** Reads the pending orders together, so that they are drawn once; more than eight are read as the list. */
async function readPending() {
  if (isReading) return;
  isReading = true;
  reads.begin();
  try {
    while (pendingReads.size) {
      const numbers = pendingReads;
      pendingReads = new Set();
      try {
        if (numbers.has('all') || numbers.size > 8 || !boardOrders.value) await loadList();
        else {
          // The stream may report a change of this page before the response arrives.
          const isOwnChange = [...numbers].every((number) => activeRequests.has(number));
          merge(await Promise.all([...numbers].map((number) => readAsStaff(pathOf(number)))), isOwnChange);
        }
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.status === 404 && !numbers.has('all')) {
          // One of several orders does not exist; the list has the others.
          if (numbers.size > 1) pendingReads.add('all');
          continue;
        }
        for (const number of numbers) pendingReads.add(number);
        reads.end(false);
        await sleep(retryDelay);
      }
    }
  } finally {
    isReading = false;
  }
  reads.end(true);
}

/** @param {string} number */
function readOrder(number) {
  pendingReads.add(number);
  void readPending();
}

/** Loads the list again because the acceptance deadlines may have changed. Does nothing before the first list. */
export const reloadOrders = () => boardOrders.value && readOrder('all');

/**
 * Posts an action for an order and shows the result. A rejected action is thrown, and the order is read again.
 * @param {string} number
 * @param {OrderAction} action
 * @param {unknown} [body]
 */
async function postAction(number, action, body) {
  activeRequests.add(number);
  try {
    merge([await postAsStaff(`${pathOf(number)}/${action}`, body)], true);
  } catch (problem) {
    // The order's state rejected the action, or the outcome is unknown: reads the order.
    if (problem instanceof Problem && (problem.status === 409 || problem.status === 404 || problem.isTransient)) {
      readOrder(number);
    }
    throw problem;
  } finally {
    activeRequests.delete(number);
  }
}

/**
 * Moves an order to a state. `details` can have the minutes until an accepted order is ready. For `undoTime` the step
 * can be undone.
 * @param {string} number
 * @param {API.OrderState} state
 * @param {{minutes?: number}} [details]
 */
export async function advanceOrder(number, state, details = {}) {
  const sentAt = serverNow();
  if (state !== 'delivered' && state !== 'rejected') undos.set(number, {state, until: sentAt + undoTime});
  else undos.delete(number);
  try {
    await (state === 'accepted'
      ? postAction(number, 'accept', details) : postAction(number, 'advance', {state, ...details}));
  } catch (problem) {
    // Without a response the step may have been executed. availableUndo offers to undo it once the order is in that
    // state.
    if (!isTransient(problem)) undos.delete(number);
    throw problem;
  }
}

/**
 * Requests a rejection. The server executes it ten seconds later.
 * @param {string} number
 * @param {{reason: FieldValue, foodIsWasted?: FieldValue}} body
 */
export const rejectOrder = (number, body) => postAction(number, 'reject', body);

/**
 * Requests a delivery. The server executes it ten seconds later.
 * @param {string} number
 */
export const deliverOrder = (number) => postAction(number, 'deliver');

/**
 * Withdraws the pending step of an order, even if another member requested it.
 * @param {API.Order} order
 */
export const withdrawPendingStep = ({number, pendingStep}) => postAction(number, 'back', {state: pendingStep?.state});

/** How long a step can be undone: the ten seconds of the server, less 300 ms for the request. */
const undoTime = 9_700;
/**
 * The steps of this page by order number.
 * @type {Map<string, {state: API.OrderState, until: number}>}
 */
const undos = new Map();

/** @param {unknown} problem */
const isTransient = (problem) => problem instanceof Problem && problem.isTransient;

/**
 * The step of this page that can be undone; null without one.
 * @param {API.Order} order
 */
export const availableUndo = ({number, state}) => {
  const undo = undos.get(number);
  return undo && undo.state === state && undo.until > serverNow() ? undo : null;
};

/**
 * Undoes the last step, if it led to this state.
 * @param {string} number
 * @param {API.OrderState} [state]
 */
export async function undoStep(number, state = undos.get(number)?.state) {
  try {
    await postAction(number, 'back', {state});
    undos.delete(number);
  } catch (problem) {
    if (!isTransient(problem)) undos.delete(number);
    throw problem;
  }
}

/**
 * Delays an order by so many minutes.
 * @param {string} number
 * @param {number} minutes
 * @param {FieldValue} reason
 */
export const delayOrder = (number, minutes, reason) => postAction(number, 'delay', {minutes, reason});

/** The maximum number of results on a page of a search. */
const maximumResults = 20;

/**
 * Sorts orders and removes duplicates, of which the last one stays.
 * @param {API.Order[]} orders
 */
export function newestFirst(orders) {
  const distinct = new Map(orders.map((order) => [order.number, order]));
  return [...distinct.values()].sort((one, other) => byPlacedAt(other, one));
}

/**
 * Searches orders, page by page: {items: newest first, nextCursor: null on the last page}. By a name, the server
 * examines 1,000 orders for a page, which may be empty. The first page also has open orders of any age.
 * @param {string} words
 * @param {string | null} [cursor]
 */
export async function searchOrders(words, cursor = null) {
  const query = `limit=${maximumResults}&q=${encodeURIComponent(words)}`;
  if (cursor) return readAsStaff(`/v1/staff/orders?${query}&cursor=${encodeURIComponent(cursor)}`);
  const [open, {items, nextCursor}] = await Promise.all([
    readAsStaff(`/v1/staff/orders?${query}&open=true`), readAsStaff(`/v1/staff/orders?${query}`)]);
  return {items: newestFirst([...open.items, ...items]), nextCursor};
}

/** Subscribes to the events of orders. */
export function startBoardOrders() {
  reads.begin();
  subscribeToStaffEvents({
    onEvent: (name, event) => {
      if (name === 'list_changed') return readOrder('all');
      if (name === 'placed') announce(`A new order, ${event.number}.`);
      return name === 'placed' || name === 'moved' ? readOrder(event.number) : undefined;
    },
    onLive: reportStreamState,
  });
}
