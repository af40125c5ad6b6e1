// The size of the lanes: they fill the height of the screen and share its width. On a wide screen an empty lane is
// hidden. Lanes appear or disappear only after the board was untouched for a while.

import {required} from '../parts/required.js';
import {measureShift, settleTime, trackTouches} from './stableLane.js';

/**
 * Fits the height of the lanes between `nodesAbove` and the lower edge of the screen, or the tabs if they are there.
 * Returns a function that updates the height at once.
 * @param {HTMLElement} lanes
 * @param {Element[]} nodesAbove
 */
export function trackLaneHeight(lanes, nodesAbove) {
  function update() {
    const tabs = required(document.getElementById('tabs')).getBoundingClientRect();
    const bottom = tabs.top > innerHeight / 2 ? tabs.top : innerHeight;
    const top = lanes.getBoundingClientRect().top + scrollY;
    if (top) lanes.style.setProperty('--lane-height', `${Math.max(280, Math.floor(bottom - top - 4))}px`);
  }
  addEventListener('resize', update);
  const observer = new ResizeObserver(update);
  for (const node of nodesAbove) observer.observe(node);
  return update;
}

/**
 * Hides empty lanes and shows the others, every second and after each change. `isOwnChange`: a tap here filled a lane.
 * `isRequested`: a tap asks to see a lane.
 * @typedef {(isOwnChange: boolean, options?: {isRequested?: boolean}) => void} UpdateVisibility
 */

/**
 * Returns the function that hides and shows lanes.
 * @param {Element} lanes
 * @returns {UpdateVisibility}
 */
export function laneVisibility(lanes) {
  const touches = trackTouches(lanes);
  /** @type {number | null} */
  let outdatedSince = null;
  let isFirst = true;
  /** @param {Element} lane */
  const isOutdated = (lane) =>
    lane.classList.contains('empty') === Boolean(lane.querySelector('.ticket, .placeholder'));
  /** @param {Element} node */
  const cardCount = (node) => node.querySelectorAll('.ticket').length;

  return (isOwnChange, {isRequested = false} = {}) => {
    const outdated = [...lanes.children].filter(isOutdated);
    if (!outdated.length) {
      [outdatedSince, isFirst] = [null, false];
      return;
    }
    outdatedSince ??= performance.now();
    const isSettling = touches.isRecent() || performance.now() - outdatedSince < settleTime;
    // Changes at once in two cases: no other card moves, or a tap here filled the lane and no finger is on the cards.
    const isImmediate = isFirst || isRequested
      || cardCount(lanes) === outdated.reduce((sum, lane) => sum + cardCount(lane), 0)
      || (isOwnChange && !touches.isRecent() && outdated.some((lane) => lane.querySelector('.ticket')));
    if (isSettling && !isImmediate) return;
    [outdatedSince, isFirst] = [null, false];
    const scrolled = [...lanes.children].filter((lane) => lane.scrollTop >= 4)
      .map((lane) => ({lane, shift: measureShift(lane)}));
    for (const lane of outdated) lane.classList.toggle('empty');
    for (const {lane, shift} of scrolled) lane.scrollTop += shift();
  };
}

/**
 * Marks the bar's `buttons`, a map by column, whose columns are in view.
 * @param {Element} lanes
 * @param {Map<Element, Element>} buttons
 */
export function markVisibleColumns(lanes, buttons) {
  const observer = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) buttons.get(target)?.toggleAttribute('data-seen', isIntersecting);
    // A column counts as in view if more than 40 px of its width are visible, and at the bottom a heading and part of a
    // card.
  }, {root: lanes, rootMargin: '0px -40px -100px'});
  for (const column of buttons.keys()) observer.observe(column);
}
