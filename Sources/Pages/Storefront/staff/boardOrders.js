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
 * A snapshot: {open, closed, isComplete, isOwnChange, changed}; null before the first list. `open` is sorted oldest
 * first, `closed` newest first. `isComplete`: `open` has all open orders. `isOwnChange`: this page caused the last
 * change. `changed`: the orders that were read last, absent after a read of the list.
 */
export const boardOrders = signal(null);

/** How many open and how many closed orders are shown. */
const limits = {open: 300, closed: 20};
const pathOf = (number) => `/v1/staff/orders/${number}`;

const reads = monitorReads('orders');

/** The numbers of the orders to read; `all` stands for the list. */
let pendingReads = new Set();
let isReading = false;
/** The numbers of the orders for which a request of this page is running. */
const activeRequests = new Set();

async function loadList() {
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

/** Replaces orders in the snapshot with newer states. */
function merge(changed, isOwnChange = false) {
  const numbers = new Set(changed.map(({number}) => number));
  const others = (list) => list.filter(({number}) => !numbers.has(number));
  const snapshot = boardOrders.value;
  if (!snapshot) return;
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

function readOrder(number) {
  pendingReads.add(number);
  void readPending();
}

/** Loads the list again because the acceptance deadlines may have changed. Does nothing before the first list. */
export const reloadOrders = () => boardOrders.value && readOrder('all');

/** Posts an action for an order and shows the result. A rejected action is thrown, and the order is read again. */
async function postAction(number, action, body) {
  activeRequests.add(number);
  try {
    merge([await postAsStaff(`${pathOf(number)}/${action}`, body)], true);
  } catch (problem) {
    // The order's state rejected the action, or the outcome is unknown: reads the order.
    if (problem.status === 409 || problem.status === 404 || problem.isTransient) readOrder(number);
    throw problem;
  } finally {
    activeRequests.delete(number);
  }
}

/**
 * Moves an order to a state. `details` can have the minutes until an accepted order is ready. For `undoTime` the step
 * can be undone.
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
    if (!problem.isTransient) undos.delete(number);
    throw problem;
  }
}

/** Requests a rejection, with the reason in `body`, or a delivery. The server executes the step ten seconds later. */
export const rejectOrder = (number, body) => postAction(number, 'reject', body);
export const deliverOrder = (number) => postAction(number, 'deliver');

/** Withdraws the pending step of an order, even if another member requested it. */
export const withdrawPendingStep = ({number, pendingStep}) => postAction(number, 'back', {state: pendingStep.state});

/** How long a step can be undone: the ten seconds of the server, less 300 ms for the request. */
const undoTime = 9_700;
const undos = new Map();

/** The step of this page that can be undone, {state, until}; null without one. */
export const availableUndo = ({number, state}) => {
  const undo = undos.get(number);
  return undo && undo.state === state && undo.until > serverNow() ? undo : null;
};

/** Undoes the last step, if it led to this state. */
export async function undoStep(number, state = undos.get(number)?.state) {
  try {
    await postAction(number, 'back', {state});
    undos.delete(number);
  } catch (problem) {
    if (!problem.isTransient) undos.delete(number);
    throw problem;
  }
}

/** Delays an order by so many minutes. */
export const delayOrder = (number, minutes, reason) => postAction(number, 'delay', {minutes, reason});

/**
 * The maximum number of results of a search, and of pages that it reads. The server searches 10,000 orders for a page,
 * so a page may be short or empty.
 */
const [maximumResults, maximumPages] = [20, 5];

/**
 * Searches open and closed orders: {items: newest first, isComplete: whether no other orders match}. Ends early when
 * `isCurrent` returns false.
 */
export async function searchOrders(words, isCurrent) {
  const items = [];
  let cursor = '';
  const needsPage = (page) => page < maximumPages && (page === 0 || cursor) && items.length < maximumResults;
  for (let page = 0; needsPage(page) && isCurrent(); page += 1) {
    const path = `/v1/staff/orders?limit=${maximumResults}&q=${encodeURIComponent(words)}`;
    const results = await readAsStaff(cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path);
    items.push(...results.items);
    cursor = results.nextCursor ?? '';
  }
  return {items, isComplete: !cursor};
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
