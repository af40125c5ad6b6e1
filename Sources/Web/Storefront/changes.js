// What costs something else than the guest was shown, line by line. Used by the checkout.

import {el} from './dom.js';
import {money} from './money.js';
import {nameOf} from './totals.js';
import {named, t} from './words.js';

/** Which lines and sets cost something else in the newer quote, and the total: as the server tells of changes. In another currency there
 * is nothing to compare but what was shown, the total. */
export function differences(before, after) {
  const total = {path: 'total', old: before.total, new: after.total, was: before};
  if (before.currency !== after.currency) return [total];
  const changes = [['lines', 'lineId'], ['sales', 'salesGroupId']].flatMap(([list, id]) => after[list].flatMap((one) => {
    const old = before[list].find((other) => other[id] === one[id] && other.quantity === one.quantity);
    return old && old.total !== one.total ? [{path: `${list}/${one[id]}`, old: old.total, new: one.total}] : [];
  }));
  return [...changes, total];
}

/** What stands at a path of the server's, `lines/3`, `sales/200`, `sales/200/items/2002`, in a basket or a quote: {set, dish}; a line is a dish of no set. */
export function placeAt(path, {lines = [], sales = []}) {
  const [list, id, , item] = path.split('/');
  const set = sales.find((one) => list === 'sales' && one.salesGroupId === Number(id));
  const dish = list === 'lines' ? lines.find((line) => line.lineId === Number(id)) : set?.items.find((one) => one.menuItemId === Number(item));
  return {set, dish};
}

/** Its title, with the option that is meant: `lines/3/options/91/9101`, or by its number. */
export function titleAt(path, basket, meant) {
  const {set, dish} = placeAt(path, basket);
  return dish ? withOption(dish, path, meant) : set?.title;
}

/** An option of a dish, on whichever level. */
export const optionOf = (options, id) => (options ?? []).flatMap((one) => (one.optionId === id ? [one] : optionOf(one.options, id) ?? []))[0];

function withOption(dish, path, meant) {
  const ids = (path.split('/options/')[1] ?? '').split('/').map(Number);
  let {title, options} = dish;
  const one = optionOf(options, meant);
  if (one) return `${title}, ${one.title}`;
  for (let index = 1; index < ids.length; index += 2) {
    const option = options?.find(({optionId}) => optionId === ids[index]);
    if (!option) break;
    [title, options] = [`${title}, ${option.title}`, option.options];
  }
  return title;
}

/** A list of them, old → new, with the names of the quote. */
export function changeList(changes, quote) {
  // Two amounts, or two codes of currencies.
  const write = (value, of) => (typeof value === 'string' ? value : money(value, of));
  const name = (path) => {
    if (path === 'currency') return t('Currency');
    if (path.startsWith('totals/')) {
      const [, kind, code] = path.split('/');
      const total = quote.totals.find((one) => one.kind === kind && one.code === code);
      return total ? nameOf(total, quote) : named(kind, kind[0].toUpperCase() + kind.slice(1).replaceAll('_', ' '));
    }
    return titleAt(path, quote) ?? t('Total');
  };
  return el('ul', {}, changes.map((change) => el('li', {}, `${name(change.path)}: `,
    el('s', {}, write(change.old, change.was ?? quote)), ' → ', el('strong', {}, write(change.new, quote)))));
}
