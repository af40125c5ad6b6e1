// A short word, read aloud too: what was put into the basket, or why not. It lies over the header, or at the lower edge of a wide screen
// as long as nothing is there that one may want to tap next.

import {el, say} from './dom.js';

let timer, placing;

/** Up over the header, where it would lie on something to tap. Again with each movement of the page, and when something else is drawn. */
function place() {
  const toast = document.querySelector('.toast');
  if (!toast) return clearInterval(placing);
  toast.classList.remove('above');
  const box = toast.getBoundingClientRect();
  const covers = ({left, right, top, bottom}) => left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  const buttons = [...document.querySelectorAll(':is(main, .bar) :is(.button, .round, .chip, input, textarea, select)')];
  toast.classList.toggle('above', buttons.some((one) => covers(one.getBoundingClientRect())));
  return undefined;
}

addEventListener('scroll', place, {passive: true});
addEventListener('resize', place);

/** Shows it for some seconds. */
export function notice(text, {isProblem = false} = {}) {
  document.querySelector('.toast')?.remove();
  const toast = el('p.toast', {'aria-hidden': 'true'}, el('span', {}, text));
  if (isProblem) toast.classList.add('problem');
  document.body.append(toast);
  place();
  clearInterval(placing);
  placing = setInterval(place, 250);
  say(text);
  clearTimeout(timer);
  timer = setTimeout(() => toast.remove(), isProblem ? 6_000 : 2_500);
}

/** Does something, and says why it did not work. */
export async function trying(work) {
  try {
    await work();
  } catch (problem) {
    if (problem.name === 'AbortError') return;
    if (!problem.code) throw problem;
    notice(problem.errors[0]?.message ?? problem.detail, {isProblem: true});
  }
}

/** The same for a button that is not to be pressed again before it is done. */
export async function doing(button, work) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  await trying(work).finally(() => button.removeAttribute('aria-busy'));
}
