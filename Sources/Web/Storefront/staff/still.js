// Keeps a lane's cards where they are while others come and go by somebody else's doing, so that none slips under a finger: who goes leaves an empty
// place, who comes takes one or stands at the end, and what moves up or down all the same is scrolled back. Used by board.js and lanes.js.

import {arrange, el} from '../dom.js';

/** For how long a lane stays as it is, after somebody has touched it and after it has changed. */
export const patience = 5_000;
const keyOf = (card) => `${card.dataset.number} ${card.dataset.state}`;
const topOf = (card) => card.getBoundingClientRect().top;

/** Whether somebody has touched it of late: {is, left: for how long it counts, finger: where}. */
export function touches(node) {
  let [at, finger] = [-Infinity, 0];
  const touch = ({clientY}) => { [at, finger] = [performance.now(), clientY ?? 0]; };
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel', 'keydown']) node.addEventListener(kind, touch, {passive: true});
  const left = () => patience - (performance.now() - at);
  return {left, is: () => left() > 0, finger: () => (left() > 0 ? finger : 0)};
}

/** Notes where a lane's cards stand; returns by how much the one under the finger stands lower now, else the first that is seen, else another. */
export function watched(lane, finger = 0) {
  const cards = () => [...lane.querySelectorAll('.ticket')];
  const top = Math.max(topOf(lane), finger);
  const all = cards().map((card) => ({key: keyOf(card), top: topOf(card), isBelow: card.getBoundingClientRect().bottom > top}));
  const seen = [...all.filter(({isBelow}) => isBelow), ...all.filter(({isBelow}) => !isBelow).reverse()];
  return () => {
    const now = new Map(cards().map((card) => [keyOf(card), card]));
    const one = seen.find(({key}) => now.has(key));
    return one ? topOf(now.get(one.key)) - one.top : 0;
  };
}

/** An empty place of a card's size. */
function place(card) {
  const hole = el('li.hole', {'aria-hidden': 'true', 'data-of': card.dataset.number});
  hole.style.height = `${card.offsetHeight}px`;
  return hole;
}

/** Puts cards into a list so that no other card moves. A card that goes leaves an empty place. A card that comes back
 *  takes its own place, and a new card another empty one, or it stands at the end. A new card takes no place under the
 *  finger, because the next tap there was meant for another card. */
function replace(list, {goes, comes, after}, finger) {
  for (const card of goes) card.replaceWith(after(card) ?? place(card));
  for (const card of comes) {
    if (card.parentNode === list) continue;
    const holes = [...list.querySelectorAll('.hole')];
    const free = holes.find((hole) => hole.dataset.of === card.dataset.number) ?? holes.find((hole) => {
      const {top, bottom} = hole.getBoundingClientRect();
      return !finger || finger < top || finger > bottom;
    });
    if (free) free.replaceWith(card);
    else list.append(card);
  }
}

/** {before, put, after}: before a change, a list's cards in their order, and after it. `isOurs`: by a tap here.
 *  `isNews`: there are only more cards. In the lane that was touched, a tap here counts like any other change, because
 *  the finger is still there. */
export function still(lane) {
  const [touched, wanted, room] = [touches(lane), new Map(), {above: 0, below: 0}];
  let lower = () => 0, timer = 0, scrolled = null;

  function leave(above, below) {
    Object.assign(room, {above, below});
    lane.style.setProperty('--above', `${above}px`);
    lane.style.setProperty('--below', `${below}px`);
  }

  /** What stands so much lower now stands where it stood. */
  function hold(down) {
    if (scrolled === null && lane.scrollTop < 4) scrolled = 0;
    const used = Math.max(0, Math.min(room.above, down));
    leave(room.above - used, room.below);
    const [had, rest] = [lane.scrollTop, down - used];
    if (had + rest < 0) leave(room.above - had - rest, room.below);
    const lack = had + rest - (lane.scrollHeight - lane.clientHeight);
    if (lack > 0) leave(room.above, room.below + lack);
    lane.scrollTop = had + rest;
    if (scrolled !== null) scrolled = lane.scrollTop;
    soon();
  }

  function soon() { timer ||= setTimeout(close, patience); }

  function close() {
    timer = touched.is() ? setTimeout(close, touched.left()) : 0;
    if (timer) return;
    const [isTop, focused, down] = [lane.scrollTop < 4 || lane.scrollTop === scrolled, document.activeElement, watched(lane)];
    scrolled = null;
    leave(0, 0);
    for (const [list, cards] of wanted) arrange(list, cards);
    lane.scrollTop = isTop ? 0 : lane.scrollTop + down();
    if (document.activeElement !== focused) focused.focus({preventScroll: true});
  }

  return {
    before() { lower = watched(lane, touched.finger()); },
    put(list, cards, isOurs) {
      wanted.set(list, cards);
      const comes = cards.filter((card) => card.parentNode !== list);
      const after = (card) => comes.find(({dataset}) => dataset.number === card.dataset.number);
      const goes = [...list.querySelectorAll(':scope > .ticket')].filter((card) => !cards.includes(card));
      if (!touched.is() && !list.querySelector('.hole') && (isOurs || goes.every(after))) return arrange(list, cards);
      replace(list, {goes, comes, after}, touched.finger());
      return soon();
    },
    after({isOurs, isNews}) {
      const down = isOurs && !touched.is() ? 0 : lower();
      // What is new is seen at once, in the room that others have left.
      const kept = isNews && !touched.is() && down > 0 ? Math.min(room.above, down) : down;
      if (Math.abs(kept) >= 1) hold(kept);
    },
  };
}
