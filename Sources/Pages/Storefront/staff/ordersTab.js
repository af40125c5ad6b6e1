// The Orders tab: three lanes that scroll separately, for new orders, the kitchen and orders on their way. On a phone
// the lanes are swiped. A bar that stays in view shows the count of each state. Unchanged cards keep their nodes and
// places.

import {announce, el, replaceChildren} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {required} from '../parts/required.js';
import {byPlacedAt, dueAt} from '../parts/serverClock.js';
import {showToast} from '../parts/toast.js';
import {acceptancePolicy} from './acceptanceSettings.js';
import {arrivalTracker} from './arrivalTracker.js';
import {boardOrders} from './boardOrders.js';
import {orderSoundControls, ringForOrders} from './boardSounds.js';
import {bulkAcceptance} from './bulkAcceptance.js';
import {updateDeadline} from './deadlineLine.js';
import {kitchenSummary} from './kitchenSummary.js';
import {laneVisibility, markVisibleColumns, trackLaneHeight} from './laneLayout.js';
import {loadMissingItems, refreshItems} from './menuItemCache.js';
import {missedOrdersAlert} from './missedOrdersAlert.js';
import {cardKey, closedOrderRow, createCard, isForLater, isNewOrder, updateCard} from './orderCard.js';
import {dueStatus, promisedMinutes, waitingTime} from './orderCard.js';
import {orderSearch} from './orderSearch.js';
import {openStates, orderStates} from './orderStates.js';
import {focusOrdersHeading} from './ordersHeading.js';
import {stableLane} from './stableLane.js';
import {wakeLockStatus} from './wakeLock.js';

/** @typedef {import('./boardOrders.js').BoardSnapshot} BoardSnapshot */
/** @typedef {import('./laneLayout.js').UpdateVisibility} UpdateVisibility */
/** @typedef {ReturnType<typeof createColumn>} Column */
/** @typedef {{key: string, state: API.OrderState, order: API.Order, node: HTMLElement}} Card */
/** @typedef {Map<string, Card>} Cards By order number. */
/** @typedef {(order: API.Order) => HTMLElement} CardOf Returns the card of an order. */
/** @typedef {(list: HTMLElement, cards: HTMLElement[]) => void} Put Places the cards in the list. */

/** @param {string} name @param {...Element} nodes */
const createLane = (name, ...nodes) => el(`div.lane.${name}`, {}, nodes);

/**
 * Shows the number of orders, and in red how many are late, because late cards may be out of sight.
 * @param {Element} label
 * @param {API.Order[]} orders
 */
function showCount(label, orders) {
  const lateCount = orders.filter((order) => dueStatus(order).isLate).length;
  label.textContent = lateCount ? `${orders.length} · ${lateCount} late` : String(orders.length);
  label.classList.toggle('late', lateCount > 0);
}

/**
 * The orders of one state: {node, list, countLabels, show}. `headingNode` is shown beside the heading.
 * @param {API.OrderState} state
 * @param {Element | null} headingNode
 */
function createColumn(state, headingNode) {
  const count = el('span.order-count', {}, '0');
  const list = el('ul.tickets');
  const emptyNote = el('p.quiet.empty-note', {}, 'None.');
  const countLabels = [count];
  const heading = el('h2', {id: `column-${state}`}, `${orderStates[state].heading} `, count);
  const node = el(`section.column.${state}`, {'aria-labelledby': `column-${state}`},
    el('div.heading', {}, heading, headingNode), emptyNote, list);
  return {
    node, list, countLabels,
    /**
     * Shows these orders.
     * @param {API.Order[]} orders
     * @param {CardOf} cardOf
     * @param {Put} put
     */
    show(orders, cardOf, put) {
      put(list, orders.map(cardOf));
      for (const label of countLabels) showCount(label, orders);
      emptyNote.hidden = orders.length > 0;
    },
  };
}

/**
 * The button of the bar that scrolls to a column.
 * @param {API.OrderState} state
 * @param {Column} column
 * @param {UpdateVisibility} updateVisibility
 */
