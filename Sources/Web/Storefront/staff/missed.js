// Orders that the shop has rejected because nobody accepted them in time: a tone tells it, and their numbers stay on the board until a tap closes them.
// Used by board.js.

import {el, say} from '../dom.js';
import {visit} from '../store.js';
import {missed} from './bell.js';

const isMissed = ({rejectedBy}) => rejectedBy === 'deadline';

/** How many numbers are read at a glance. */
const most = 12;

function words(numbers) {
  if (numbers.length === 1) return `Order ${numbers[0]} was not accepted in time. It was rejected, and the guest has been notified.`;
  const others = numbers.length - most;
  return `These orders were not accepted in time: ${numbers.slice(-most).join(', ')}${others > 0 ? ` and ${others} more` : ''}. `
    + 'They were rejected, and the guests have been notified.';
}

/** The notice: {node, look}. */
export function missedOrders() {
  const name = 'staff.missed';
  const text = el('p');
  const node = el('div.missed', {}, text, el('button.button', {type: 'button', onclick: () => {
    show([]);
    document.querySelector('#orders h1').focus({preventScroll: true});
  }}, 'Close'));
  let numbers = visit.kept(name, []), known = null;

  function show(next) {
    numbers = next;
    visit.keep(name, next.length ? next : null);
    node.hidden = next.length === 0;
    text.textContent = next.length ? words(next) : '';
  }

  show(numbers);
  return {
    node,
    /** Tells of those that were not over when it looked before. The newest of a list are those placed last; one that was placed days ago is in `news`. */
    look({closed, news = []}) {
      const those = new Set([...closed, ...news].filter(isMissed).map(({number}) => number));
      const fresh = known ? [...those].filter((number) => !known.has(number)) : [];
      known = new Set([...known ?? [], ...those]);
      if (!fresh.length) return;
      show([...numbers, ...fresh]);
      say(words(fresh));
      missed();
    },
  };
}
