// A message with a reload button that stays until the guest closes it. Shown if the server has a newer version, or
// after an unexpected error.

import {announce, el, icon} from './dom.js';
import {reloadPage} from './reload.js';
import {t} from './translation.js';

/**
 * Shows the message, unless one is already shown.
 * @param {string} text
 */
export function offerReload(text) {
  if (document.querySelector('.reload')) return;
  /** @type {HTMLElement} */
  const node = el('aside.reload', {'aria-label': t('Message')}, el('p', {}, text),
    el('button.undo', {type: 'button', onclick: reloadPage}, t('Reload')),
    el('button.round', {type: 'button', 'aria-label': t('Close'), onclick: () => node.remove()}, icon('cross')));
  document.body.append(node);
  announce(text);
}

/** Shows a message after every unhandled error. */
export function reportUnexpectedErrors() {
  /** @param {unknown} error */
  const report = (error) => !(error instanceof Error && error.name === 'AbortError')
    && offerReload(t('Something went wrong on this page. If it stops working, please reload it.'));
  // Errors of browser extensions have other addresses.
  addEventListener('error', ({error, filename}) => error && filename.startsWith(location.origin) && report(error));
  addEventListener('unhandledrejection', ({reason}) => report(reason));
}
