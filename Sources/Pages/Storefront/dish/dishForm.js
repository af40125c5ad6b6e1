// The form of a dish: option groups, texts, food information, and a button with the price or the missing choice.

import {announce, el, replaceChildren} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {money} from '../parts/money.js';
import {required} from '../parts/required.js';
import {t} from '../parts/translation.js';
import {selectionOf} from './dishRequest.js';
import {dishTextNames, dishTexts} from './dishTexts.js';
import {combinedFood, foodRows} from './foodInformation.js';
import {nutritionTable} from './nutritionTable.js';
import {optionGroupFields} from './optionGroupFields.js';
import {defaultSelection, missingChoices, offeredSelection, pricesOf, unitsOfOptions} from './selectionRules.js';

/** @typedef {import('./dishRequest.js').Dish} Dish */
/** @typedef {import('./dishRequest.js').HeldDish} HeldDish */
/**
 * @typedef {object} DishFormOptions
 * @property {HeldDish} [held]
 * @property {string} [verb]
 * @property {() => number} [times]
 * @property {(dish: Dish, button: HTMLButtonElement) => unknown} save
 * @property {(prices: {now: number, before: number}) => void} [onDraw]
 */

/**
 * The fields for the texts of a dish.
 * @param {Dish | undefined} dish
 */
const textFields = (dish) => dishTextNames.map((name) =>
  formField(name, dishTexts[name].label,
    {optional: true, maxlength: dishTexts[name].maxlength, autocomplete: 'off', value: dish?.[name] ?? null}));

/** Where the part of a dish begins in the path of an error. */
const partPattern = new RegExp(`options/|options$|(${Object.keys(dishTexts).join('|')})$`);

/**
 * The form of an item. `held` is the dish of a line; without it the form starts with the item's defaults. The button
 * shows `verb` and the price of `times()` units. `save` gets {menuItemId, options} and the texts; `onDraw` gets the
 * prices of one unit after each change.
 * @param {API.MenuItem} item
 * @param {DishFormOptions} options
 */
export function dishForm(item, {held, verb = t('Add to basket'), times = () => 1, save, onDraw = () => {}}) {
  const groups = item.optionGroups ?? [];
  const {choice, gone} = held ? offeredSelection(groups, held.options) : {choice: defaultSelection(groups), gone: []};
  const texts = textFields(held);
  const rows = el('dl.food');
  const table = el('table.nutrition');
  const food = el('div.facts', {}, rows, table);
  const message = el('p.warn', {role: 'alert', tabindex: '-1'},
    gone.length ? t('{titles}: no longer available.', {titles: gone.join(', ')}) : null);
  const chooserFields = optionGroupFields(groups, choice, {item, changed: () => { draw(); announceButton(); }});
  const chosen = el('div.groups', {}, chooserFields.nodes);
  const button = el('button.button.big', {type: 'button', onclick: () => {
    if (showChoiceErrors(missingChoices(groups, choice)
      .map(({path, words: what}) => [path, t('Please {what}.', {what})]))) return;
    save(dish(), button);
  }});

  const dish = () => ({
    menuItemId: item.id, ...Object.fromEntries(texts.map(({name, value}) => [name, value || null])),
    ...groups.length ? {options: selectionOf(choice)} : {},
  });
  const price = () => pricesOf({...item, optionGroups: groups}, choice);
  /** The button's text: the first missing choice, else `verb`, and the price. */
  const buttonText = () => {
    const [first] = missingChoices(groups, choice);
    return `${first ? `${first.title}: ${first.words}` : verb} · ${money(price().now * times(), item)}`;
  };
  const announceButton = () => announce(buttonText());

  function draw() {
    chooserFields.update();
    button.textContent = buttonText();
    const chosenOptions = item.contains ? unitsOfOptions(groups, choice) : [];
    replaceChildren(rows, foodRows(combinedFood(item, chosenOptions.map(({option}) => option))));
    replaceChildren(table, nutritionTable(item, chosenOptions));
    onDraw(price());
  }

  /**
   * Shows the errors at their groups and moves to the first. Returns whether there are any.
   * @param {Array<[string, string]>} errors
   */
  function showChoiceErrors(errors) {
    /** @type {HTMLElement | null} */
    let first = null;
    for (const [path, text] of errors) {
      /** @type {NodeListOf<HTMLElement>} */
      const nodes = chosen.querySelectorAll(`[data-path="${CSS.escape(path)}"]`);
      for (const node of nodes) {
        node.dataset.wanting = 'true';
        replaceChildren(required(node.querySelector('.error')), text);
        first ??= node;
      }
    }
    first?.focus({preventScroll: true});
    first?.scrollIntoView({block: 'center'});
    return first !== null;
  }

  /**
   * Shows the server's errors at their groups and at the texts. The other errors appear above the form.
   * @param {{errors: API.FieldError[], detail?: string}} problem
   */
  function showErrors(problem) {
    /** @type {Array<[string, string]>} */
    const paths = problem.errors.map(({field: path, message: text}) =>
      [path.slice(Math.max(0, path.search(partPattern))), text]);
    /** @param {[string, string]} entry */
    const isShown = ([path]) => Object.hasOwn(dishTexts, path)
      || chosen.querySelector(`[data-path="${CSS.escape(path)}"]`);
    for (const text of texts) text.showError(paths.find(([path]) => path === text.name)?.[1]);
    replaceChildren(message, paths.length ? paths.filter((entry) => !isShown(entry)).map(([, text]) => text).join(' ')
      : problem.detail);
    if (!showChoiceErrors(paths)) (texts.find(({error}) => error)?.input ?? message).focus();
  }

  draw();
  return {
    chosen, texts: texts.map(({node}) => node), food, message, button, draw, showErrors, get dish() { return dish(); },
  };
}
