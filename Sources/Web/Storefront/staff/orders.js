// The orders that staff have to do with, as the server tells of them: the list whenever there may be more than was told, and one order
// whenever it was placed or moved, by this page, in SQL or on another server. Shown by board.js; figures.js looks again with each change.

import {byTime, now} from '../clock.js';
import {say} from '../dom.js';
import {signal} from '../store.js';
import {live, retryAfter, watchReads} from './connection.js';
import {postStaff, readStaff} from './door.js';
import {listen} from './events.js';

/** {open: [order] the oldest first, closed: [order] the newest first, isWhole, isOurs: whether this page has just changed them, news: [order] those that were
 *  read last, where it was not the list}; null before the first list. */
export const orders = signal(null);

/** How many open orders are shown, and how many of those that are over. */
const limits = {open: 300, closed: 20};
const path = (number) => `/v1/staff/orders/${number}`;

const reads = watchReads('orders');

/** Which numbers are to be read again; `all` is the list. */
let waiting = new Set();
let isReading = false;
/** Those that this page moves just now. */
const acting = new Set();

async function readList() {
  const open = [];
  let cursor = '';
  do {
    const page = await readStaff(`/v1/staff/orders?open=true&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    open.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor && open.length < limits.open);
  const closed = await readStaff(`/v1/staff/orders?open=false&limit=${limits.closed}`);
  orders.set({open: open.reverse(), closed: closed.items, isWhole: !cursor});
}

/** Puts newer states of orders where they belong. */
function take(newer, isOurs = false) {
  const numbers = new Set(newer.map(({number}) => number));
  const others = (list) => list.filter(({number}) => !numbers.has(number));
  const now = orders.value;
  if (!now) return;
  const isOpen = ({actions}) => actions.length > 0;
  orders.set({
    ...now, isOurs, news: newer,
    open: [...others(now.open), ...newer.filter(isOpen)].sort(byTime),
    closed: [...others(now.closed), ...newer.filter((order) => !isOpen(order))].sort((a, b) => byTime(b, a)).slice(0, limits.closed),
  });
}

/** Reads what is waiting, drawn at once; many are read as the list. */
async function look() {
  if (isReading) return;
  isReading = true;
  reads.began();
  try {
    while (waiting.size) {
      const numbers = waiting;
      waiting = new Set();
      try {
        if (numbers.has('all') || numbers.size > 8 || !orders.value) await readList();
        else {
          // The stream may tell of our own tap before its answer is here.
          const isOurs = [...numbers].every((number) => acting.has(number));
          take(await Promise.all([...numbers].map((number) => readStaff(path(number)))), isOurs);
        }
      } catch (problem) {
        if (problem.code === undefined) throw problem;
        if (problem.status === 404 && !numbers.has('all')) {
          // One of several is not there; the list has the others.
          if (numbers.size > 1) waiting.add('all');
          continue;
        }
        for (const number of numbers) waiting.add(number);
        reads.ended(false);
        await new Promise((done) => setTimeout(done, retryAfter));
      }
    }
  } finally {
    isReading = false;
  }
  reads.ended(true);
}

function lookAt(number) {
  waiting.add(number);
  look();
}

/** Reads the list again: each order may be due at another time. */
export const lookAgain = () => orders.value && lookAt('all');

/** Does something to an order, and shows what became of it; what is refused is thrown, and the order is read again. */
async function act(number, way, body) {
  acting.add(number);
  try {
    take([await postStaff(`${path(number)}/${way}`, body)], true);
  } catch (problem) {
    // Refused by what it is now, or nobody knows whether it was done: the order tells.
    if (problem.status === 409 || problem.status === 404 || problem.passes) lookAt(number);
    throw problem;
  } finally {
    acting.delete(number);
  }
}

/** Moves an order on, `more` says why, or of one that is accepted in how many minutes it is ready. What can be taken back can be for as long as the server lets it. */
export async function advance(number, state, more = {}) {
  const sent = now();
  if (state !== 'delivered' && state !== 'rejected') undos.set(number, {state, until: sent + takeBackTime});
  else undos.delete(number);
  try {
    await (state === 'accepted' ? act(number, 'accept', more) : act(number, 'advance', {state, ...more}));
  } catch (problem) {
    // Without an answer the step may have been done: undoOf offers it for as long as the order is in that state.
    if (!problem.passes) undos.delete(number);
    throw problem;
  }
}

/** Requests a rejection, `body` says why, or a delivery: the server executes it ten seconds later. */
export const reject = (number, body) => act(number, 'reject', body);
export const deliver = (number) => act(number, 'deliver');

/** Withdraws the pending step of an order, whoever requested it. */
export const withdraw = ({number, pendingStep}) => act(number, 'back', {state: pendingStep.state});

/** For how long a step can be taken back, less what an answer takes. */
const takeBackTime = 9_700;
const undos = new Map();

/** What this page has done to an order and can take back: {state, until}; null for nothing. */
export const undoOf = ({number, state}) => {
  const undo = undos.get(number);
  return undo && undo.state === state && undo.until > now() ? undo : null;
};

/** Takes the last step back, if it led to this state. */
export async function takeBack(number, state = undos.get(number)?.state) {
  try {
    await act(number, 'back', {state});
    undos.delete(number);
  } catch (problem) {
    if (!problem.passes) undos.delete(number);
    throw problem;
  }
}

/** Promises an order for so many minutes later. */
export const delay = (number, minutes, reason) => act(number, 'delay', {minutes, reason});

/** How many orders a search shows, and how many pages it reads for them: a page looks through 10,000 orders and may be
 *  short, or empty. */
const [shown, pages] = [20, 5];

/** The orders that staff look for, open or not, the newest first: {items, isWhole: whether there are no others}. Ends
 *  early once `isWanted` says no. */
export async function search(words, isWanted) {
  const items = [];
  let cursor = '';
  for (let page = 0; page < pages && (page === 0 || cursor) && items.length < shown && isWanted(); page += 1) {
    const next = `/v1/staff/orders?limit=${shown}&q=${encodeURIComponent(words)}`;
    const found = await readStaff(cursor ? `${next}&cursor=${encodeURIComponent(cursor)}` : next);
    items.push(...found.items);
    cursor = found.nextCursor ?? '';
  }
  return {items, isWhole: !cursor};
}

/** Follows the orders. */
export function startOrders() {
  reads.began();
  listen({
    onEvent: (name, event) => {
      if (name === 'list_changed') return lookAt('all');
      if (name === 'placed') say(`A new order, ${event.number}.`);
      return name === 'placed' || name === 'moved' ? lookAt(event.number) : undefined;
    },
    onLive: live,
  });
}
