// The tags that narrow the menu, as chips: the commonest of the dishes that are shown, and the one that is wanted. Used by the menu's screen and
// by found.js.

import {read} from './api.js';
import {el} from './dom.js';
import {patch} from './parts/patch.js';
import {parameters} from './wanted.js';
import {t, tagName} from './words.js';

/** The twelve tags most of the menu has. */
function commonTags(items) {
  const counts = new Map();
  for (const tag of items.flatMap((item) => item.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([tag]) => tag).slice(0, 12);
}

/** The chips, behind the one that asks for allergens: {node, draw, offer}. Calls `changed` when another tag is wanted. */
export function tagChips(wanted, food, changed) {
  const node = el('div.chips', {role: 'group', 'aria-label': t('Filter the menu')}, food);
  let offered = '';

  const chip = (tag) => el('button.chip', {
    type: 'button', 'data-tag': tag, 'data-key': tag, 'aria-pressed': String(tag === wanted.tag),
    onclick: () => {
      wanted.tag = wanted.tag === tag ? '' : tag;
      for (const other of node.children) {
        if (other !== food) other.setAttribute('aria-pressed', String(other.dataset.tag === wanted.tag));
      }
      changed();
    },
  }, tagName(tag));

  function draw(items) {
    const common = commonTags(items);
    const tags = !wanted.tag || common.includes(wanted.tag) ? common : [wanted.tag, ...common];
    const now = tags.join();
    if (now === offered) return;
    offered = now;
    const left = node.scrollLeft;
    patch(node, [food, tags.map(chip)]);
    node.scrollLeft = left;
  }

  return {
    node,
    /** Shows those of these dishes. */
    draw,
    /** Shows the tags of what is found without one: each of them leads to something. */
    async offer(page, signal) {
      const query = parameters(wanted);
      query.delete('tag');
      query.set('limit', '100');
      const all = wanted.tag || page.nextCursor ? await read(`/v1/menu?${query}`, {signal}).catch((problem) => {
        if (problem.code === undefined && problem.name !== 'AbortError') throw problem;
      }) : page;
      if (all) draw(all.items);
    },
  };
}
