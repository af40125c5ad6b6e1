// The start animation: a burger that comes together, once on entering and once after a bill. It lies over the page without taking a tap,
// and there is none for guests who asked their system for less motion. Drawn by screens.css.

import {el} from './dom.js';

const wantsLess = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Plays it. */
export function playIntro() {
  if (wantsLess()) return;
  const layers = ['crown', 'leaf', 'patty', 'heel'].map((name) => el(`i.${name}`));
  const stage = el('div.intro', {'aria-hidden': 'true'}, el('div.burger', {}, layers));
  document.body.append(stage);
  stage.addEventListener('animationend', (event) => event.target === stage && stage.remove());
}

/** Plays it when the guest comes in; going on from screen to screen, or loading again, is not coming in. */
export function playIntroOnEntering() {
  try {
    if (sessionStorage.getItem('welms.entered')) return;
    sessionStorage.setItem('welms.entered', 'yes');
  } catch {
    return;
  }
  playIntro();
}
