// What a dish nourishes with: one portion with all that is chosen, in the order of Regulation (EU) No 1169/2011, annex XV. What is not known is not
// told, and what is chosen without its values is named: a sum without it would be too low. Used by the dish's form.

import {el} from './dom.js';
import {locale, t} from './words.js';

const grams = new Intl.NumberFormat(locale, {maximumFractionDigits: 1});
const whole = new Intl.NumberFormat(locale);

const rows = [
  ['fat', () => t('Fat')],
  ['saturates', () => t('of which saturates')],
  ['carbohydrate', () => t('Carbohydrate')],
  ['sugars', () => t('of which sugars')],
  ['protein', () => t('Protein')],
  ['salt', () => t('Salt')],
];
const ofWhich = new Set(['saturates', 'sugars']);

/** One value over the item and its options; null where it is not known of one of them. */
function sum(name, item, counted) {
  let all = item[name];
  for (const {option, units} of counted) all = all === null || option.nutrition[name] === null ? null : all + option.nutrition[name] * units;
  return all;
}

function energy(item, counted) {
  const [kilojoules, kilocalories] = ['kilojoules', 'kilocalories'].map((name) => sum(name, item, counted));
  return [kilojoules === null ? null : `${whole.format(kilojoules)} kJ`, kilocalories === null ? null : `${whole.format(kilocalories)} kcal`].filter(Boolean).join(' / ');
}

/** The values of an item with the options that are chosen, [{option, units}]; nothing where the item's are not known. */
export function nutritionTable(item, chosen) {
  if (!item.nutrition) return [];
  const counted = chosen.filter(({option}) => option.nutrition);
  const left = [...new Set(chosen.filter(({option}) => !option.nutrition).map(({option}) => option.title))];
  const row = (name, text, amount) => (amount ? el(ofWhich.has(name) ? 'tr.part' : 'tr', {}, el('th', {scope: 'row'}, text), el('td', {}, amount)) : null);
  const weight = (milligrams) => (milligrams === null ? '' : `${grams.format(milligrams / 1_000)} g`);
  return [
    el('caption', {}, t('Nutrition per portion'), left.length ? el('small', {}, t('without {names}', {names: left.join(', ')})) : null),
    el('tbody', {}, row('energy', t('Energy'), energy(item.nutrition, counted)),
      rows.map(([name, text]) => row(name, text(), weight(sum(name, item.nutrition, counted))))),
  ];
}
