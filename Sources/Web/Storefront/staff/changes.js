// Who of the staff has changed what, the newest first, by a tap here or in SQL: for managers, in the tab of the shop. Read when it is opened, a page
// at a time. Read next: door.js.

import {el, fill} from '../dom.js';
import {doing} from '../notice.js';
import {dateAndSecond} from '../when.js';
import {readStaff} from './door.js';

/** What the tables are called here; others have their own names. */
const things = {
  orders: 'Order', menu_items: 'Dish', options: 'Option', item_stock: 'Stock of dish', option_stock: 'Stock of option', shop: 'Shop',
  opening_exceptions: 'Hours of', staff_members: 'Staff member', coupons: 'Coupon', categories: 'Category', translations: 'Translation',
};
const name = (column) => column.replaceAll('_', ' ');
const value = (text) => text || (text === '' ? '“”' : 'none');

/** What is different, a line each. */
function differences({before, after}) {
  const columns = Object.keys(after ?? before);
  if (before && after) return columns.map((column) => `${name(column)}: ${value(before[column])} → ${value(after[column])}`);
  return [after ? 'added' : 'deleted', ...columns.map((column) => `${name(column)}: ${value((after ?? before)[column])}`)];
}

const row = (change) => el('li', {'data-change': change.id},
  el('b', {}, change.who, el('small', {}, change.role ?? 'SQL')),
  el('span', {}, `${things[change.what] ?? change.what} ${change.subject ?? ''}`, differences(change).map((line) => el('small', {}, line)),
    change.why ? el('small', {}, `“${change.why}”`) : null),
  el('time.quiet', {datetime: change.at}, dateAndSecond(change.at)));

/** The section at the end of the tab. */
export function changes() {
  const list = el('ol.events');
  const more = el('button.button.plain', {type: 'button', hidden: true, onclick: () => doing(more, () => look(more.dataset.cursor))}, 'Show earlier changes');
  const all = el('details.done', {ontoggle: () => all.open && open()}, el('summary', {}, 'Who changed what'), list, el('p.row', {}, more));

  async function look(cursor) {
    const page = await readStaff(`/v1/staff/audit?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
    if (!cursor) list.replaceChildren();
    list.append(...page.items.map(row));
    more.hidden = page.nextCursor === null;
    more.dataset.cursor = page.nextCursor ?? '';
  }

  async function open() {
    fill(list, el('li.quiet', {}, 'One moment…'));
    try {
      await look();
      if (!list.children.length) fill(list, el('li.quiet', {}, 'No changes yet.'));
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      fill(list, el('li.quiet', {}, problem.detail));
    }
  }
  return el('section.doing', {'aria-labelledby': 'changes'}, el('h2', {id: 'changes'}, 'Changes'), all);
}
