// The nutrition table of one portion with its options, in the order of Regulation (EU) No 1169/2011, annex XV. Unknown
// values are omitted. Options without values are named, because a sum without them would be too low.

import {el} from '../parts/dom.js';
import {locale, t} from '../parts/translation.js';

/** @typedef {NonNullable<API.Nutrition>} Nutrition */
/** @typedef {import('./selectionRules.js').UnitsOfOption} UnitsOfOption */

const grams = new Intl.NumberFormat(locale, {maximumFractionDigits: 1});
const whole = new Intl.NumberFormat(locale);

/** @type {Array<[keyof Nutrition, () => string]>} */
const rows = [
  ['fat', () => t('Fat')],
  ['saturates', () => t('of which saturates')],
  ['carbohydrate', () => t('Carbohydrate')],
  ['sugars', () => t('of which sugars')],
  ['protein', () => t('Protein')],
  ['salt', () => t('Salt')],
];
/** @type {Set<string>} */
const partNames = new Set(['saturates', 'sugars']);

/**
 * The sum of one value over the item and its options; null if a summand is unknown.
 * @param {keyof Nutrition} name
 * @param {Nutrition} item
 * @param {UnitsOfOption[]} counted
 */
function total(name, item, counted) {
  let all = item[name];
  for (const {option, units} of counted) {
    const own = option.nutrition?.[name] ?? null;
    all = all === null || own === null ? null : all + own * units;
  }
  return all;
}

/** @param {Nutrition} item @param {UnitsOfOption[]} counted */
function energy(item, counted) {
  const [kilojoules, kilocalories] = [total('kilojoules', item, counted), total('kilocalories', item, counted)];
  return [kilojoules === null ? null : `${whole.format(kilojoules)} kJ`,
    kilocalories === null ? null : `${whole.format(kilocalories)} kcal`].filter(Boolean).join(' / ');
}

/**
 * The table of an item with its chosen options, [{option, units}]; empty if the item's values are unknown.
 * @param {API.MenuItem} item
 * @param {UnitsOfOption[]} chosen
 */
export function nutritionTable(item, chosen) {
  const {nutrition} = item;
  if (!nutrition) return [];
  const counted = chosen.filter(({option}) => option.nutrition);
  const left = [...new Set(chosen.filter(({option}) => !option.nutrition).map(({option}) => option.title))];
  /** @param {string} name @param {string} text @param {string} amount */
  const row = (name, text, amount) => (amount
    ? el(partNames.has(name) ? 'tr.part' : 'tr', {}, el('th', {scope: 'row'}, text), el('td', {}, amount)) : null);
  /** @param {number | null} milligrams */
  const weight = (milligrams) => (milligrams === null ? '' : `${grams.format(milligrams / 1_000)} g`);
  return [
    el('caption', {}, t('Nutrition per portion'),
      left.length ? el('small', {}, t('without {names}', {names: left.join(', ')})) : null),
    el('tbody', {}, row('energy', t('Energy'), energy(nutrition, counted)),
      rows.map(([name, text]) => row(name, text(), weight(total(name, nutrition, counted))))),
  ];
}
