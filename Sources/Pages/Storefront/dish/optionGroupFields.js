// The controls of a dish's option groups: radio buttons, checkboxes and counters. Nested groups open below their
// option. Changes the given selection in place; the rules are in selectionRules.js.

import {el, icon, reconcile, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {t} from '../parts/translation.js';
import {fewLeft, unavailableText} from './availability.js';
import {signedMoney} from './dishList.js';
import {optionFood} from './foodInformation.js';
import {isIncluded, newSelectionEntry, selectedUnits} from './selectionRules.js';

/** @typedef {import('../parts/dom.js').IconName} IconName */
/** @typedef {import('./selectionRules.js').SelectionEntry} SelectionEntry */
/** @typedef {{item: API.MenuItem, path: string, changed: () => void}} Context */
/** @typedef {{isSingleChoice: boolean, isFull: () => boolean, replacesChoice: boolean}} Limits */
/** @typedef {Record<'more' | 'less', () => void> & {units: () => number, isFree: () => boolean}} Actions */
/** @typedef {Context & Actions & {id: string}} ControlContext */

let groupCount = 0;

/**
 * For example "Choose 1" or "Up to 6, 3 included".
 * @param {API.OptionGroup} group
 */
function choiceHint({minimum, maximum, included}) {
  const many = maximum === null ? minimum ? t('At least {minimum}', {minimum}) : t('As many as you like')
    : minimum === maximum ? t('Choose {minimum}', {minimum}) : minimum ? t('{minimum} to {maximum}', {minimum, maximum})
    : t('Up to {maximum}', {maximum});
  return included ? t('{many}, {included} included', {many, included}) : many;
}

/**
 * The title, the price and the allergens of an option: {nodes, update}. `isFree` tells whether the price includes the
 * option.
 * @param {API.Option} option
 * @param {API.MenuItem} item
 * @param {boolean} isChosen
 * @param {() => boolean} isFree
 */
function optionText(option, item, isChosen, isFree) {
  const price = el('span');
  return {
    nodes: [
      el('span.words', {}, el('span', langOf(option), option.title), el('small', {}, optionFood(option, item))),
      el('span.extra', {}, option.isAvailable
        ? [fewLeft(option) ? el('small', {}, fewLeft(option)) : null, option.price ? price : null]
        : el('small.gone', {}, isChosen ? t('{what}: please choose another', {what: unavailableText(option)})
          : unavailableText(option))),
    ],
    update() {
      const text = isFree() ? t('included') : signedMoney(option.price, item);
      if (price.textContent !== text) price.textContent = text;
    },
  };
}

/**
 * The groups of an item or an option: {nodes, update}. `choice` is changed in place, and `changed` is called after each
 * change. The server's errors name the groups by `path`.
 * @param {API.OptionGroup[]} groups
 * @param {SelectionEntry[]} choice
 * @param {{item: API.MenuItem, path?: string, changed: () => void}} options
 * @returns {{nodes: HTMLElement[], update(): void}}
 */
export function optionGroupFields(groups, choice, {item, path = 'options', changed}) {
  const all = groups.filter(({options}) => options.length)
    .map((group) => groupFields(group, choice, {item, path: `${path}/${group.id}`, changed}));
  return {nodes: all.map(({node}) => node), update() { for (const entry of all) entry.update(); }};
}

/** @param {API.OptionGroup} group @param {SelectionEntry[]} choice @param {Context} context */
function groupFields(group, choice, context) {
  const id = `group-${groupCount += 1}`;
  const error = el('p.error', {id: `${id}-error`});
  const limits = {
    isSingleChoice: group.minimum === 1 && group.maximum === 1,
    isFull: () => group.maximum !== null && selectedUnits(group, choice) >= group.maximum,
    /** With a maximum of one, a new option replaces the old one. */
    replacesChoice: group.maximum === 1,
  };
  const options = group.options.map((option) => optionRow(option, group, choice, limits, {...context, id}));
  const node = el('fieldset.group', {'data-path': context.path, 'aria-describedby': error.id, tabindex: '-1'},
    el('legend', {}, el('span', langOf(group), group.title), ' ', el('small', {}, choiceHint(group))), error,
    el('ul', {}, options.map((option) => option.node)));
  return {
    node,
    update() {
      for (const option of options) option.update();
      if (selectedUnits(group, choice) >= group.minimum && node.dataset.wanting) {
        delete node.dataset.wanting;
        replaceChildren(error);
      }
    },
  };
}

/**
 * @param {API.Option} option
 * @param {API.OptionGroup} group
 * @param {SelectionEntry[]} choice
 * @param {Limits} limits
 * @param {Context & {id: string}} context
 */
function optionRow(option, group, choice, limits, context) {
  const ownEntries = () => choice.filter(({optionId}) => optionId === option.id);
  const units = () => ownEntries().reduce((sum, {quantity}) => sum + quantity, 0);
  /** @param {SelectionEntry} entry */
  const removeEntry = (entry) => choice.splice(choice.indexOf(entry), 1);

  function more() {
    if (limits.replacesChoice) {
      for (const other of choice.filter(({optionId}) => group.options.some(({id}) => id === optionId))) {
        removeEntry(other);
      }
    }
    const [entry] = ownEntries();
    // An option with nested groups has an entry per unit, because each unit has its own nested choice.
    if (entry && !option.optionGroups.length) entry.quantity += 1;
    else choice.push(newSelectionEntry(option));
    context.changed();
  }
  function less() {
    const entry = ownEntries().at(-1);
    if (!entry) return;
    if (entry.quantity > 1) entry.quantity -= 1;
    else removeEntry(entry);
    context.changed();
  }

  const makeControl = option.maximum > 1 && !limits.isSingleChoice && !limits.replacesChoice ? counter : toggle;
  const isFree = () => isIncluded(group, option, choice);
  const control = makeControl(option, limits, {...context, units, more, less, isFree});
  const nested = option.optionGroups.length ? nestedGroups(option, ownEntries, context) : null;
  return {
    node: el('li', {'data-option': option.id}, control.node, nested?.node),
    update() {
      control.update();
      nested?.update();
    },
  };
}

/**
 * The nested groups of each unit of an option. `entries` returns the option's entries of the selection.
 * @param {API.Option} option
 * @param {() => SelectionEntry[]} entries
 * @param {Context} context
 */
function nestedGroups(option, entries, {item, path, changed}) {
  const node = el('div.below');
  /** @type {Map<SelectionEntry, {nodes: HTMLElement[], update(): void, heading: HTMLElement}>} */
  const levels = new Map();
  return {node, update() {
    const current = entries();
    for (const entry of [...levels.keys()]) if (!current.includes(entry)) levels.delete(entry);
    let number = 1;
    const nodes = current.flatMap((entry) => {
      let level = levels.get(entry);
      if (!level) {
        const fields = optionGroupFields(option.optionGroups, entry.options,
          {item, path: `${path}/${option.id}`, changed});
        level = {...fields, heading: el('p.unit')};
        levels.set(entry, level);
      }
      level.update();
      level.heading.textContent = `${option.title}, ${entry.quantity > 1
        ? t('{minimum} to {maximum}', {minimum: number, maximum: number + entry.quantity - 1}) : number}`;
      number += entry.quantity;
      return current.length > 1 ? [level.heading, ...level.nodes] : level.nodes;
    });
    reconcile(node, nodes);
  }};
}

/**
 * A checkbox or radio button.
 * @param {API.Option} option
 * @param {Limits} limits
 * @param {ControlContext} context
 */
function toggle(option, limits, {item, id, units, more, less, isFree}) {
  const text = optionText(option, item, units() > 0, isFree);
  /** @type {HTMLInputElement} */
  const input = el('input', {
    type: limits.isSingleChoice ? 'radio' : 'checkbox', name: id, onchange: () => (input.checked ? more() : less()),
  });
  const node = el('label.option', {}, input, text.nodes);
  return {node, update() {
    text.update();
    input.checked = units() > 0;
    // An option that sold out after it was chosen can be deselected.
    input.disabled = !input.checked && (!option.isAvailable || (!limits.replacesChoice && limits.isFull()));
    node.classList.toggle('off', input.disabled);
  }};
}

/**
 * A counter, for an option that can be chosen several times.
 * @param {API.Option} option
 * @param {Limits} limits
 * @param {ControlContext} context
 */
function counter(option, limits, {item, units, more, less, isFree}) {
  const text = optionText(option, item, units() > 0, isFree);
  const limit = Math.min(option.maximum, option.left ?? option.maximum);
  /** @param {IconName} name @param {string} label @param {() => void} action */
  const stepButton = (name, label, action) => el('button.round', {
    type: 'button', 'aria-label': `${label}: ${option.title}`,
    onclick: (event) => event.currentTarget.getAttribute('aria-disabled') !== 'true' && action(),
  }, icon(name));
  const [minus, plus] = [stepButton('minus', t('One less'), less), stepButton('plus', t('One more'), more)];
  const number = el('span');
  const node = el('div.option', {role: 'group', 'aria-label': option.title}, text.nodes,
    el('div.steps', {}, minus, el('span.quantity', {'aria-live': 'polite'}, number), plus));
  return {node, update() {
    text.update();
    number.textContent = String(units());
    minus.setAttribute('aria-disabled', String(units() === 0));
    plus.setAttribute('aria-disabled', String(!option.isAvailable || units() >= limit || limits.isFull()));
    node.classList.toggle('off', !option.isAvailable && units() === 0);
  }};
}
