// Toasts: short messages that are also announced to screen readers. A toast covers the header, or the lower edge of a
// wide screen if no control is there.

import {Problem} from './api.js';
import {announce, el} from './dom.js';
import {required} from './required.js';
import {t} from './translation.js';

/** @type {number | undefined} */
let timer;
/** @type {number | undefined} */
let positionTimer;

/**
 * Moves the toast over the header if it would cover a control. Repeated on scroll and resize, and every 250 ms because
 * the page may be redrawn.
 */
function positionToast() {
  const toast = document.querySelector('.toast');
  if (!toast) return clearInterval(positionTimer);
  toast.classList.remove('above');
  const box = toast.getBoundingClientRect();
  /** @param {DOMRect} other */
  const covers = ({left, right, top, bottom}) =>
    left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  const buttons = [
    ...document.querySelectorAll(':is(main, .bar) :is(.button, .round, .chip, input, textarea, select)')];
  toast.classList.toggle('above', buttons.some((button) => covers(button.getBoundingClientRect())));
  return undefined;
}

addEventListener('scroll', positionToast, {passive: true});
addEventListener('resize', positionToast);

/**
 * A toast with an undo button, placed after the screen's heading. The heading gets the focus when the focused element
 * was removed, so the undo button is the next tab stop.
 * @param {string} text
 * @param {() => Promise<unknown>} undo
 * @param {string | null} about
 */
function undoToast(text, undo, about) {
  /** @type {HTMLElement | null} */
  const h1 = document.querySelector('main h1');
  const heading = h1 ?? required(document.getElementById('main'));
  const toast = el('p.toast', {}, el('span', {id: 'toast'}, text),
    el('button.undo', {type: 'button', 'aria-describedby': 'toast', onclick: () => {
      heading.focus({preventScroll: true});
      toast.remove();
      void runAndReport(undo, about);
    }}, t('Undo')));
  heading.after(toast);
  return toast;
}

/**
 * Shows a toast for some seconds. A toast with `undo` stays while the guest hovers over it or focuses it.
 * @param {string} text
 * @param {{isProblem?: boolean, undo?: (() => Promise<unknown>) | false | null, about?: string | null}} options
 */
export function showToast(text, {isProblem = false, undo = null, about = null} = {}) {
  document.querySelector('.toast')?.remove();
  const toast = undo ? undoToast(text, undo, about) : el('p.toast', {'aria-hidden': 'true'}, el('span', {}, text));
  if (isProblem) toast.classList.add('problem');
  if (!undo) document.body.append(toast);
  positionToast();
  clearInterval(positionTimer);
  positionTimer = setInterval(positionToast, 250);
  announce(text);
  clearTimeout(timer);
  const end = () => (toast.matches(':hover, :focus-within') ? wait() : toast.remove());
  const wait = () => { timer = setTimeout(end, undo ? 8_000 : isProblem ? 6_000 : 2_500); };
  wait();
}

/**
 * Runs `action`, and shows a toast if it fails. After a rejection the toast begins with `about`, a dish or a set.
 * @param {() => unknown} action
 * @param {string | null} [about]
 */
export async function runAndReport(action, about = null) {
  try {
    await action();
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') return;
    if (!(problem instanceof Problem)) throw problem;
    const why = problem.errors[0]?.message ?? problem.detail;
    const isRefusal = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
    showToast(about && isRefusal ? `${about}: ${why}` : why, {isProblem: true});
  }
}

/**
 * Does the same for a button, which ignores further taps until `action` is done.
 * @param {HTMLElement} button
 * @param {() => unknown} action
 * @param {string | null} [about]
 */
export async function runBusy(button, action, about = null) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  await runAndReport(action, about).finally(() => button.removeAttribute('aria-busy'));
}
