// The dishes of an order for the cook. Dishes are large, default options grey and other options bold. Excluded options
// are red after the word NO.

import {el} from '../parts/dom.js';
import {isTicked, setTicked} from './dishTicks.js';
import {optionGroupsOf} from './menuItemCache.js';

/** Titles of options that exclude something, in the languages of the pages. */
const exclusion = /^(?:no|without|ohne|kein\p{L}*|sin)(?=\s)/iu;
const allergy = /al+[eé]rg|anaph|anaf|intoleran|unverträglich/iu;

/** @param {API.LineOption} selected */
const countedTitle = ({quantity, title}) => `${quantity > 1 ? `${quantity} × ` : ''}${title}`;

/**
 * A selected option; `menuOption` is the option of the menu, if it is loaded.
 * @param {API.LineOption} selected
 * @param {API.Option | undefined} menuOption
 */
function optionText(selected, menuOption) {
  if (exclusion.test(selected.title)) {
    return el('b.excluded-option', {}, selected.title.replace(exclusion, (word) => word.toUpperCase()));
  }
  const isDefault = menuOption?.isDefault && selected.quantity === 1;
  return el(isDefault ? 'span.default-option' : 'b', {}, countedTitle(selected));
}

/**
 * The default options that the guest deselected. Groups with a minimum are skipped, because there another option
 * replaces the default.
 * @param {API.LineOptions} options
 * @param {API.OptionGroup[]} groups
 */
const deselectedDefaults = (options, groups) => groups.filter(({minimum}) => minimum === 0)
  .flatMap((group) => group.options.filter(({id, isDefault}) =>
    isDefault && !options.some(({optionId, groupId}) => optionId === id && groupId === group.id)));

/**
 * The selected options, with the options of options indented.
 * @param {API.LineOptions} options
 * @param {API.OptionGroup[] | null | undefined} groups
 * @returns {HTMLElement | null}
 */
function optionList(options, groups) {
  const menuOptions = new Map((groups ?? []).flatMap((group) =>
    group.options.map((option) => [`${group.id} ${option.id}`, option])));
  const rows = [
    ...options.map((selected) => {
      const menuOption = menuOptions.get(`${selected.groupId} ${selected.optionId}`);
      return el('li', {}, optionText(selected, menuOption), optionList(selected.options, menuOption?.optionGroups));
    }),
    ...deselectedDefaults(options, groups ?? [])
      .map(({title}) => el('li', {}, el('b.excluded-option', {}, `NO ${title}`))),
  ];
  return rows.length ? el('ul.chosen', {}, rows) : null;
}

/**
 * A text that the guest wrote. A text that mentions an allergy is marked and begins with the word ALLERGY.
 * @param {string} name
 * @param {string} text
 */
function guestText(name, text) {
  const hasAllergy = allergy.test(text);
  return el(hasAllergy ? `${name}.allergy` : name, {}, hasAllergy ? el('b', {}, 'ALLERGY ') : null, text);
}

/**
 * The guest's comment on the order.
 * @param {API.Order} order
 */
export const orderComment = ({customer}) =>
  (customer?.comment ? guestText('p.comment', `“${customer.comment}”`) : null);

/** @param {API.OrderLine} line @param {HTMLElement} name */
const dishContent = ({menuItemId, options, note}, name) =>
  [name, optionList(options, optionGroupsOf(menuItemId)), note ? guestText('q.note', note) : null];

/**
 * A dish; with `isTickable` a tap anywhere on it ticks it off.
 * @param {API.Order} order
 * @param {number} index
 * @param {API.OrderLine} line
 * @param {boolean} isTickable
 */
function dishRow(order, index, line, isTickable) {
  const name = el('b', {}, `${line.quantity} × ${line.title}`);
  if (!isTickable) return el('li', {}, dishContent(line, name));
  const checkbox = el('input', {
    type: 'checkbox', checked: isTicked(order, index),
    onchange: ({currentTarget}) => setTicked(order, index, currentTarget.checked),
  });
  return el('li.tick', {}, dishContent(line, el('label', {}, checkbox, name)));
}

/**
 * The dishes of an order; with `isTickable` each can be ticked off.
 * @param {API.Order} order
 * @param {boolean} [isTickable]
 */
export function cardDishes(order, isTickable = false) {
  let index = 0;
  /** @param {API.OrderLine} line */
  const nextRow = (line) => dishRow(order, index++, line, isTickable);
  return el('ul.dishes', {},
    order.lines.map(nextRow),
    order.sales.map((sale) => el('li', {}, `${sale.title}:`, el('ul.units', {}, sale.items.map(nextRow)))));
}
