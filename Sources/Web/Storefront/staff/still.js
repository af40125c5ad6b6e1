// Keeps a lane's cards where they are while others come and go by somebody else's doing, so that none slips under a finger: the lane scrolls by as
// much as the card that is looked at would have moved, or leaves room. Once nobody has touched the lane for a while it closes up. Used by board.js.

/** For how long a lane stays as it is, after somebody has touched it and after it has changed. */
const patience = 5_000;
const keyOf = (card) => `${card.dataset.number} ${card.dataset.state}`;
const topOf = (card) => card.getBoundingClientRect().top;

/** {before, after}: before a change, and after it with whether it was our own tap's and whether there are only more cards of this lane's top. */
export function still(lane) {
  let touched = -Infinity, finger = 0, seen = [], timer = 0, scrolled = null;
  const room = {above: 0, below: 0};
  const touch = ({clientY}) => { [touched, finger] = [performance.now(), clientY]; };
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel']) lane.addEventListener(kind, touch, {passive: true});

  const isTouched = () => performance.now() - touched < patience;
  const cards = () => [...lane.querySelectorAll('.ticket')];

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
    clearTimeout(timer);
    timer = setTimeout(close, patience);
  }

  function close() {
    if (isTouched()) {
      timer = setTimeout(close, patience - (performance.now() - touched));
      return;
    }
    const top = lane.scrollTop === scrolled ? 0 : Math.max(0, lane.scrollTop - room.above);
    scrolled = null;
    leave(0, 0);
    lane.scrollTop = top;
  }

  return {
    before() {
      const top = Math.max(topOf(lane), isTouched() ? finger : 0);
      const all = cards().map((card) => ({key: keyOf(card), top: topOf(card), isBelow: card.getBoundingClientRect().bottom > top}));
      // The one under the finger, else the first that is seen; those below it, then those above.
      seen = [...all.filter(({isBelow}) => isBelow), ...all.filter(({isBelow}) => !isBelow).reverse()];
    },
    after({isOurs, isNews}) {
      const now = new Map(cards().map((card) => [keyOf(card), card]));
      const one = seen.find(({key}) => now.has(key));
      if (!one || isOurs) return;
      const down = topOf(now.get(one.key)) - one.top;
      // What is new is seen at once, in the room that others have left.
      const kept = isNews && !isTouched() && down > 0 ? Math.min(room.above, down) : down;
      if (Math.abs(kept) >= 1) hold(kept);
    },
  };
}
