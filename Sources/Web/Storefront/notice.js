// A short word at the lower edge, read aloud too: what was put into the basket, or why not.

import {el, say} from './dom.js';

let timer;

/** Shows it for some seconds. */
export function notice(text, {isProblem = false} = {}) {
  document.querySelector('.toast')?.remove();
  const toast = el('p.toast', {'aria-hidden': 'true'}, text);
  if (isProblem) toast.classList.add('problem');
  document.body.append(toast);
  say(text);
  clearTimeout(timer);
  timer = setTimeout(() => toast.remove(), isProblem ? 6_000 : 2_500);
}

/** Does something a button asked for, once at a time, and says why it did not work. */
export async function doing(button, work) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await work();
  } catch (problem) {
    if (problem.name === 'AbortError') return;
    if (!problem.code) throw problem;
    notice(problem.errors[0]?.message ?? problem.detail, {isProblem: true});
  } finally {
    button.removeAttribute('aria-busy');
  }
}
