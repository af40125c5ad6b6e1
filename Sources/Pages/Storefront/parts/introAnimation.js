// The start animation: a burger that assembles itself, once per visit and once after an order. It does not block taps,
// and is skipped for guests who prefer reduced motion.

import {el} from './dom.js';

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Plays the animation. */
export function playIntro() {
  if (prefersReducedMotion()) return;
  const layers = ['crown', 'leaf', 'patty', 'heel'].map((name) => el(`i.${name}`));
  const stage = el('div.intro', {'aria-hidden': 'true'}, el('div.burger', {}, layers));
  document.body.append(stage);
  stage.addEventListener('animationend', (event) => event.target === stage && stage.remove());
}

/** Plays the animation once per visit; reloads and navigation do not repeat it. */
export function playIntroOnEntering() {
  try {
    if (sessionStorage.getItem('welms.entered')) return;
    sessionStorage.setItem('welms.entered', 'yes');
  } catch {
    return;
  }
  playIntro();
}
