// By when a new order has to be accepted, and how long that still is. Used by ticket.js, and by board.js as time passes.

import {now} from '../clock.js';
import {el} from '../dom.js';
import {day, time} from '../when.js';

/** What is told of it; null where nobody has to accept it. */
function told({acceptBy}) {
  if (!acceptBy) return null;
  const at = Date.parse(acceptBy), left = Math.floor((at - now()) / 1_000);
  if (left < 0) return {text: 'Not accepted in time', step: 'over'};
  const by = `accept by ${day(at) === 'today' ? '' : `${day(at)}, `}${time(at)}`;
  if (left >= 3_600) return {text: by, step: 'calm'};
  return {text: `${by} · ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`, step: left <= 120 ? 'soon' : 'calm'};
}

/** Its line on the card. */
export function deadlineLine(order) {
  const is = told(order);
  return is && el('p.deadline', {'data-step': is.step}, is.text);
}

/** The same a second later. */
export function tickDeadline(card, order) {
  const [line, is] = [card.querySelector('.deadline'), told(order)];
  if (!line || !is) return;
  if (line.textContent !== is.text) line.textContent = is.text;
  line.dataset.step = is.step;
}
