// A message that stays until the guest closes it, with a button that reloads the page: the page's version is gone from
// the server, or an unexpected error happened.

import {el, icon, say} from '../dom.js';
import {t} from '../words.js';
import {reloadPage} from './reload.js';

/** Shows the message, unless one is shown already. */
export function offerReload(text) {
  if (document.querySelector('.reload')) return;
  const node = el('aside.reload', {'aria-label': t('Message')}, el('p', {}, text),
    el('button.undo', {type: 'button', onclick: reloadPage}, t('Reload')),
    el('button.round', {type: 'button', 'aria-label': t('Close'), onclick: () => node.remove()}, icon('cross')));
  document.body.append(node);
  say(text);
}

/** Shows a message after each error that nothing else handles. */
export function reportUnexpectedErrors() {
  const tell = (error) => error?.name !== 'AbortError'
    && offerReload(t('Something went wrong on this page. If it stops working, please reload it.'));
  // Errors of browser extensions come from other addresses.
  addEventListener('error', ({error, filename}) => error && filename.startsWith(location.origin) && tell(error));
  addEventListener('unhandledrejection', ({reason}) => tell(reason));
}
