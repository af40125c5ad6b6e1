// A dish as one chooses it: its groups, its note, what is in it, and the button that says what it costs or what is still wanting. Loaded when an item is
// opened. Used by the item's screen and by sheet.js. Read next: chooser.js, selection.js.

import {chooser} from './chooser.js';
import {choiceOf} from './chosen.js';
import {el, fill, say} from './dom.js';
import {foodRows, together} from './food.js';
import {money} from './money.js';
import {noteField} from './note.js';
import {nutritionTable} from './nutrition.js';
import {defaultsOf, fitting, pricesOf, unitsOfOptions, wanting} from './selection.js';
import {t} from './words.js';

/** The form of an item. `held` is the dish of a line; without it the item is as it comes. `verb` is what the button does, `times` how many the
 *  price on it is for, `save` is given {menuItemId, options, note}; `drawn` is called after each change with the prices of one unit. */
export function dishForm(item, {held, verb = t('Add to basket'), times = () => 1, save, drawn = () => {}}) {
  const groups = item.optionGroups ?? [];
  const {choice, gone} = held ? fitting(groups, held.options) : {choice: defaultsOf(groups), gone: []};
  const typed = noteField(held?.note ?? null);
  const rows = el('dl.food');
  const table = el('table.nutrition');
  const food = el('div.facts', {}, rows, table);
  const message = el('p.warn', {role: 'alert', tabindex: '-1'}, gone.length ? t('{titles}: no longer available.', {titles: gone.join(', ')}) : null);
  const level = chooser(groups, choice, {item, changed: () => { draw(); tell(); }});
  const chosen = el('div.groups', {}, level.nodes);
  const button = el('button.button.big', {type: 'button', onclick: () => {
    if (lead(wanting(groups, choice).map(({path, words: what}) => [path, t('Please {what}.', {what})]))) return;
    save(dish(), button);
  }});

  const dish = () => ({menuItemId: item.id, note: typed.read(), ...groups.length ? {options: choiceOf(choice)} : {}});
  const price = () => pricesOf({...item, optionGroups: groups}, choice);
  /** What the button says: what is wanting comes before what it does. */
  const words = () => {
    const [first] = wanting(groups, choice);
    return `${first ? `${first.title}: ${first.words}` : verb} · ${money(price().now * times(), item)}`;
  };
  const tell = () => say(words());

  function draw() {
    level.update();
    button.textContent = words();
    const chosenOptions = item.contains ? unitsOfOptions(groups, choice) : [];
    fill(rows, foodRows(together(item, chosenOptions.map(({option}) => option))));
    fill(table, nutritionTable(item, chosenOptions));
    drawn(price());
  }

  /** Says what is wrong with a group at that group, and goes to the first. Whether there is anything. */
  function lead(wrongs) {
    let first = null;
    for (const [path, text] of wrongs) {
      for (const node of chosen.querySelectorAll(`[data-path="${CSS.escape(path)}"]`)) {
        node.dataset.wanting = true;
        fill(node.querySelector('.error'), text);
        first ??= node;
      }
    }
    first?.focus({preventScroll: true});
    first?.scrollIntoView({block: 'center'});
    return first !== null;
  }

  /** Shows what the server refuses: each group's beside it, the note's too, and the rest above. */
  function refuse(problem) {
    const paths = problem.errors.map(({field, message: text}) => [field.slice(Math.max(0, field.search(/options\/|options$|note$/))), text]);
    const isShown = ([path]) => path === 'note' || chosen.querySelector(`[data-path="${CSS.escape(path)}"]`);
    typed.showError(paths.find(([path]) => path === 'note')?.[1]);
    fill(message, paths.length ? paths.filter((one) => !isShown(one)).map(([, text]) => text).join(' ') : problem.detail);
    if (!lead(paths)) (paths.some(([path]) => path === 'note') ? typed.input : message).focus();
  }

  draw();
  return {chosen, note: typed.node, food, message, button, draw, refuse, get dish() { return dish(); }};
}
