// One-tap fixes for unavailable dishes in the basket: remove an option, reduce the quantity, or remove the dish. The
// fixes need the errors of the checkout, because only these name the option.

import {dishRequest, selectionOf} from '../dish/dishRequest.js';
import {missingChoices} from '../dish/selectionRules.js';
import {cachedBody, read} from '../parts/api.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {changeLine, changeSale, removeDish, removeSale, removeSaleItem} from './basket.js';
import {dishAtPath, findOption} from './errorPaths.js';

/** @typedef {import('./basket.js').BasketSet} BasketSet */
/** @typedef {{available?: number, optionId?: number}} StockParams The params of errors about the stock. */
/** @typedef {{name: string, about: string, action: () => Promise<void>}} Fix */
/** @typedef {API.FieldError & {text?: string | null, fixes?: Fix[]}} BasketError An error with its text and fixes. */

/** @param {API.LineOption[]} options @param {number} id @returns {API.LineOption[]} */
const withoutOption = (options, id) => (options ?? []).filter(({optionId}) => optionId !== id)
  .map((option) => ({...option, options: withoutOption(option.options, id)}));
/**
 * How often an option is contained in one unit of its dish. Without an id: 1, which stands for the dish itself.
 * @param {API.LineOption[]} options
 * @param {number | undefined} id
 * @returns {number}
 */
const optionUnits = (options, id) =>
  (id ? (options ?? [])
    .reduce((sum, option) =>
      sum + option.quantity * (Number(option.optionId === id) + optionUnits(option.options, id)), 0)
    : 1);

/**
 * The quantity of a line that the stock allows while the rest of the basket stays.
 * @param {API.BasketLine} line
 * @param {StockParams} params
 * @param {Pick<API.Basket, 'lines' | 'sales'>} basket
 */
function availableQuantity(line, {available = 0, optionId}, {lines, sales}) {
  const each = optionUnits(line.options, optionId);
  const others = [...lines, ...sales.flatMap((set) => set.items)]
    .filter((entry) => entry !== line && (optionId || entry.menuItemId === line.menuItemId))
    .reduce((sum, entry) => sum + entry.quantity * optionUnits(entry.options, optionId), 0);
  return each ? Math.min(line.quantity, Math.floor((available - others) / each)) : 0;
}

/**
 * Adds text and fixes to the errors of a basket: {text, fixes: [{name, about, action}]}. The text is null if the
 * server's own text fits. Errors with the same text appear once.
 * @param {API.FieldError[]} errors
 * @param {API.Basket | null} basketOrNull
 * @returns {Promise<BasketError[]>}
 */
export async function withFixes(errors, basketOrNull) {
  const basket = basketOrNull ?? {lines: [], sales: []};
  const dishes = errors.filter(({params, field}) => params?.optionId && field)
    .map(({field}) => dishAtPath(field, basket).dish?.menuItemId).filter(Boolean);
  await Promise.all([...new Set(dishes)].map((id) => read(`/v1/menu/${id}`).catch(() => null)));
  const all = errors.map((error) => ({...error, ...findFixes(error, basket)}));
  return all.filter(({text}, index) => !text || all.findIndex((entry) => entry.text === text) === index);
}

/** The errors of a set whose sale was retired or changed. */
const saleCodes = ['sale_not_offered', 'sale_changed'];

/**
 * Gives a set the current units of its sale. A unit that the sale still has keeps its options.
 * @param {BasketSet} set
 */
async function updateSet({salesGroupId, items}) {
  const sale = await read(`/v1/sales/${salesGroupId}`);
  const left = new Map();
  for (const {menuItem, quantity} of sale.items) left.set(menuItem.id, (left.get(menuItem.id) ?? 0) + quantity);
  const units = items.flatMap((item) => {
    const kept = Math.min(item.quantity, left.get(item.menuItemId) ?? 0);
    left.set(item.menuItemId, (left.get(item.menuItemId) ?? 0) - kept);
    return Array(kept).fill(dishRequest(item));
  });
  await changeSale(salesGroupId, units);
}

/**
 * The fixes for a set whose sale was retired or changed: its removal, and an update if the sale still exists.
 * @param {BasketSet} set
 * @param {string} code
 * @returns {Fix[]}
 */
function setFixes(set, code) {
  const {salesGroupId, title} = set;
  const update = {name: t('Update it'), about: title, action: async () => {
    await updateSet(set);
    showToast(t('{title} is up to date.', {title}));
  }};
  const remove = {name: t('Remove it'), about: title, action: async () => {
    await removeSale(salesGroupId);
    showToast(t('{title} was removed from the basket.', {title}));
  }};
  return code === 'sale_changed' ? [update, remove] : [remove];
}

/** @type {(error: API.FieldError) => StockParams} */
const stockParams = ({params}) => /** @type {StockParams} */ (/** @type {unknown} */ (params ?? {}));

/**
 * @param {API.FieldError} error
 * @param {Pick<API.Basket, 'lines' | 'sales'>} basket
 * @returns {{text: string | null, fixes: Fix[]}}
 */
function findFixes(error, basket) {
  const {code, field = ''} = error;
  const params = stockParams(error);
  const {dish, set} = dishAtPath(field, basket);
  if (set && saleCodes.includes(code)) return {text: null, fixes: setFixes(set, code)};
  if (!dish) return {text: null, fixes: []};
  const {title, menuItemId, quantity} = dish;
  const option = findOption(dish.options, params.optionId);
  const removal = {name: t('Remove it'), action: async () => {
    await (set ? removeSaleItem(set.salesGroupId, menuItemId) : removeDish(dish));
    showToast(t('{title} was removed from the basket.', {title}));
  }};
  /** @param {string} name @param {() => Promise<unknown>} action */
  const changeFix = (name, action) => ({name, action: async () => {
    await action();
    showToast(t('Your changes to {title} are saved.', {title}));
  }});
  const fixes = [];
  if (option) {
    const rest = selectionOf(withoutOption(dish.options, option.optionId));
    const groups = cachedBody(`/v1/menu/${menuItemId}`)?.optionGroups;
    const units = () =>
      set?.items.flatMap((item) => Array(item.quantity)
        .fill(dishRequest(item.menuItemId === menuItemId
          ? {...item, options: withoutOption(item.options, option.optionId)}
          : item)));
    if (groups && !missingChoices(groups, rest).length) {
      fixes.push(changeFix(t('Without {option}', {option: option.title}),
        () => (set ? changeSale(set.salesGroupId, units() ?? []) : changeLine(dish.lineId, {options: rest}))));
    }
  }
  const available = code === 'stock_short' && !set ? availableQuantity(dish, params, basket) : 0;
  if (available > 0 && available < quantity) {
    fixes.push(changeFix(t('Change to {count}', {count: available}),
      () => changeLine(dish.lineId, {quantity: available})));
  }
  if (!option || !fixes.length) fixes.push(removal);
  const text = !option ? null : code === 'option_sold_out' || params.available === 0
    ? t('{option} is sold out ({title}).', {option: option.title, title})
    : code === 'stock_short' ? `${option.title} (${title}): ${t('Only {count} left', {count: params.available})}`
    : null;
  return {text, fixes: fixes.map((fix) => ({...fix, about: title}))};
}
