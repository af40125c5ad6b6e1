// The audit section of the Shop tab, for managers: what staff changed here or in SQL, the newest change first.
// Loads when it is opened, one page at a time.

import {Problem} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {formatDateTimeSeconds} from '../parts/timeFormat.js';
import {runBusy} from '../parts/toast.js';
import {readAsStaff} from './authentication.js';

/**
 * The labels of tables; other tables appear under their own names.
 * @type {Record<string, string>}
 */
const tableLabels = {
  orders: 'Order', menu_items: 'Dish', options: 'Option', item_stock: 'Stock of dish', option_stock: 'Stock of option',
  shop: 'Shop', opening_exceptions: 'Hours of', staff_members: 'Staff member', coupons: 'Coupon',
  categories: 'Category', translations: 'Translation',
};
/** @param {string} column */
const columnLabel = (column) => column.replaceAll('_', ' ');
/** @param {string | null | undefined} text */
const valueText = (text) => text || (text === '' ? '“”' : 'none');

/**
 * The changed columns, one line each.
 * @param {API.AuditEntry} change
 */
function differences({before, after}) {
  const row = after ?? before ?? {};
  const columns = Object.keys(row);
  if (before && after) {
    return columns.map((column) =>
      `${columnLabel(column)}: ${valueText(before[column])} → ${valueText(after[column])}`);
  }
  return [after ? 'added' : 'deleted', ...columns.map((column) => `${columnLabel(column)}: ${valueText(row[column])}`)];
}

/** @param {API.AuditEntry} change */
const changeRow = (change) => el('li', {'data-change': change.id},
  el('b', {}, change.who, el('small', {}, change.role ?? 'SQL')),
  el('span', {}, `${tableLabels[change.what] ?? change.what} ${change.subject ?? ''}`,
    differences(change).map((line) => el('small', {}, line)),
    change.why ? el('small', {}, `“${change.why}”`) : null),
  el('time.quiet', {datetime: change.at}, formatDateTimeSeconds(change.at)));

/** The section at the end of the Shop tab. */
export function auditSection() {
  const list = el('ol.events');
  /** @type {HTMLButtonElement} */
  const more = el('button.button.plain', {
    type: 'button', hidden: true, onclick: () => runBusy(more, () => loadPage(more.dataset.cursor)),
  }, 'Show earlier changes');
  /** @type {HTMLDetailsElement} */
  const details = el('details.done', {ontoggle: () => details.open && loadFirstPage()},
    el('summary', {}, 'Who changed what'), list, el('p.row', {}, more));

  /** @param {string} [cursor] */
  async function loadPage(cursor) {
    const query = `limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    const page = await readAsStaff(`/v1/staff/audit?${query}`);
    if (!cursor) list.replaceChildren();
    list.append(...page.items.map(changeRow));
    more.hidden = page.nextCursor === null;
    more.dataset.cursor = page.nextCursor ?? '';
  }

  async function loadFirstPage() {
    replaceChildren(list, el('li.quiet', {}, 'One moment…'));
    try {
      await loadPage();
      if (!list.children.length) replaceChildren(list, el('li.quiet', {}, 'No changes yet.'));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      replaceChildren(list, el('li.quiet', {}, problem.detail));
    }
  }
  return el('section.shop-section', {'aria-labelledby': 'changes'}, el('h2', {id: 'changes'}, 'Changes'), details);
}