function columnButton(state, {node, countLabels}, updateVisibility) {
  const count = el('span.order-count', {}, '–');
  countLabels.push(count);
  return el(`button.${state}`, {type: 'button', onclick: () => {
    updateVisibility(false, {isRequested: true});
    // An empty column may have no box. `checkVisibility` would tell too, but Safari before 17.4 lacks it.
    if (!node.getClientRects().length) return showToast(`${orderStates[state].heading}: none.`);
    const heading = required(node.querySelector('h2'));
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
    // Scrolls the lanes only, because `scrollIntoView` would also scroll the page.
    const lane = required(node.closest('.lane'));
    const lanes = required(lane.parentElement);
    lanes.scrollLeft += lane.getBoundingClientRect().left - lanes.getBoundingClientRect().left;
    lane.scrollTop += node.getBoundingClientRect().top - lane.getBoundingClientRect().top;
    return undefined;
  }}, el('span', {}, orderStates[state].heading), count);
}

/**
 * Fills the bar of states, which marks the buttons of the columns in view.
 * @param {Element} bar
 * @param {Record<string, Column>} columns
 * @param {Element} lanes
 * @param {UpdateVisibility} updateVisibility
 */
function fillBar(bar, columns, lanes, updateVisibility) {
  const buttons = new Map(openStates.map((state) =>
    [columns[state].node, columnButton(state, columns[state], updateVisibility)]));
  replaceChildren(bar, [...buttons.values()]);
  markVisibleColumns(lanes, buttons);
}

/**
 * Compares orders for later by the wanted time.
 * @type {(one: API.Order, other: API.Order) => number}
 */
const compareWantedTime = (one, other) => (one.wantedAt ?? '').localeCompare(other.wantedAt ?? '');

/**
 * The orders for later; announces each that becomes due.
 * @param {Cards} cards
 */
function createLaterColumn(cards) {
  const count = el('span.order-count', {}, '0');
  const list = el('ul.tickets');
  const heading = el('h2', {id: 'later'}, 'For later ', count);
  const node = el('section.later', {'aria-labelledby': 'later', hidden: true}, heading, list);
  /** @type {Set<string>} */
  let shownNumbers = new Set();
  return {
    node,
    /**
     * Shows these orders.
     * @param {API.Order[]} laterOrders
     * @param {CardOf} cardOf
     * @param {Put} put
     */
    show(laterOrders, cardOf, put) {
      put(list, laterOrders.map(cardOf));
      count.textContent = String(laterOrders.length);
      node.hidden = laterOrders.length === 0;
      const numbers = new Set(laterOrders.map(({number}) => number));
      for (const number of shownNumbers) {
        const card = cards.get(number)?.node;
        if (numbers.has(number) || !card?.closest('.column')) continue;
        card.classList.add('highlighted');
        announce(`Order ${number} is due now.`);
      }
      shownNumbers = numbers;
    },
    /**
     * Whether an order has become due since the last `show`.
     * @param {API.Order[]} open
     */
    isOutdated: (open) => open.some((order) => shownNumbers.has(order.number) && !isForLater(order)),
  };
}

/**
 * Compares orders for sorting: late orders first, by due time; then new orders newest first, and others by due time.
 * @param {API.Order} one
 * @param {API.Order} other
 */
function compareUrgency(one, other) {
  const isByDueTime = dueStatus(one).isLate || dueStatus(other).isLate || one.state !== 'placed';
  return isByDueTime ? dueAt(one) - dueAt(other) || one.number.localeCompare(other.number) : byPlacedAt(other, one);
}

/**
 * Updates the times on a card as time passes.
 * @param {Card} card
 */
