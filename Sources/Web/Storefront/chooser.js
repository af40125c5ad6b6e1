// The groups of a dish to choose from: one of several where exactly one must be chosen, else ticks and counters; what can be chosen with an option
// opens below it. Changes the choice that it was given, in place. Used by dish.js; the rules stand in selection.js.

import {signed} from './chosen.js';
import {arrange, el, fill, icon} from './dom.js';
import {optionFood} from './food.js';
import {langOf} from './lang.js';
import {isIncluded, oneOf, unitsIn} from './selection.js';
import {few, soldOut} from './soldout.js';
import {t} from './words.js';

let made = 0;

/** "Choose 1", "Up to 6, 3 of them free". */
function asked({minimum, maximum, included}) {
  const many = maximum === null ? minimum ? t('At least {minimum}', {minimum}) : t('As many as you like')
    : minimum === maximum ? t('Choose {minimum}', {minimum}) : minimum ? t('{minimum} to {maximum}', {minimum, maximum}) : t('Up to {maximum}', {maximum});
  return included ? t('{many}, {included} included', {many, included}) : many;
}

/** An option's title, price and food: {nodes, update}. `isFree` tells whether the option is included now. */
function words(option, item, isChosen, isFree) {
  const price = el('span');
  return {
    nodes: [
      el('span.words', {}, el('span', langOf(option), option.title), el('small', {}, optionFood(option, item))),
      el('span.extra', {}, option.isAvailable ? [few(option) ? el('small', {}, few(option)) : null, option.price ? price : null]
        : el('small.gone', {}, isChosen ? t('{what}: please choose another', {what: soldOut(option)}) : soldOut(option))),
    ],
    update() {
      const text = isFree() ? t('included') : signed(option.price, item);
      if (price.textContent !== text) price.textContent = text;
    },
  };
}

/** The groups of an item or of an option: {nodes, update}. `path` is the server's, `changed` is called after each change. */
export function chooser(groups, choice, {item, path = 'options', changed}) {
  const all = groups.filter(({options}) => options.length).map((group) => groupOf(group, choice, {item, path: `${path}/${group.id}`, changed}));
  return {nodes: all.map(({node}) => node), update() { for (const one of all) one.update(); }};
}

function groupOf(group, choice, context) {
  const id = `group-${made += 1}`;
  const error = el('p.error', {id: `${id}-error`});
  const limits = {
    isOne: group.minimum === 1 && group.maximum === 1,
    isFull: () => group.maximum !== null && unitsIn(group, choice) >= group.maximum,
    /** Another one of at most one takes its place. */
    isReplaced: group.maximum === 1,
  };
  const options = group.options.map((option) => optionOf(option, group, choice, limits, {...context, id}));
  const node = el('fieldset.group', {'data-path': context.path, 'aria-describedby': error.id, tabindex: '-1'},
    el('legend', {}, el('span', langOf(group), group.title), ' ', el('small', {}, asked(group))), error, el('ul', {}, options.map((option) => option.node)));
  return {
    node,
    update() {
      for (const option of options) option.update();
      if (unitsIn(group, choice) >= group.minimum && node.dataset.wanting) {
        delete node.dataset.wanting;
        fill(error);
      }
    },
  };
}

function optionOf(option, group, choice, limits, context) {
  const mine = () => choice.filter(({optionId}) => optionId === option.id);
  const units = () => mine().reduce((sum, {quantity}) => sum + quantity, 0);
  const drop = (entry) => choice.splice(choice.indexOf(entry), 1);

  function more() {
    if (limits.isReplaced) for (const other of choice.filter(({optionId}) => group.options.some((one) => one.id === optionId))) drop(other);
    const [entry] = mine();
    // Each unit that something can be chosen with is chosen for by itself.
    if (entry && !option.optionGroups.length) entry.quantity += 1;
    else choice.push(oneOf(option));
    context.changed();
  }
  function less() {
    const entry = mine().at(-1);
    if (entry.quantity > 1) entry.quantity -= 1;
    else drop(entry);
    context.changed();
  }

  const made = option.maximum > 1 && !limits.isOne && !limits.isReplaced ? counter : tick;
  const isFree = () => isIncluded(group, option, choice);
  const tap = made(option, limits, {...context, units, more, less, isFree});
  const below = option.optionGroups.length ? levelsBelow(option, mine, context) : null;
  return {
    node: el('li', {'data-option': option.id}, tap.node, below?.node),
    update() {
      tap.update();
      below?.update();
    },
  };
}

/** What is chosen with each of an option's units; `entries` are what the choice has of it. */
function levelsBelow(option, entries, {item, path, changed}) {
  const node = el('div.below');
  const levels = new Map();
  return {node, update() {
    const now = entries();
    for (const entry of [...levels.keys()]) if (!now.includes(entry)) levels.delete(entry);
    let number = 1;
    const nodes = now.flatMap((entry) => {
      if (!levels.has(entry)) {
        const level = chooser(option.optionGroups, entry.options, {item, path: `${path}/${option.id}`, changed});
        levels.set(entry, {...level, heading: el('p.unit')});
      }
      const level = levels.get(entry);
      level.update();
      level.heading.textContent = `${option.title}, ${entry.quantity > 1 ? t('{minimum} to {maximum}', {minimum: number, maximum: number + entry.quantity - 1}) : number}`;
      number += entry.quantity;
      return now.length > 1 ? [level.heading, ...level.nodes] : level.nodes;
    });
    arrange(node, nodes);
  }};
}

/** An option that is chosen or not. */
function tick(option, limits, {item, id, units, more, less, isFree}) {
  const text = words(option, item, units() > 0, isFree);
  const input = el('input', {
    type: limits.isOne ? 'radio' : 'checkbox', name: id, onchange: () => (input.checked ? more() : less()),
  });
  const node = el('label.option', {}, input, text.nodes);
  return {node, update() {
    text.update();
    input.checked = units() > 0;
    // What was chosen before it was sold out can be taken back.
    input.disabled = !input.checked && (!option.isAvailable || (!limits.isReplaced && limits.isFull()));
    node.classList.toggle('off', input.disabled);
  }};
}

/** An option of which several can be chosen. */
function counter(option, limits, {item, units, more, less, isFree}) {
  const text = words(option, item, units() > 0, isFree);
  const most = Math.min(option.maximum, option.left ?? option.maximum);
  const step = (name, label, work) => el('button.round', {
    type: 'button', 'aria-label': `${label}: ${option.title}`,
    onclick: (event) => event.currentTarget.getAttribute('aria-disabled') !== 'true' && work(),
  }, icon(name));
  const [minus, plus] = [step('minus', t('One less'), less), step('plus', t('One more'), more)];
  const number = el('span');
  const node = el('div.option', {role: 'group', 'aria-label': option.title}, text.nodes,
    el('div.steps', {}, minus, el('span.quantity', {'aria-live': 'polite'}, number), plus));
  return {node, update() {
    text.update();
    number.textContent = String(units());
    minus.setAttribute('aria-disabled', String(units() === 0));
    plus.setAttribute('aria-disabled', String(!option.isAvailable || units() >= most || limits.isFull()));
    node.classList.toggle('off', !option.isAvailable && units() === 0);
  }};
}
