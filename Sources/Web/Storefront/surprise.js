// The surprise-me shelf: some of the menu in an order that a seed decides, and another one at the tap of a button. The seed stays for the
// visit, so that the way back finds the same shelf.

import {read} from './api.js';
import {itemCard, skeletons} from './cards.js';
import {el, fill, icon, say} from './dom.js';
import {doing} from './notice.js';
import {t} from './words.js';

const roll = () => Math.floor(Math.random() * 1_000_000);
let seed = roll();

/** A shelf of six. */
export function surpriseShelf() {
  const row = el('div.shelf', {tabindex: '0', role: 'group', 'aria-label': t('Surprise me')}, skeletons(6));
  const load = async () => {
    const page = await read(`/v1/menu?sort=random&seed=${seed}&limit=6`);
    fill(row, page.items.map((item) => itemCard(item)));
    row.scrollTo({left: 0});
  };
  const button = el('button.button.small.plain', {
    type: 'button',
    onclick: () => doing(button, async () => {
      seed = roll();
      await load();
      say(t('Shuffled.'));
    }),
  }, icon('shuffle'), t('Shuffle'));
  load().catch(() => fill(row));
  return el('section.surprise', {}, el('div.head', {}, el('h2', {}, t('Surprise me')), button), row);
}
