// Keeps the cards of a lane in place while other cards come and go, so that a tap hits the intended card. A placeholder
// replaces a card that leaves. A new card takes a placeholder or the end. Other shifts are scrolled back.

import {el, reconcile} from '../parts/dom.js';

/** For how many milliseconds a lane stays unchanged after a touch and after a change. */
export const settleTime = 5_000;
/** @typedef {{isOwnChange: boolean, hasOnlyAdditions: boolean}} Change */
/**
 * How the cards of a list change. `successorOf` returns the entering card of the same order.
 * @typedef {object} CardChange
 * @property {HTMLElement[]} leaving
 * @property {HTMLElement[]} entering
 * @property {(card: HTMLElement) => HTMLElement | undefined} successorOf
 */

/** @param {HTMLElement} card */
const keyOf = (card) => `${card.dataset.number} ${card.dataset.state}`;
/** @param {Element} card */
const topOf = (card) => card.getBoundingClientRect().top;
/** @param {Element} node @param {string} selector */
const elementsIn = (node, selector) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(selector))];

/**
 * Tracks touches: {isRecent, remaining, fingerY}. `remaining` is the milliseconds until the last touch is no longer
 * recent. `fingerY` is its position, 0 without a recent touch.
 * @param {Element} node
 */
export function trackTouches(node) {
  let [touchedAt, touchY] = [-Infinity, 0];
  /** @param {Event} event */
  const touch = (event) => {
    [touchedAt, touchY] = [performance.now(), event instanceof MouseEvent ? event.clientY : 0];
  };
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel', 'keydown']) {
    node.addEventListener(kind, touch, {passive: true});
  }
  const remaining = () => settleTime - (performance.now() - touchedAt);
  return {remaining, isRecent: () => remaining() > 0, fingerY: () => (remaining() > 0 ? touchY : 0)};
}

/**
 * Records the positions of a lane's cards. Returns a function that measures how far down the card under the finger has
 * moved. Without a finger it measures the first visible card, or any other card.
 * @param {Element} lane
 * @param {number} fingerY
 */
export function measureShift(lane, fingerY = 0) {
  const cards = () => elementsIn(lane, '.ticket');
  const top = Math.max(topOf(lane), fingerY);
  const positions = cards().map((card) =>
    ({key: keyOf(card), top: topOf(card), isBelow: card.getBoundingClientRect().bottom > top}));
  const candidates = [
    ...positions.filter(({isBelow}) => isBelow), ...positions.filter(({isBelow}) => !isBelow).reverse(),
  ];
  return () => {
    const current = new Map(cards().map((card) => [keyOf(card), card]));
    for (const {key, top: previousTop} of candidates) {
      const card = current.get(key);
      if (card) return topOf(card) - previousTop;
    }
    return 0;
  };
}

/**
 * A placeholder with the height of a card.
 * @param {HTMLElement} card
 */
function createPlaceholder(card) {
  const placeholder = el('li.placeholder', {'aria-hidden': 'true', 'data-of': card.dataset.number});
  placeholder.style.height = `${card.offsetHeight}px`;
  return placeholder;
}

/**
 * Changes a list so that no other card moves. A leaving card becomes a placeholder, which the card takes again if it
 * returns. A new card takes another placeholder or the end of the list. It takes no placeholder under the finger,
 * because the next tap there was meant for another card.
 * @param {Element} list
 * @param {CardChange} change
 * @param {number} fingerY
 */
function replaceInPlace(list, {leaving, entering, successorOf}, fingerY) {
  for (const card of leaving) card.replaceWith(successorOf(card) ?? createPlaceholder(card));
  for (const card of entering) {
    if (card.parentNode === list) continue;
    const placeholders = elementsIn(list, '.placeholder');
    /** @param {Element} placeholder */
    const isFree = (placeholder) => {
      const {top, bottom} = placeholder.getBoundingClientRect();
      return !fingerY || fingerY < top || fingerY > bottom;
    };
    const target = placeholders.find(({dataset}) => dataset.of === card.dataset.number) ?? placeholders.find(isFree);
    if (target) target.replaceWith(card);
    else list.append(card);
  }
}

