// The rules for selected options: price, missing choices and included units. They repeat the server's rules, so that
// the button shows the price while the guest chooses. The server's price decides. A choice is a list in the format of
// requests: [{optionId, quantity, options}].

import {t} from '../parts/translation.js';

/** @typedef {{optionId: number, quantity: number, options: SelectionEntry[]}} SelectionEntry */
/** @typedef {{optionId: number, quantity?: number | null, title?: string, options?: HeldOption[] | null}} HeldOption */
/** @typedef {{option: API.Option, entry: SelectionEntry}} Selected */
/** @typedef {{option: API.Option, units: number}} UnitsOfOption */
/** @typedef {{path: string, title: string, words: string}} MissingChoice */

/**
 * One unit of each available default option.
 * @param {API.OptionGroup[]} groups
 * @returns {SelectionEntry[]}
 */
export const defaultSelection = (groups) =>
  groups.flatMap((group) => group.options.filter((option) => option.isDefault && option.isAvailable))
  .map(newSelectionEntry);

/**
 * One unit of an option, with the defaults of its nested groups.
 * @param {API.Option} option
 * @returns {SelectionEntry}
 */
export function newSelectionEntry(option) {
  return {optionId: option.id, quantity: 1, options: defaultSelection(option.optionGroups)};
}

/**
 * The options of a line that are still offered, and the titles of the others: {choice, gone}.
 * @param {API.OptionGroup[]} groups
 * @param {HeldOption[]} options
 * @returns {{choice: SelectionEntry[], gone: string[]}}
 */
export function offeredSelection(groups, options) {
  const offered = new Map(groups.flatMap((group) => group.options).map((option) => [option.id, option]));
  /** @type {string[]} */
  const gone = [];
  const choice = options.flatMap(({optionId, quantity, title, options: below}) => {
    const option = offered.get(optionId);
    if (!option) {
      gone.push(title ?? '');
      return [];
    }
    const rest = offeredSelection(option.optionGroups, below ?? []);
    gone.push(...rest.gone);
    return [{optionId, quantity: quantity ?? 1, options: rest.choice}];
  });
  return {choice, gone};
}

/**
 * The entries of a choice that belong to a group, each with its option.
 * @param {API.OptionGroup} group
 * @param {SelectionEntry[]} choice
 */
const selectedIn = (group, choice) => choice.flatMap((entry) => {
  const option = group.options.find(({id}) => id === entry.optionId);
  return option ? [{option, entry}] : [];
});

/** @param {Selected[]} chosen */
const unitCount = (chosen) => chosen.reduce((sum, {entry}) => sum + entry.quantity, 0);

/**
 * How many units of a group are chosen.
 * @param {API.OptionGroup} group
 * @param {SelectionEntry[]} choice
 */
export const selectedUnits = (group, choice) => unitCount(selectedIn(group, choice));

/**
 * The number of free units of each entry of a group. The cheapest units with a price are included first; of equally
 * priced options the one with the lowest id, as on the server.
 * @param {API.OptionGroup} group
 * @param {SelectionEntry[]} choice
 */
function freeUnits(group, choice) {
  const free = new Map();
  let included = group.included;
  const cheapestFirst = selectedIn(group, choice)
    .sort((a, b) => a.option.price - b.option.price || a.option.id - b.option.id);
  for (const {option, entry} of cheapestFirst) {
    const units = option.price > 0 ? Math.min(included, entry.quantity) : 0;
    included -= units;
    free.set(entry, units);
  }
  return free;
}

/**
 * Whether an option with a price is free: all its chosen units are included, or the first one would be.
 * @param {API.OptionGroup} group
 * @param {API.Option} option
 * @param {SelectionEntry[]} choice
 */
export function isIncluded(group, option, choice) {
  if (option.price <= 0 || !group.included) return false;
  const ownEntries = choice.filter(({optionId}) => optionId === option.id);
  const free = freeUnits(group, choice);
  if (ownEntries.length) return ownEntries.every((entry) => free.get(entry) === entry.quantity);
  const others = group.maximum === 1 ? [] : choice;
  /** @param {SelectionEntry[]} all */
  const cost = (all) => {
    const included = freeUnits(group, all);
    /** @param {Selected} selected */
    const own = ({option: {price}, entry}) => price * (entry.quantity - included.get(entry));
    return selectedIn(group, all).reduce((sum, chosen) => sum + own(chosen), 0);
  };
  return cost([...others, {optionId: option.id, quantity: 1, options: []}]) === cost(others);
}

/**
 * The surcharge of a choice. The cheapest units with a price are included first. Nested options count once for each
 * unit of their option, whether or not that unit is included.
 * @param {API.OptionGroup[]} groups
 * @param {SelectionEntry[]} choice
 * @returns {number}
 */
function extraPrice(groups, choice) {
  let sum = 0;
  for (const group of groups) {
    const free = freeUnits(group, choice);
    for (const {option, entry} of selectedIn(group, choice)) {
      const below = extraPrice(option.optionGroups, entry.options);
      sum += option.price * (entry.quantity - free.get(entry)) + below * entry.quantity;
    }
  }
  return sum;
}

/**
 * The price of one unit with a choice, with and without the sale. A sale lowers only the item's own price. Never
 * negative.
 * @param {Pick<API.MenuItem, 'price' | 'currentPrice'> & {optionGroups: API.OptionGroup[]}} item
 * @param {SelectionEntry[]} choice
 */
export function pricesOf(item, choice) {
  const extra = extraPrice(item.optionGroups, choice);
  return {now: Math.max(0, item.currentPrice + extra), before: Math.max(0, item.price + extra)};
}

/**
 * The groups that need more options, in page order: {path, title, words}.
 * @param {API.OptionGroup[]} groups
 * @param {SelectionEntry[]} choice
 * @param {string} [path]
 * @returns {MissingChoice[]}
 */
export const missingChoices = (groups, choice, path = 'options') => groups.flatMap((group) => {
  const chosen = selectedIn(group, choice);
  const more = group.minimum - unitCount(chosen);
  return [
    ...more > 0
      ? [{path: `${path}/${group.id}`, title: group.title,
        words: more < group.minimum ? t('choose {count} more', {count: more}) : t('choose {count}', {count: more})}]
      : [],
    ...chosen.flatMap(({option, entry}) =>
      missingChoices(option.optionGroups, entry.options, `${path}/${group.id}/${option.id}`)),
  ];
});

/**
 * All options of a choice on all levels, with their quantity per unit of the item: {option, units}.
 * @param {API.OptionGroup[]} groups
 * @param {SelectionEntry[]} choice
 * @param {number} [times]
 * @returns {UnitsOfOption[]}
 */
export const unitsOfOptions = (groups, choice, times = 1) => groups.flatMap((group) => selectedIn(group, choice))
  .flatMap(({option, entry}) =>
    [{option, units: times * entry.quantity},
      ...unitsOfOptions(option.optionGroups, entry.options, times * entry.quantity)]);
