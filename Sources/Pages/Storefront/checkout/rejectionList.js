// The checkout's errors about the basket, each with its dish and option, and with fixes.

import {dishAtPath, titleAtPath} from '../basket/errorPaths.js';
import {fixButtons} from '../basket/fixButtons.js';
import {loadDishSheet} from '../basket/loadDishSheet.js';
import {el, reconcile} from '../parts/dom.js';
import {errorSentence} from '../parts/errorSentence.js';
import {patch} from '../parts/patch.js';
import {runBusy} from '../parts/toast.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../basket/fixes.js').BasketError} BasketError */
/** @typedef {import('../basket/fixes.js').Fix} Fix */

/**
 * Shows errors in `container`: show(errors, basket). An error that remains keeps its element, so that no tap hits a
 * link that was just replaced.
 * @param {HTMLElement} container
 */
export function rejectionList(container) {
  /** @type {Map<string, ReturnType<typeof rejectionRow>>} */
  const rowsByKey = new Map();
  /** @param {BasketError[]} errors @param {API.Basket | null} basket */
  function show(errors, basket) {
    const keys = errors.map(({field, code}, index) =>
      `${field} ${code} ${errors.slice(0, index)
        .filter((error) => error.field === field && error.code === code).length}`);
    for (const key of [...rowsByKey.keys()]) if (!keys.includes(key)) rowsByKey.delete(key);
    reconcile(container, errors.map((error, index) => {
      const row = rowsByKey.get(keys[index]) ?? rejectionRow();
      rowsByKey.set(keys[index], row);
      row.update(error, errors, basket);
      return row.node;
    }));
  }
  return {show};
}

/** One error: {node, update}. */
function rejectionRow() {
  /** @type {API.BasketLine | null} */
  let line = null;
  /** @type {BasketError[]} */
  let ofLine = [];
  /** @type {Fix[]} */
  let currentFixes = [];
  let drawn = '';
  const words = document.createTextNode('');
  const change = el('button.link', {
    type: 'button', 'aria-haspopup': 'dialog',
    onclick: (event) =>
      runBusy(event.currentTarget, async () => {
        const sheet = await loadDishSheet();
        if (line) await sheet.askToChange(line, ofLine);
      }),
  }, t('Change it'));
  const toMenu = el('a', {href: '#/menu'}, t('See the menu'));
  const row = el('span.row.fixes');
  const node = el('p.warn', {}, words);

  /** @param {BasketError} error @param {BasketError[]} errors @param {API.Basket | null} basket */
  function update(error, errors, basket) {
    const {text: own = null, fixes = []} = error;
    /** @type {Pick<API.Basket, 'lines' | 'sales'>} */
    const content = basket ?? {lines: [], sales: []};
    const optionId = Number(error.params?.optionId) || undefined;
    const name = own ? null : titleAtPath(error.field ?? '', content, optionId);
    const text = own ?? errorSentence(error, basket);
    const {set, dish} = dishAtPath(error.field ?? '', content);
    line = !set && dish && (optionId || error.field.includes('/options')) ? dish : null;
    ofLine = errors.filter(({field}) => `${field}/`.startsWith(`lines/${line?.lineId}/`));
    if (line) change.setAttribute('aria-label', t('Change {title}', line));
    const link = line && ofLine[0] === error ? change : error.code === 'order_minimum_not_reached' ? toMenu : null;
    // Writes only changed texts, because screen readers announce each write.
    const message = `${name ? `${name}: ${text}` : text}${link ? ' ' : ''}`;
    if (words.data !== message) words.data = message;
    for (const entry of [change, toMenu]) if (entry !== link) entry.remove();
    if (link && link.parentNode !== node) words.after(link);
    currentFixes = fixes;
    const names = JSON.stringify(fixes);
    if (names === drawn) return;
    drawn = names;
    // Runs the newest fix at this position, because the basket may have changed since the button was drawn.
    const all = fixes.map((fix, index) => ({...fix, action: () => currentFixes[index].action()}));
    patch(row, fixButtons(all, '.checkout [type=submit]'));
    if (fixes.length) node.append(row);
    else row.remove();
  }
  return {node, update};
}
