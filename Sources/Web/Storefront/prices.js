// A price with the old one crossed out beside it, said in words to screen readers.

import {el} from './dom.js';
import {money} from './money.js';
import {t} from './words.js';

/** What it costs, and what it cost without its sale if that differs; `of` is what has the currency. */
export function prices(now, before, of) {
  if (before == null || before === now) return el('span.prices', {}, el('span.now', {}, money(now, of)));
  return el('span.prices', {},
    el('span.unseen', {}, `${t('now')} `), el('span.now', {}, money(now, of)),
    el('span.unseen', {}, `, ${t('before')} `), el('s.before', {}, money(before, of)));
}
