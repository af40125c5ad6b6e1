// The "Surprise me" shelf: random dishes by a seed, with a button for another seed. The seed stays until the page is
// reloaded, so that Back shows the same dishes.

import {read} from '../parts/api.js';
import {announce, el, icon, replaceChildren} from '../parts/dom.js';
import {runBusy} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {itemCard, placeholderCards} from './cards.js';

const newSeed = () => Math.floor(Math.random() * 1_000_000);
let seed = newSeed();

/** A shelf of six dishes. */
export function surpriseShelf() {
  const row = el('div.shelf', {tabindex: '0', role: 'group', 'aria-label': t('Surprise me')}, placeholderCards(6));
  const load = async () => {
    const page = await read(`/v1/menu?sort=random&seed=${seed}&limit=6`);
    replaceChildren(row, page.items.map((item) => itemCard(item)));
    row.scrollTo({left: 0});
  };
  /** @type {HTMLButtonElement} */
  const button = el('button.button.small.plain', {
    type: 'button',
    onclick: () => runBusy(button, async () => {
      seed = newSeed();
      await load();
      announce(t('Shuffled.'));
    }),
  }, icon('shuffle'), t('Shuffle'));
  load().catch(() => replaceChildren(row));
  return el('section.surprise', {}, el('div.head', {}, el('h2', {}, t('Surprise me')), button), row);
}
