// A short word, read aloud too: what was put into the basket, or why not. It lies over the header, or at the lower edge of a wide screen
// as long as nothing is there that one may want to tap next.

import {el, say} from './dom.js';
import {t} from './words.js';

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

/** A notice of what can be taken back, behind the screen's heading: that has the focus when what was taken away had it, and the next stop is here. */
function undoable(text, undo, about) {
  const heading = document.querySelector('main h1') ?? document.getElementById('main');
  const toast = el('p.toast', {}, el('span', {id: 'toast'}, text), el('button.undo', {type: 'button', 'aria-describedby': 'toast', onclick: () => {
    heading.focus({preventScroll: true});
    toast.remove();
    trying(undo, about);
  }}, t('Undo')));
  heading.after(toast);
  return toast;
}

/** Shows it for some seconds; with `undo`, what that tells of can be taken back meanwhile, for as long as somebody is about to. */
export function notice(text, {isProblem = false, undo = null, about = null} = {}) {
  document.querySelector('.toast')?.remove();
  const toast = undo ? undoable(text, undo, about) : el('p.toast', {'aria-hidden': 'true'}, el('span', {}, text));
  if (isProblem) toast.classList.add('problem');
  if (!undo) document.body.append(toast);
  place();
  clearInterval(placing);
  placing = setInterval(place, 250);
  say(text);
  clearTimeout(timer);
  const end = () => (toast.matches(':hover, :focus-within') ? wait() : toast.remove());
  const wait = () => { timer = setTimeout(end, undo ? 8_000 : isProblem ? 6_000 : 2_500); };
  wait();
}

/** Does something, and says why it did not work. A refusal names the dish or the set that it is `about`. */
export async function trying(work, about = null) {
  try {
    await work();
  } catch (problem) {
    if (problem.name === 'AbortError') return;
    if (!problem.code) throw problem;
    const why = problem.errors[0]?.message ?? problem.detail;
    const isRefusal = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
    notice(about && isRefusal ? `${about}: ${why}` : why, {isProblem: true});
  }
}

/** The same for a button that is not to be pressed again before it is done. */
export async function doing(button, work, about = null) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  await trying(work, about).finally(() => button.removeAttribute('aria-busy'));
}
