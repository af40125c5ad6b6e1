// The room of the board: as high as the screen leaves it, and shared by the lanes that have something. One that is empty has none on a wide screen, and
// gets or gives it back when nobody has touched the board for a while. The bar marks what is seen of them. Used by board.js. Read next: still.js.

import {patience, touches, watched} from './still.js';

/** Keeps the lanes as high as what is left of the screen below `above`, and above the tabs where those are at its foot. Returns what does so now. */
export function fitting(lanes, above) {
  function fit() {
    const tabs = document.getElementById('tabs').getBoundingClientRect();
    const end = tabs.top > innerHeight / 2 ? tabs.top : innerHeight;
    const top = lanes.getBoundingClientRect().top + scrollY;
    if (top) lanes.style.setProperty('--room', `${Math.max(280, Math.floor(end - top - 4))}px`);
  }
  addEventListener('resize', fit);
  const sizes = new ResizeObserver(fit);
  for (const one of above) sizes.observe(one);
  return fit;
}

/** What shares the room, once a second and after each change. `isOurs`: a tap here has put something where nothing was.
 *  `isWanted`: somebody asks to see a lane that has no room yet. */
export function sharing(lanes) {
  const touched = touches(lanes);
  let since = null, isFirst = true;
  const isOther = (lane) => lane.classList.contains('empty') === Boolean(lane.querySelector('.ticket, .hole'));

  return (isOurs, {isWanted = false} = {}) => {
    const others = [...lanes.children].filter(isOther);
    if (!others.length) {
      since = null;
      return;
    }
    since ??= performance.now();
    const isWaiting = touched.is() || performance.now() - since < patience;
    // Where no card stands, none moves. What a tap has put there is wanted at once, unless the finger is on the cards.
    const ticketsOf = (node) => node.querySelectorAll('.ticket').length;
    const isAtOnce = isFirst || isWanted
      || ticketsOf(lanes) === others.reduce((many, lane) => many + ticketsOf(lane), 0)
      || (isOurs && !touched.is() && others.some((lane) => lane.querySelector('.ticket')));
    if (isWaiting && !isAtOnce) return;
    [since, isFirst] = [null, false];
    const stays = [...lanes.children].filter((lane) => lane.scrollTop >= 4).map((lane) => ({lane, lower: watched(lane)}));
    for (const lane of others) lane.classList.toggle('empty');
    for (const {lane, lower} of stays) lane.scrollTop += lower();
  };
}

/** Marks of the bar's `buttons`, by their columns, those whose columns are seen now. */
export function marking(lanes, buttons) {
  const seen = new IntersectionObserver((changes) => {
    for (const {target, isIntersecting} of changes) buttons.get(target).toggleAttribute('data-seen', isIntersecting);
    // No sliver at a side, and below at least a heading with some of a card.
  }, {root: lanes, rootMargin: '0px -40px -100px'});
  for (const column of buttons.keys()) seen.observe(column);
}
