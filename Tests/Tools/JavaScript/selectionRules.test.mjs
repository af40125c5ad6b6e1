// dish/selectionRules.js, judged by the oracle that also judges the server: Tests/Tools/Selections. WELMS_SEED repeats
// a run.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import test from 'node:test';
import {fileURLToPath} from 'node:url';
import {openPage} from './page.mjs';

const page = openPage();
const rules = await page.load('dish/selectionRules.js');
const {selectionOf} = await page.load('dish/dishRequest.js');

const levels = 3;
const seed = Number(process.env.WELMS_SEED ?? Math.floor(Math.random() * 1e9));

/** Runs a program of the oracle. Returns the values of its output, one JSON value for each line. */
function runOracle(file, {options = [], lines = []} = {}) {
  const program = fileURLToPath(new URL(`../Selections/${file}`, import.meta.url));
  const output = execFileSync('/usr/bin/python3', ['-B', program, ...options], {
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), encoding: 'utf8', maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return output.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

const byPosition = (a, b) => a.position - b.position || a.id - b.id;

/** The option groups as the API offers them: without retired ones, sorted, and with the default values. */
const offeredGroups = ({optionGroups = []}, level = 1) => (level > levels ? [] : optionGroups)
  .filter(({isRetired}) => !isRetired).sort(byPosition)
  .map((group) => ({minimum: 0, maximum: null, included: 0, title: `Group ${group.id}`, ...group,
    options: group.options.filter(({isRetired}) => !isRetired).sort(byPosition).map((option) =>
      ({isDefault: false, isAvailable: true, ...option, optionGroups: offeredGroups(option, level + 1)}))}));

function offeredItem({price, salePercent = 0, ...item}) {
  return {price, currentPrice: Math.floor((price * (100 - salePercent) + 50) / 100),
    optionGroups: offeredGroups(item)};
}

/** A selection with all quantities and defaults, in the same order. */
const completeChoice = (groups, sent) => {
  const options = groups.flatMap((group) => group.options);
  const entries = sent ?? options.filter(({isDefault}) => isDefault).map(({id}) => ({optionId: id}));
  return entries.map(({optionId, quantity = 1, options: below}) => ({optionId, quantity,
    options: completeChoice(options.find(({id}) => id === optionId)?.optionGroups ?? [], below)}));
};

const areQuantitiesUsual = (choice) => choice.every(({quantity, options}) =>
  quantity >= 1 && quantity <= 99 && areQuantitiesUsual(options));

const cases = runOracle('cases.py', {options: ['--seed', seed, '--count', 600, '--judged']})
  .map(({case: {item, options}, judgement}) => {
    const offered = offeredItem(item);
    return {item, options, judgement, offered, choice: completeChoice(offered.optionGroups, options)};
  });
const accepted = cases.filter(({judgement}) => judgement.accepted);

/** Calls `check` for each case; a failure names the seed and the case. Returns the sum of its results. */
function forEachCase(all, check) {
  let count = 0;
  for (const one of all) {
    try {
      count += check(one) ?? 1;
    } catch (error) {
      error.message += `\nseed ${seed}: ${JSON.stringify({item: one.item, options: one.options})}`;
      throw error;
    }
  }
  return count;
}

const ownTotal = (row) => row.total - row.options.reduce((sum, {total}) => sum + total, 0);

test('The page and the oracle calculate the same prices with and without the sale', () => {
  const count = forEachCase(accepted, ({offered, choice, judgement}) => {
    const {now, before} = rules.pricesOf(offered, choice);
    assert.deepEqual({now, before}, {now: judgement.unitPrice, before: judgement.regularUnitPrice});
  });
  assert.ok(count > 100, `only ${count} cases were accepted`);
});

/** Compares the options of a level, and those below, with the oracle's rows. Returns the number of free options. */
function checkIncluded(groups, choice, rows) {
  let count = 0;
  for (const group of groups) for (const option of group.options) {
    const own = rows.filter(({optionId}) => optionId === option.id);
    if (!own.length) continue;
    const isFree = option.price > 0 && own.every((row) => ownTotal(row) === 0);
    assert.equal(rules.isIncluded(group, option, choice), isFree, `option ${option.id} of group ${group.id}`);
    count += Number(isFree);
    for (const entry of choice.filter(({optionId}) => optionId === option.id)) {
      const below = JSON.stringify(selectionOf(entry.options));
      const row = own.find(({options}) => JSON.stringify(selectionOf(options)) === below);
      count += checkIncluded(option.optionGroups, entry.options, row.options);
    }
  }
  return count;
}

test('The page marks the chosen options as included that the oracle does not charge, in any order of the taps', () => {
  const count = forEachCase(accepted, ({offered, choice, judgement}) =>
    checkIncluded(offered.optionGroups, choice, judgement.options)
    + checkIncluded(offered.optionGroups, [...choice].reverse(), judgement.options));
  assert.ok(count > 50, `only ${count} options were included`);
});

test('The page marks an option as included that is not chosen if the oracle charges nothing more with it', () => {
  const questions = accepted.flatMap(({item, offered, choice, judgement}) => offered.optionGroups
    .filter(({included, maximum}) => included && maximum !== 1).flatMap((group) => group.options
      .filter((option) => option.price > 0 && !choice.some(({optionId}) => optionId === option.id))
      .map((option) => ({item, group, option, offered, choice, judgement,
        options: [...choice, rules.newSelectionEntry(option)]}))));
  const complete = ({optionGroups = [], ...parent}) => ({salePercent: null, ...parent,
    optionGroups: optionGroups.map((group) => ({minimum: 0, maximum: null, included: 0, isRetired: false, ...group,
      options: group.options.map((option) => complete({isDefault: false, isAvailable: true, isRetired: false,
        ...option}))}))});
  const answers = runOracle('oracle.py',
    {lines: questions.map(({item, options}) => ({item: complete(item), options}))});
  const cost = ({options}, group) => options.filter(({groupId}) => groupId === group.id)
    .reduce((sum, row) => sum + ownTotal(row), 0);
  const found = {true: 0, false: 0};
  for (const [index, {group, option, choice, judgement}] of questions.entries()) {
    if (!answers[index].accepted) continue;
    const isFree = cost(answers[index], group) === cost(judgement, group);
    assert.equal(rules.isIncluded(group, option, choice), isFree, `seed ${seed}: ${JSON.stringify(questions[index])}`);
    found[isFree] += 1;
  }
  assert.ok(found.true > 3 && found.false > 3, JSON.stringify(found));
});

test('The page asks for the same missing options as the oracle, on each level', () => {
  const usual = cases.filter(({choice}) => areQuantitiesUsual(choice));
  const count = forEachCase(usual, ({offered, choice, judgement}) => {
    const expected = judgement.violations.filter(({code}) => code === 'option_group_minimum')
      .map(({path, params: {minimum, chosen}}) =>
        `${path}: choose ${minimum - chosen}${chosen > 0 ? ' more' : ''}`);
    const missing = rules.missingChoices(offered.optionGroups, choice).map(({path, words}) => `${path}: ${words}`);
    assert.deepEqual([...new Set(missing)].sort(), expected.sort());
    return expected.length;
  });
  assert.ok(count > 20, `only ${count} options were missing`);
});

test('The defaults of the page are those of the oracle', () => {
  const count = forEachCase(accepted.filter(({options}) => options == null), ({offered, judgement}) => {
    const selection = selectionOf(rules.defaultSelection(offered.optionGroups));
    assert.deepEqual(selection, selectionOf(judgement.options));
    return selection.length;
  });
  assert.ok(count > 5, `only ${count} defaults`);
});

test('The page and the oracle count the same units of each option for one unit of the dish', () => {
  const add = (counts, id, units) => counts.set(id, (counts.get(id) ?? 0) + units);
  const addRows = (counts, rows, times = 1) => rows.forEach((row) => {
    add(counts, row.optionId, row.quantity * times);
    addRows(counts, row.options, row.quantity * times);
  });
  forEachCase(accepted, ({offered, choice, judgement}) => {
    const [own, expected] = [new Map(), new Map()];
    for (const {option, units} of rules.unitsOfOptions(offered.optionGroups, choice)) add(own, option.id, units);
    addRows(expected, judgement.options);
    assert.deepEqual([...own].sort(([a], [b]) => a - b), [...expected].sort(([a], [b]) => a - b));
  });
});

const option = (id, price, more = {}) =>
  ({id, price, title: `Option ${id}`, isDefault: false, isAvailable: true, optionGroups: [], ...more});
const group = (id, options, more = {}) =>
  ({id, title: `Group ${id}`, minimum: 0, maximum: null, included: 0, options, ...more});
const entry = (optionId, quantity = 1, options = []) => ({optionId, quantity, options});

test('Of equally priced options the one with the lowest id is included, whichever was tapped first', () => {
  const sauces = group(1, [option(12, 50), option(11, 50)], {included: 1});
  for (const choice of [[entry(11), entry(12)], [entry(12), entry(11)]]) {
    assert.equal(rules.isIncluded(sauces, sauces.options[1], choice), true);
    assert.equal(rules.isIncluded(sauces, sauces.options[0], choice), false);
  }
});

test('In a group for one option, another option replaces the chosen one and is therefore included', () => {
  const sauces = group(1, [option(11, 50), option(12, 50)], {included: 1, maximum: 1});
  assert.equal(rules.isIncluded(sauces, sauces.options[1], [entry(11)]), true);
});

test('An option without a price is never marked as included', () => {
  const sauces = group(1, [option(11, 0), option(12, -50)], {included: 1});
  for (const sauce of sauces.options) for (const choice of [[], [entry(sauce.id)]]) {
    assert.equal(rules.isIncluded(sauces, sauce, choice), false);
  }
});

test('A default that is not available is not selected', () => {
  const sizes = group(1, [option(11, 0, {isDefault: true, isAvailable: false}), option(12, 0, {isDefault: true})]);
  assert.deepEqual(rules.defaultSelection([sizes]), [entry(12)]);
});

test('A stored selection keeps the options that are still offered, and names the others', () => {
  const below = group(2, [option(21, 0)]);
  const offered = [group(1, [option(11, 0, {optionGroups: [below]})])];
  const stored = [
    {optionId: 11, quantity: 2, title: 'Menu', options: [
      {optionId: 21, title: 'Ice', options: null}, {optionId: 22, title: 'Lemon'}]},
    {optionId: 13, quantity: 1, title: 'Onions'},
  ];
  assert.deepEqual(rules.offeredSelection(offered, stored),
    {choice: [entry(11, 2, [entry(21)])], gone: ['Lemon', 'Onions']});
});
