// The tag chips of the menu: the most common tags of the shown dishes, and the chosen tag.

import {Problem, read} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {t, tagName} from '../parts/translation.js';
import {queryParameters} from './searchCriteria.js';

/** @typedef {import('./searchCriteria.js').Criteria} Criteria */

/**
 * The twelve most common tags.
 * @param {API.MenuItem[]} items
 */
function commonTags(items) {
  const counts = new Map();
  for (const tag of items.flatMap((item) => item.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([tag]) => tag).slice(0, 12);
}

/**
 * The chips, after the chip for allergens: {node, draw, offer}. Calls `changed` when another tag is chosen.
 * @param {Criteria} criteria
 * @param {HTMLElement} food
 * @param {() => void} changed
 */
export function tagChips(criteria, food, changed) {
  const node = el('div.chips', {role: 'group', 'aria-label': t('Filter the menu')}, food);
  let drawnTags = '';

  /** @param {string} tag */
  const chip = (tag) => el('button.chip', {
    type: 'button', 'data-tag': tag, 'data-key': tag, 'aria-pressed': String(tag === criteria.tag),
    onclick: () => {
      criteria.tag = criteria.tag === tag ? '' : tag;
      for (const other of node.children) {
        if (other !== food) other.setAttribute('aria-pressed', String(other.getAttribute('data-tag') === criteria.tag));
      }
      changed();
    },
  }, tagName(tag));

  /** @param {API.MenuItem[]} items */
  function draw(items) {
    const common = commonTags(items);
    const tags = !criteria.tag || common.includes(criteria.tag) ? common : [criteria.tag, ...common];
    const key = tags.join();
    if (key === drawnTags) return;
    drawnTags = key;
    const left = node.scrollLeft;
    patch(node, [food, tags.map(chip)]);
    node.scrollLeft = left;
  }

  return {
    node,
    /** Shows the tags of these dishes. */
    draw,
    /**
     * Shows the tags of all results without the chosen tag, so that each tag has results.
     * @param {{items: API.MenuItem[], nextCursor: string | null}} page
     * @param {AbortSignal} signal
     */
    async offer(page, signal) {
      const query = queryParameters(criteria);
      query.delete('tag');
      query.set('limit', '100');
      const all = criteria.tag || page.nextCursor ? await read(`/v1/menu?${query}`, {signal}).catch((problem) => {
        const isAborted = problem instanceof DOMException && problem.name === 'AbortError';
        if (!isAborted && !(problem instanceof Problem)) throw problem;
      }) : page;
      if (all) draw(all.items);
    },
  };
}
