// The rules for selected options: price, missing choices and included units. They repeat the server's rules, so that
// the button shows the price while the guest chooses. The server's price decides. A choice is a list in the format of
// requests: [{optionId, quantity, options}].

import {t} from '../parts/translation.js';

/** One unit of each available default option. */
export const defaultSelection = (groups) =>
  groups.flatMap((group) => group.options.filter((option) => option.isDefault && option.isAvailable))
  .map(newSelectionEntry);

/** One unit of an option, with the defaults of its nested groups. */
export function newSelectionEntry(option) {
  return {optionId: option.id, quantity: 1, options: defaultSelection(option.optionGroups)};
}

/** The options of a line that are still offered, and the titles of the others: {choice, gone}. */
export function offeredSelection(groups, options) {
  const offered = new Map(groups.flatMap((group) => group.options).map((option) => [option.id, option]));
  const gone = [];
  const choice = options.flatMap(({optionId, quantity, title, options: below}) => {
    const option = offered.get(optionId);
    if (!option) {
      gone.push(title);
      return [];
    }
    const rest = offeredSelection(option.optionGroups, below);
    gone.push(...rest.gone);
    return [{optionId, quantity, options: rest.choice}];
  });
  return {choice, gone};
}

/** The entries of a choice that belong to a group, each with its option. */
const selectedIn = (group, choice) => choice.flatMap((entry) => {
  const option = group.options.find(({id}) => id === entry.optionId);
  return option ? [{option, entry}] : [];
});

const unitCount = (chosen) => chosen.reduce((sum, {entry}) => sum + entry.quantity, 0);

/** How many units of a group are chosen. */
export const selectedUnits = (group, choice) => unitCount(selectedIn(group, choice));

/** The number of free units of each entry of a group. The cheapest units with a price are included first. */
function freeUnits(group, choice) {
  const free = new Map();
  let included = group.included;
  for (const {option, entry} of selectedIn(group, choice).sort((a, b) => a.option.price - b.option.price)) {
    const units = option.price > 0 ? Math.min(included, entry.quantity) : 0;
    included -= units;
    free.set(entry, units);
  }
  return free;
}

/** Whether an option with a price is free: all its chosen units are included, or the first one would be. */
export function isIncluded(group, option, choice) {
  if (option.price <= 0 || !group.included) return false;
  const ownEntries = choice.filter(({optionId}) => optionId === option.id);
  const free = freeUnits(group, choice);
  if (ownEntries.length) return ownEntries.every((entry) => free.get(entry) === entry.quantity);
  const others = group.maximum === 1 ? [] : choice;
  const cost = (all) => {
    const included = freeUnits(group, all);
    const own = ({option: {price}, entry}) => price * (entry.quantity - included.get(entry));
    return selectedIn(group, all).reduce((sum, chosen) => sum + own(chosen), 0);
  };
  return cost([...others, {optionId: option.id, quantity: 1, options: []}]) === cost(others);
}

/**
 * The surcharge of a choice. The cheapest units with a price are included first. Nested options count once for each
 * unit of their option, whether or not that unit is included.
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
 */
export function pricesOf(item, choice) {
  const extra = extraPrice(item.optionGroups, choice);
  return {now: Math.max(0, item.currentPrice + extra), before: Math.max(0, item.price + extra)};
}

/** The groups that need more options, in page order: {path, title, words}. */
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

/** All options of a choice on all levels, with their quantity per unit of the item: {option, units}. */
export const unitsOfOptions = (groups, choice, times = 1) => groups.flatMap((group) => selectedIn(group, choice))
  .flatMap(({option, entry}) =>
    [{option, units: times * entry.quantity},
      ...unitsOfOptions(option.optionGroups, entry.options, times * entry.quantity)]);
