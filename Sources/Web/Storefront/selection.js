// What a choice of options costs, what is still wanting in it and what it is made of: the rules of the server once more, so that the button tells the
// price while one chooses. A choice is a list as a request has it: [{optionId, quantity, options}]. Used by the chooser and the dish's form; the
// price that counts is the server's.

import {t} from './words.js';

/** One of each default that can be had. */
export const defaultsOf = (groups) => groups.flatMap((group) => group.options.filter((option) => option.isDefault && option.isAvailable))
  .map(oneOf);

/** One unit of an option, with what comes with it. */
export function oneOf(option) {
  return {optionId: option.id, quantity: 1, options: defaultsOf(option.optionGroups)};
}

/** What of a line's options is still offered, as a choice, and the titles of what is not. */
export function fitting(groups, options) {
  const offered = new Map(groups.flatMap((group) => group.options).map((option) => [option.id, option]));
  const gone = [];
  const choice = options.flatMap(({optionId, quantity, title, options: below}) => {
    const option = offered.get(optionId);
    if (!option) {
      gone.push(title);
      return [];
    }
    const rest = fitting(option.optionGroups, below);
    gone.push(...rest.gone);
    return [{optionId, quantity, options: rest.choice}];
  });
  return {choice, gone};
}

/** What was chosen from a group: each entry with its option. */
const chosenFrom = (group, choice) => choice.flatMap((entry) => {
  const option = group.options.find(({id}) => id === entry.optionId);
  return option ? [{option, entry}] : [];
});

const unitsOf = (chosen) => chosen.reduce((sum, {entry}) => sum + entry.quantity, 0);

/** How many units of a group are chosen. */
export const unitsIn = (group, choice) => unitsOf(chosenFrom(group, choice));

/** By each entry that was chosen from a group, how many of its units cost nothing. The cheapest units that cost something
 *  are included first. */
function freeUnits(group, choice) {
  const free = new Map();
  let included = group.included;
  for (const {option, entry} of chosenFrom(group, choice).sort((a, b) => a.option.price - b.option.price)) {
    const units = option.price > 0 ? Math.min(included, entry.quantity) : 0;
    included -= units;
    free.set(entry, units);
  }
  return free;
}

/** Whether an option with a price costs nothing: all of its chosen units are included, or the first one would be. */
export function isIncluded(group, option, choice) {
  if (option.price <= 0 || !group.included) return false;
  const mine = choice.filter(({optionId}) => optionId === option.id);
  const free = freeUnits(group, choice);
  if (mine.length) return mine.every((entry) => free.get(entry) === entry.quantity);
  const others = group.maximum === 1 ? [] : choice;
  const cost = (all) => {
    const included = freeUnits(group, all);
    const own = ({option: one, entry}) => one.price * (entry.quantity - included.get(entry));
    return chosenFrom(group, all).reduce((sum, chosen) => sum + own(chosen), 0);
  };
  return cost([...others, {optionId: option.id, quantity: 1, options: []}]) === cost(others);
}

/** What a choice adds to one unit of what it lies below. The cheapest units that cost something are included first; what lies below an option
 *  counts once for each of its units, whether that one is included or not. */
export function extraOf(groups, choice) {
  let sum = 0;
  for (const group of groups) {
    const free = freeUnits(group, choice);
    for (const {option, entry} of chosenFrom(group, choice)) {
      const below = extraOf(option.optionGroups, entry.options);
      sum += option.price * (entry.quantity - free.get(entry)) + below * entry.quantity;
    }
  }
  return sum;
}

/** What one unit of an item costs with a choice, now and without its sale, which lowers the item's own price only. Never less than nothing. */
export function pricesOf(item, choice) {
  const extra = extraOf(item.optionGroups, choice);
  return {now: Math.max(0, item.currentPrice + extra), before: Math.max(0, item.price + extra)};
}

/** The groups of which more must be chosen, as they stand on the page: {path, title, words}. */
export const wanting = (groups, choice, path = 'options') => groups.flatMap((group) => {
  const chosen = chosenFrom(group, choice);
  const more = group.minimum - unitsOf(chosen);
  return [
    ...more > 0 ? [{path: `${path}/${group.id}`, title: group.title, words: more < group.minimum ? t('choose {count} more', {count: more}) : t('choose {count}', {count: more})}] : [],
    ...chosen.flatMap(({option, entry}) => wanting(option.optionGroups, entry.options, `${path}/${group.id}/${option.id}`)),
  ];
});

/** All options of a choice, on all levels, with how many units of each are in one unit of the item: {option, units}. */
export const unitsOfOptions = (groups, choice, times = 1) => groups.flatMap((group) => chosenFrom(group, choice))
  .flatMap(({option, entry}) => [{option, units: times * entry.quantity}, ...unitsOfOptions(option.optionGroups, entry.options, times * entry.quantity)]);