function updateTimes({order, node}) {
  const {text, isLate} = dueStatus(order);
  const label = required(node.querySelector('.due'));
  if (label.textContent !== text) label.textContent = text;
  label.classList.toggle('late', isLate);
  const timer = required(/** @type {HTMLElement | null} */ (node.querySelector('.timer')));
  const waited = waitingTime(order);
  if (timer.textContent !== waited.text) timer.textContent = waited.text;
  timer.dataset.step = waited.step;
  const minutes = node.querySelector('.promised-minutes');
  if (minutes && minutes.textContent !== promisedMinutes(order)) minutes.textContent = promisedMinutes(order);
  updateDeadline(node, order);
}

/** The orders that ended most recently. */
function createClosedList() {
  const list = el('ul.closed-orders');
  const node = el('details.done', {}, el('summary', {}, 'Recently finished'), list);
  const emptyNote = el('li.quiet', {}, 'None yet.');
  /** @param {API.Order[]} closed */
  const show = (closed) => patch(list, closed.length ? closed.map(closedOrderRow) : emptyNote);
  return {node, show};
}

/**
 * The number of the order whose card contains a node.
 * @param {EventTarget | null} node
 */
function numberAt(node) {
  /** @type {HTMLElement | null} */
  const card = node instanceof Element ? node.closest('.ticket') : null;
  return card?.dataset.number;
}

/**
 * The current card of an order: the same node while its state is unchanged. A new node can be highlighted.
 * @param {API.Order} order
 * @param {Cards} cards
 * @param {boolean} isHighlighted
 */
function cardFor(order, cards, isHighlighted) {
  const known = cards.get(order.number);
  const key = cardKey(order);
  if (known && known.key === key) return known.node;
  if (known?.state === order.state) {
    updateCard(known.node, order);
    Object.assign(known, {key, order});
    return known.node;
  }
  const created = {key, state: order.state, order, node: createCard(order)};
  if (isHighlighted) created.node.classList.add('highlighted');
  cards.set(order.number, created);
  return created.node;
}

/**
 * Draws the orders once the menu items of their dishes are loaded, unless newer orders have arrived by then.
 * @param {BoardSnapshot} snapshot
 * @param {(snapshot: BoardSnapshot, isOwnChange?: boolean) => void} draw
 */
async function drawWhenLoaded(snapshot, draw) {
  const loading = loadMissingItems(snapshot.open);
  if (loading) await loading;
  if (boardOrders.value === snapshot) draw(snapshot, snapshot.isOwnChange);
}

/**
 * The Orders tab; `showNewCount` gets the number of new orders, and `bar` is the node of the bar of states.
 * @param {(count: number) => void} showNewCount
 * @param {Element} bar
 */
