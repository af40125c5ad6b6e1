// The banner below the header: offline, server out of reach, database unavailable, or an outdated menu.

import {replaceChildren} from './dom.js';
import {faults, menuStaleness, reachability} from './faultMonitor.js';
import {t} from './translation.js';

function bannerText() {
  if (reachability.value === 'offline') {
    return t('You are offline. This page may be out of date; you can order once you are back online.');
  }
  if (reachability.value === 'unreachable') {
    return t('We can’t reach the kitchen. We’ll keep trying; your basket is saved.');
  }
  if (faults.value.menu) return '';
  if (faults.value.database || menuStaleness.value > 0) {
    return t('Ordering is paused for a moment. You can still browse the menu; prices may have changed.');
  }
  return '';
}

/**
 * Keeps the banner up to date. The state `unreachable` is shown after one second, because a single lost answer is no
 * outage. A banner between two taps would move the buttons.
 * @param {HTMLElement} container
 */
export function startStatusBanner(container) {
  let timer = 0;
  const draw = () => {
    const next = bannerText();
    if (container.textContent === next) return;
    replaceChildren(container, next);
    container.classList.toggle('shown', Boolean(next));
  };
  const drawSoon = () => {
    clearTimeout(timer);
    if (reachability.value === 'unreachable') timer = setTimeout(draw, 1_000);
    else draw();
  };
  for (const source of [faults, reachability, menuStaleness]) source.watch(drawSoon);
  draw();
}
