// The line on a card that shows the acceptance deadline of a new order and the time left.

import {el} from '../parts/dom.js';
import {serverNow} from '../parts/serverClock.js';
import {formatDay, formatTime} from '../parts/timeFormat.js';

/**
 * The text and its urgency; null for an order without a deadline.
 * @param {API.Order} order
 */
function deadlineStatus({acceptBy}) {
  if (!acceptBy) return null;
  const deadline = Date.parse(acceptBy), secondsLeft = Math.floor((deadline - serverNow()) / 1_000);
  if (secondsLeft < 0) return {text: 'Not accepted in time', step: 'over'};
  const text = `accept by ${formatDay(deadline) === 'today' ? '' : `${formatDay(deadline)}, `}${formatTime(deadline)}`;
  if (secondsLeft >= 3_600) return {text, step: 'calm'};
  const countdown = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
  return {text: `${text} · ${countdown} left`, step: secondsLeft <= 120 ? 'soon' : 'calm'};
}

/**
 * The line of an order; null for an order without a deadline.
 * @param {API.Order} order
 */
export function deadlineLine(order) {
  const status = deadlineStatus(order);
  return status && el('p.deadline', {'data-step': status.step}, status.text);
}

/**
 * Updates the line on a card as time passes.
 * @param {Element} card
 * @param {API.Order} order
 */
export function updateDeadline(card, order) {
  /** @type {HTMLElement | null} */
  const line = card.querySelector('.deadline');
  const status = deadlineStatus(order);
  if (!line || !status) return;
  if (line.textContent !== status.text) line.textContent = status.text;
  line.dataset.step = status.step;
}
