// What the checkout refuses of the basket, each with the dish and the option that are meant, and what can be done about it from here.
// Used by judging.js. Read next: fixes.js.

import {placeAt, titleAt} from './changes.js';
import {arrange, el} from './dom.js';
import {fixButtons} from './fixbuttons.js';
import {doing} from './notice.js';
import {loadPart} from './parts/loadPart.js';
import {onThisScreen} from './router.js';
import {patch} from './parts/patch.js';
import {sentenceOf} from './sentences.js';
import {t} from './words.js';

/** Tells in `place` what is refused: show(errors, basket), with the server's errors and what fixes.js knows of them. What is still refused keeps its
 *  element, whatever its words are now, so that no tap meets a link that was just replaced. */
export function refusals(place) {
  const made = new Map();
  return {show(errors, basket) {
    const keys = errors.map(({field, code}, index) => `${field} ${code} ${errors.slice(0, index).filter((one) => one.field === field && one.code === code).length}`);
    for (const key of [...made.keys()]) if (!keys.includes(key)) made.delete(key);
    arrange(place, errors.map((error, index) => {
      if (!made.has(keys[index])) made.set(keys[index], refusal());
      const one = made.get(keys[index]);
      one.update(error, errors, basket);
      return one.node;
    }));
  }};
}

/** One of them: {node, update}. */
function refusal() {
  let line = null, ofLine = [], drawn = '', now = [];
  const words = document.createTextNode('');
  const change = el('button.link', {
    type: 'button', 'aria-haspopup': 'dialog',
    onclick: (event) => doing(event.currentTarget, async () => (await onThisScreen(loadPart('sheet', () => import('./sheet.js')))).askToChange(line, ofLine)),
  }, t('Change it'));
  const toMenu = el('a', {href: '#/menu'}, t('See the menu'));
  const row = el('span.row.fixes');
  const node = el('p.warn', {}, words);

  function update(error, errors, basket) {
    const {text: own = null, fixes = []} = error;
    const name = own ? null : titleAt(error.field ?? '', basket ?? {}, error.params?.optionId);
    const text = own ?? sentenceOf(error, basket);
    const {set, dish} = placeAt(error.field ?? '', basket ?? {});
    line = !set && dish && (error.params?.optionId || error.field.includes('/options')) ? dish : null;
    ofLine = errors.filter(({field}) => `${field}/`.startsWith(`lines/${line?.lineId}/`));
    if (line) change.setAttribute('aria-label', t('Change {title}', line));
    const way = line && ofLine[0] === error ? change : error.code === 'order_minimum_not_reached' ? toMenu : null;
    // Only what is another is written: what is written is read aloud.
    const told = `${name ? `${name}: ${text}` : text}${way ? ' ' : ''}`;
    if (words.data !== told) words.data = told;
    for (const one of [change, toMenu]) if (one !== way) one.remove();
    if (way && way.parentNode !== node) words.after(way);
    now = fixes;
    const names = JSON.stringify(fixes);
    if (names === drawn) return;
    drawn = names;
    // The newest way of this name: the basket may be another one since.
    const all = fixes.map((one, index) => ({...one, work: () => now[index].work()}));
    patch(row, fixButtons(all, '.checkout [type=submit]'));
    if (fixes.length) node.append(row);
    else row.remove();
  }
  return {node, update};
}