/**
 * Returns {beforeChange, put, afterChange}, to be called in this order; `put` gets the cards of a list. `isOwnChange`:
 * a tap on this page caused the change. `hasOnlyAdditions`: cards were only added. After a recent touch an own change
 * counts like any other, because the finger is still there.
 * @param {HTMLElement} lane
 */
export function stableLane(lane) {
  const touches = trackTouches(lane);
  /**
   * The cards of each list as they will be when the lane settles.
   * @type {Map<Element, HTMLElement[]>}
   */
  const targets = new Map();
  /** The lane's padding in pixels, which keeps the cards in place. */
  const padding = {above: 0, below: 0};
  let shift = () => 0, settleTimer = 0;
  /** @type {number | null} */
  let automaticScrollTop = null;

  /** @param {number} above @param {number} below */
  function setPadding(above, below) {
    Object.assign(padding, {above, below});
    lane.style.setProperty('--above', `${above}px`);
    lane.style.setProperty('--below', `${below}px`);
  }

  /**
   * Moves the cards back up by `distance`: uses the padding above, then scrolls.
   * @param {number} distance
   */
  function compensate(distance) {
    if (automaticScrollTop === null && lane.scrollTop < 4) automaticScrollTop = 0;
    const used = Math.max(0, Math.min(padding.above, distance));
    setPadding(padding.above - used, padding.below);
    const [previousTop, rest] = [lane.scrollTop, distance - used];
    if (previousTop + rest < 0) setPadding(padding.above - previousTop - rest, padding.below);
    const missing = previousTop + rest - (lane.scrollHeight - lane.clientHeight);
    if (missing > 0) setPadding(padding.above, padding.below + missing);
    lane.scrollTop = previousTop + rest;
    if (automaticScrollTop !== null) automaticScrollTop = lane.scrollTop;
    scheduleSettle();
  }

  function scheduleSettle() { settleTimer ||= setTimeout(settle, settleTime); }

  /** Removes placeholders and padding once the lane has been untouched for `settleTime`. */
  function settle() {
    settleTimer = touches.isRecent() ? setTimeout(settle, touches.remaining()) : 0;
    if (settleTimer) return;
    const isAtTop = lane.scrollTop < 4 || lane.scrollTop === automaticScrollTop;
    const [focused, shiftNow] = [document.activeElement, measureShift(lane)];
    automaticScrollTop = null;
    setPadding(0, 0);
    for (const [list, cards] of targets) reconcile(list, cards);
    lane.scrollTop = isAtTop ? 0 : lane.scrollTop + shiftNow();
    if (document.activeElement !== focused && focused instanceof HTMLElement) focused.focus({preventScroll: true});
  }

  return {
    beforeChange() { shift = measureShift(lane, touches.fingerY()); },
    /** @param {Element} list @param {HTMLElement[]} cards @param {boolean} isOwnChange */
    put(list, cards, isOwnChange) {
      targets.set(list, cards);
      const entering = cards.filter((card) => card.parentNode !== list);
      /** @param {HTMLElement} card */
      const successorOf = (card) => entering.find(({dataset}) => dataset.number === card.dataset.number);
      const leaving = elementsIn(list, ':scope > .ticket').filter((card) => !cards.includes(card));
      const isSettled = !touches.isRecent() && !list.querySelector('.placeholder');
      if (isSettled && (isOwnChange || leaving.every(successorOf))) return reconcile(list, cards);
      replaceInPlace(list, {leaving, entering, successorOf}, touches.fingerY());
      return scheduleSettle();
    },
    /** @param {Change} change */
    afterChange({isOwnChange, hasOnlyAdditions}) {
      const distance = isOwnChange && !touches.isRecent() ? 0 : shift();
      // New cards become visible at once, in the padding that other cards have left.
      const isLimited = hasOnlyAdditions && !touches.isRecent() && distance > 0;
      const compensated = isLimited ? Math.min(padding.above, distance) : distance;
      if (Math.abs(compensated) >= 1) compensate(compensated);
    },
  };
}
