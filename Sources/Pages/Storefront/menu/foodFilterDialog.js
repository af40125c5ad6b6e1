// The dialog for allergens and diet.

import {allergens, dietName, diets} from '../dish/foodInformation.js';
import {el} from '../parts/dom.js';
import {t, translatedName} from '../parts/translation.js';

/**
 * Resolves to the new filter, {without: ['milk'], diet: 'vegan' or ''}, or to null if the dialog was cancelled.
 * @param {{without: string[], diet: string}} filter
 * @returns {Promise<{without: string[], diet: string} | null>}
 */
export function askForFoodFilter({without, diet}) {
  return new Promise((resolve) => {
    const checkboxes =
      allergens.map((name) => el('input', {type: 'checkbox', value: name, checked: without.includes(name)}));
    const choices =
      ['', ...diets].map((name) => el('input', {type: 'radio', name: 'diet', value: name, checked: name === diet}));
    const dietNames = [t('any'), ...diets.map(dietName)];
    /** @param {HTMLInputElement} input @param {string} text */
    const row = (input, text) => el('li', {}, el('label.option', {}, input, el('span.words', {}, text)));
    /** @type {{without: string[], diet: string} | null} */
    let answer = null;
    const title = el('h2', {id: 'sheet-title', tabindex: '-1'}, t('Allergens and diet'));
    /** @type {HTMLDialogElement} */
    const dialog = el('dialog.sheet', {'aria-labelledby': 'sheet-title', onclose: () => {
      dialog.remove();
      resolve(answer);
    }, onclick: (event) => event.target === dialog && dialog.close()},
    el('header', {}, title),
    el('div.body', {},
      el('p.quiet', {},
        `${t('We show only dishes that are known to suit you as they are served.')} ${
          t('Dishes that may contain traces are left out.')}`),
      el('fieldset.group', {}, el('legend', {}, t('Without')),
        el('ul.pairs', {}, checkboxes.map((input) => row(input, translatedName(input.value))))),
      el('fieldset.group', {}, el('legend', {}, t('Diet')),
        el('ul.pairs', {}, choices.map((input, index) => row(input, dietNames[index]))))),
    el('footer', {},
      el('button.button.plain', {type: 'button', onclick: () => close([], '')}, t('Show all')),
      el('button.button',
        {type: 'button',
          onclick: () => close(checkboxes.filter(({checked}) => checked).map(({value}) => value),
            choices.find(({checked}) => checked)?.value ?? '')}, t('Show these dishes'))));
    /** @param {string[]} names @param {string} name */
    function close(names, name) {
      answer = {without: names, diet: name};
      dialog.close();
    }
    document.body.append(dialog);
    dialog.showModal();
    title.focus();
  });
}
