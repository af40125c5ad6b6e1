// The alert about orders that were rejected because nobody accepted them in time. It plays a sound, and shows the order
// numbers on the board until a tap closes it.

import {announce, el} from '../parts/dom.js';
import {sessionValues} from '../parts/storage.js';
import {playMissedSound} from './boardSounds.js';
import {focusOrdersHeading} from './ordersHeading.js';

/** @param {API.Order} order */
const isMissed = ({rejectedBy}) => rejectedBy === 'deadline';

/** How many numbers the alert shows at most. */
const maximumNumbers = 12;

/** @param {string[]} numbers */
function alertText(numbers) {
  if (numbers.length === 1) {
    return `Order ${numbers[0]} was not accepted in time. It was rejected, and the guest has been notified.`;
  }
  const hiddenCount = numbers.length - maximumNumbers;
  const list = `${numbers.slice(-maximumNumbers).join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}`;
  return `These orders were not accepted in time: ${list}. They were rejected, and the guests have been notified.`;
}

/** The alert: {node, update}. */
export function missedOrdersAlert() {
  const storageName = 'staff.missed';
  const text = el('p');
  const node = el('div.board-alert', {}, text, el('button.button', {type: 'button', onclick: () => {
    show([]);
    focusOrdersHeading();
  }}, 'Close'));
  /** @type {string[]} */
  let shownNumbers = sessionValues.load(storageName, []);
  /**
   * The missed orders of all updates; null before the first.
   * @type {Set<string> | null}
   */
  let known = null;

  /** @param {string[]} numbers */
  function show(numbers) {
    shownNumbers = numbers;
    sessionValues.save(storageName, numbers.length ? numbers : null);
    node.hidden = numbers.length === 0;
    text.textContent = numbers.length ? alertText(numbers) : '';
  }

  show(shownNumbers);
  return {
    node,
    /**
     * Alerts of orders that were missed since the last update. `closed` has only the newest orders; a missed order that
     * was placed days ago is in `changed`.
     * @param {import('./boardOrders.js').BoardSnapshot} snapshot
     */
    update({closed, changed = []}) {
      const missed = new Set([...closed, ...changed].filter(isMissed).map(({number}) => number));
      const earlier = known;
      const fresh = earlier ? [...missed].filter((number) => !earlier.has(number)) : [];
      known = new Set([...earlier ?? [], ...missed]);
      if (!fresh.length) return;
      show([...shownNumbers, ...fresh]);
      announce(alertText(fresh));
      playMissedSound();
    },
  };
}
