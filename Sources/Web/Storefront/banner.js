// The line below the header: offline, out of reach, the database away, a menu that may have moved on. Nothing is said twice.

import {faults, reach, staleness} from './condition.js';
import {fill} from './dom.js';
import {t} from './words.js';

function text() {
  if (reach.value === 'offline') return t('You are offline. This page may be out of date; you can order once you are back online.');
  if (reach.value === 'unreachable') return t('We can’t reach the kitchen. We’ll keep trying; your basket is saved.');
  if (faults.value.menu) return '';
  if (faults.value.database || staleness.value > 0) {
    return t('Ordering is paused for a moment. You can still browse the menu; prices may have changed.');
  }
  return '';
}

/** Keeps the banner right. One lost answer is no outage, and a line that comes between two taps moves the buttons away: it waits a second. */
export function startBanner(place) {
  let timer = 0;
  const draw = () => {
    const next = text();
    if (place.textContent === next) return;
    fill(place, next);
    place.classList.toggle('shown', Boolean(next));
  };
  const drawSoon = () => {
    clearTimeout(timer);
    if (reach.value === 'unreachable') timer = setTimeout(draw, 1_000);
    else draw();
  };
  for (const source of [faults, reach, staleness]) source.watch(drawSoon);
  draw();
}