export function ordersTab(showNewCount, bar) {
  const bulk = bulkAcceptance();
  const columns = Object.fromEntries(openStates.map((state) =>
    [state, createColumn(state, state === 'placed' ? bulk.node : null)]));
  // The latest state is at the top of a lane.
  /** @param {import('./orderStates.js').LaneName} lane */
  const columnsIn = (lane) =>
    openStates.filter((state) => orderStates[state].lane === lane).reverse().map((state) => columns[state].node);
  /** @type {Cards} */
  const cards = new Map();
  const later = createLaterColumn(cards);
  const truncationNote = el('p.warn', {hidden: true},
    'There are more open orders than fit here; the newest are shown.');
  const loadingNote = el('p.quiet', {}, 'One moment…');
  const [summary, search, missed, closed] =
    [kitchenSummary(), orderSearch(), missedOrdersAlert(), createClosedList()];
  const toolbar = el('div.toolbar', {}, orderSoundControls(), wakeLockStatus(), search.node);
  const laneNodes = [
    createLane('new', ...columnsIn('new'), later.node, closed.node),
    createLane('kitchen', summary.node, ...columnsIn('kitchen')),
    createLane('outgoing', ...columnsIn('outgoing')),
  ];
  // A ticked dish changes the summary of the kitchen.
  const lanes = el('div.columns', {hidden: true, onchange: () => draw(boardOrders.value)}, laneNodes);
  /** @type {Map<Element, ReturnType<typeof stableLane>>} */
  const stableLanes = new Map(laneNodes.map((lane) => [lane, stableLane(lane)]));
  const updateVisibility = laneVisibility(lanes);
  const updateHeight = trackLaneHeight(lanes,
    [required(document.querySelector('.subheader')), toolbar, search.found, missed.node, bulk.errors]);
  /** @type {CardOf} */
  const cardOf = (order) => cardFor(order, cards, isDrawn);
  const arrivals = arrivalTracker();
  lanes.addEventListener('click', ({target}) => {
    const number = numberAt(target);
    if (number && arrivals.markTapped(number)) draw(boardOrders.value);
  }, {capture: true});
  fillBar(bar, columns, lanes, updateVisibility);
  let isDrawn = false, lastLateCount = 0;

  /**
   * Draws a snapshot of the orders; `isOwnChange`: a tap on this page caused the change.
   * @param {BoardSnapshot | null} snapshot
   * @param {boolean} [isOwnChange]
   */
  function draw(snapshot, isOwnChange = false) {
    if (!snapshot) return;
    const {open} = snapshot;
    [loadingNote.hidden, lanes.hidden] = [true, false];
    for (const lane of stableLanes.values()) lane.beforeChange();
    /** @type {Put} */
    const put = (list, nodes) =>
      required(stableLanes.get(required(list.closest('.lane')))).put(list, nodes, isOwnChange);
    const previousNumbers = new Set(cards.keys());
    const focusedNumber = numberAt(document.activeElement);
    for (const state of openStates) {
      const current = open.filter((order) => order.state === state && !isForLater(order)).sort(compareUrgency);
      columns[state].show(current, cardOf, put);
    }
    later.show(open.filter(isForLater).sort(compareWantedTime), cardOf, put);
    isDrawn = true;
    const openNumbers = new Set(open.map((order) => order.number));
    for (const number of [...cards.keys()]) if (!openNumbers.has(number)) cards.delete(number);
    truncationNote.hidden = snapshot.isComplete;
    closed.show(snapshot.closed);
    summary.update(open);
    bulk.update(open);
    void refreshItems(open, () => draw(boardOrders.value));
    const hasOnlyAdditions = open.some(({number}) => !previousNumbers.has(number))
      && [...previousNumbers].every((number) => cards.has(number));
    for (const lane of stableLanes.values()) {
      lane.afterChange({isOwnChange: isOwnChange || !previousNumbers.size, hasOnlyAdditions});
    }
    updateVisibility(isOwnChange);
    // Focuses the moved card, not its button: otherwise the same key could move the order again. The card of a lane
    // that is still hidden cannot have the focus, so the heading gets it.
    if (focusedNumber && document.activeElement === document.body) {
      cards.get(focusedNumber)?.node.focus({preventScroll: true});
      if (document.activeElement === document.body) focusOrdersHeading();
    }
    const newOrders = open.filter(isNewOrder);
    showNewCount(newOrders.length);
    const {entered, untapped} = arrivals.update(open, acceptancePolicy.isAutomatic);
    ringForOrders([...newOrders.map(({number}) => number), ...untapped], entered);
    updateHeight();
  }

  // Time alone changes the board: orders become due or late, and steps can no longer be undone.
  setInterval(() => {
    const open = boardOrders.value?.open ?? [];
    const lateCount = open.filter((order) => dueStatus(order).isLate).length;
    const isOutdated = lateCount !== lastLateCount || later.isOutdated(open)
      || [...cards.values()].some(({order, key}) => cardKey(order) !== key);
    if (isOutdated) draw(boardOrders.value);
    lastLateCount = lateCount;
    for (const card of cards.values()) updateTimes(card);
    updateVisibility(false);
  }, 1_000);
  boardOrders.watch((snapshot) => {
    if (!snapshot) return;
    missed.update(snapshot);
    void drawWhenLoaded(snapshot, draw);
  });
  return {
    title: 'Orders',
    nodes: [toolbar, search.found, missed.node, bulk.errors, loadingNote, truncationNote, lanes],
  };
}
