// What can be done in one tap about what can't be had of the basket: without an option, as many as are left, or out of it. The errors are the
// checkout's, which names what is meant. Loaded where something can't be had; used by screens/basket.js and refusals.js.

import {read, remembered} from './api.js';
import {changeLine, changeSale, removeDish, removeSale, removeSaleItem} from './basket.js';
import {optionOf, placeAt} from './changes.js';
import {choiceOf, unitOf} from './chosen.js';
import {notice} from './notice.js';
import {wanting} from './selection.js';
import {t} from './words.js';

const without = (options, id) => (options ?? []).filter(({optionId}) => optionId !== id).map((one) => ({...one, options: without(one.options, id)}));
/** How often an option is in one unit of what it was chosen with; without an option, the dish itself once. */
const unitsIn = (options, id) => (id ? (options ?? []).reduce((sum, one) => sum + one.quantity * ((one.optionId === id) + unitsIn(one.options, id)), 0) : 1);

/** Of a line how many can be had, when the basket's others stay as they are. */
function fitting(line, {available, optionId}, {lines, sales}) {
  const each = unitsIn(line.options, optionId);
  const others = [...lines, ...sales.flatMap((set) => set.items)]
    .filter((one) => one !== line && (optionId || one.menuItemId === line.menuItemId)).reduce((sum, one) => sum + one.quantity * unitsIn(one.options, optionId), 0);
  return each ? Math.min(line.quantity, Math.floor((available - others) / each)) : 0;
}

/** The errors of a basket with what can be done about each: {text, fixes: [{name, about, work}]}. The text is null where the server's own says it; an
 *  option that is out is named by it, once for all its units. */
export async function withFixes(errors, now) {
  const basket = now ?? {lines: [], sales: []};
  const dishes = errors.filter(({params, field}) => params?.optionId && field).map(({field}) => placeAt(field, basket).dish?.menuItemId).filter(Boolean);
  await Promise.all([...new Set(dishes)].map((id) => read(`/v1/menu/${id}`).catch(() => null)));
  const all = errors.map((error) => ({...error, ...mend(error, basket)}));
  return all.filter(({text}, index) => !text || all.findIndex((one) => one.text === text) === index);
}

/** The errors of a set whose sale was retired or changed. */
const saleCodes = ['sale_not_offered', 'sale_changed'];

/** Gives a set the units that its sale has now. A unit that the sale still has keeps what the guest chose. */
async function updateSet({salesGroupId, items}) {
  const sale = await read(`/v1/sales/${salesGroupId}`);
  const left = new Map();
  for (const {menuItem, quantity} of sale.items) left.set(menuItem.id, (left.get(menuItem.id) ?? 0) + quantity);
  const units = items.flatMap((item) => {
    const kept = Math.min(item.quantity, left.get(item.menuItemId) ?? 0);
    left.set(item.menuItemId, (left.get(item.menuItemId) ?? 0) - kept);
    return Array(kept).fill(unitOf(item));
  });
  await changeSale(salesGroupId, units);
}

/** The fixes for a set whose sale was retired or changed: its removal, and an update if the sale still exists. */
function fixesOfSet(set, code) {
  const {salesGroupId, title} = set;
  const update = {name: t('Update it'), about: title, work: async () => {
    await updateSet(set);
    notice(t('{title} is up to date.', {title}));
  }};
  const remove = {name: t('Remove it'), about: title, work: async () => {
    await removeSale(salesGroupId);
    notice(t('{title} was removed from the basket.', {title}));
  }};
  return code === 'sale_changed' ? [update, remove] : [remove];
}

function mend(error, basket) {
  const {params = {}, code, field = ''} = error;
  const {dish, set} = placeAt(field, basket);
  if (set && saleCodes.includes(code)) return {text: null, fixes: fixesOfSet(set, code)};
  if (!dish) return {text: null, fixes: []};
  const {title, menuItemId, quantity} = dish;
  const option = optionOf(dish.options, params.optionId);
  const out = {name: t('Remove it'), work: async () => {
    await (set ? removeSaleItem(set.salesGroupId, menuItemId) : removeDish(dish));
    notice(t('{title} was removed from the basket.', {title}));
  }};
  const to = (name, work) => ({name, work: async () => {
    await work();
    notice(t('Your changes to {title} are saved.', {title}));
  }});
  const fixes = [];
  if (option) {
    const rest = choiceOf(without(dish.options, option.optionId));
    const groups = remembered(`/v1/menu/${menuItemId}`)?.optionGroups;
    const units = () => set.items.flatMap((one) => Array(one.quantity).fill(unitOf(one.menuItemId === menuItemId ? {...one, options: without(one.options, option.optionId)} : one)));
    if (groups && !wanting(groups, rest).length) {
      fixes.push(to(t('Without {option}', {option: option.title}), () => (set ? changeSale(set.salesGroupId, units()) : changeLine(dish.lineId, {options: rest}))));
    }
  }
  const many = code === 'stock_short' && !set ? fitting(dish, params, basket) : 0;
  if (many > 0 && many < quantity) fixes.push(to(t('Change to {count}', {count: many}), () => changeLine(dish.lineId, {quantity: many})));
  if (!option || !fixes.length) fixes.push(out);
  const text = !option ? null : code === 'option_sold_out' || params.available === 0 ? t('{option} is sold out ({title}).', {option: option.title, title})
    : code === 'stock_short' ? `${option.title} (${title}): ${t('Only {count} left', {count: params.available})}` : null;
  return {text, fixes: fixes.map((fix) => ({...fix, about: title}))};
}
