// The menu and its options, with what is sold out: a tap sells a dish or an option out until further notice or brings it back, and guests see it at
// once; another one says when it comes back by itself, or how many there are. What others change, in SQL too, is found by asking again every few
// seconds, which costs a 304. Read next: door.js, count.js, photograph.js.

import {readAll} from '../api.js';
import {now} from '../clock.js';
import {el, fill} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {isForLater, soldOut} from '../soldout.js';
import {askCount} from './count.js';
import {may, postStaff, readStaff} from './door.js';
import {photographButton} from './photograph.js';

/** How long something may be sold out, each with what it is called. */
const terms = [
  ['for an hour', () => ({until: new Date(now() + 3_600_000).toISOString()})], ['until tomorrow', () => ({untilTomorrow: true})],
  ['until further notice', () => ({})],
];

/** What tells a thing from others of its title. */
const name = (thing) => (thing.groupTitle === undefined ? thing.title : `${thing.title}, ${thing.groupTitle}`);

/** Whether it is sold out; what is served at other hours only is not. */
const isOut = (thing) => !thing.isAvailable && !isForLater(thing);

/** What there is of a thing, in words. */
const level = (thing) => (!thing.isAvailable ? soldOut(thing) : thing.left == null ? 'In stock' : `${thing.left} left`);

/** What stands under one heading: `things` are dishes, or options, by `kind`. Groups may have the same title, so their number stands there. */
const sectionOf = (kind, id, title, things) => ({kind, id: `stock-${kind}-${id}`, group: kind === 'options' && id, title, things});

/** The line of a thing; `replace` is given the thing as it is after a change. */
function row(kind, thing, replace) {
  const key = `${kind} ${thing.id}`;
  const mark = (tag, term, label, change) => el(tag, {
    type: 'button', 'data-key': `${key} ${term}`, 'aria-label': `${label}: ${name(thing)}`,
    onclick: (event) => event.detail < 2 && doing(event.currentTarget, async () => {
      const changed = await postStaff(`/v1/staff/${kind}/${thing.id}/availability`, change());
      replace(changed);
      notice(`${changed.title} is ${!isOut(changed) ? 'back in stock' : soldOut(changed).replace('S', 's')}.`);
    }),
  }, label);
  const howMany = () => askCount(kind, thing, (changed) => {
    replace(changed);
    notice(`${changed.title}: ${level(changed).replace('S', 's')}.`);
  });
  // Where there is none left of what is counted, it comes back with a number.
  const button = thing.left === 0
    ? el('button.button.plain', {type: 'button', 'data-key': `${key} `, 'aria-label': `Back in stock: ${name(thing)}`, onclick: howMany}, 'Back in stock')
    : mark('button.button.plain', '', isOut(thing) ? 'Back in stock' : 'Mark sold out', () => ({isAvailable: isOut(thing)}));
  const until = !isOut(thing) ? null : el('div.chips', {role: 'group', 'aria-label': `How long ${name(thing)} is sold out`},
    terms.map(([label, term]) => mark('button.chip', label, label, () => ({isAvailable: false, ...term()}))));
  return el(isOut(thing) ? 'li.gone' : 'li', {[kind === 'menu' ? 'data-item' : 'data-option']: thing.id},
    el('span.name', {}, kind === 'menu' && may('edit_menu') ? photographButton(thing, replace) : null, thing.title, kind === 'menu' ? el('small', {}, ` ${money(thing.currentPrice, thing)}`) : null),
    el(isOut(thing) ? 'button.level.out' : 'button.level', {
      type: 'button', 'data-key': `${key} count`, 'aria-label': `${level(thing)}. Count ${name(thing)}`, onclick: howMany,
    }, level(thing)), button, until);
}

/** The tab; `count` is told how many are sold out. */
export function stock(count) {
  let items = [], categories = [], options = [], drawn = '';
  const lists = el('div.stock', {}, el('p.quiet', {}, 'One moment…'));
  const search = el('input', {type: 'search', placeholder: 'Find a dish or an option', 'aria-label': 'Find a dish or an option', autocomplete: 'off', maxlength: 60, oninput: draw});

  function replace(kind, changed) {
    const replaced = (all) => all.map((other) => (other.id === changed.id ? changed : other));
    if (kind === 'menu') items = replaced(items);
    else options = replaced(options);
    draw();
  }

  /** The dishes by category, then the options by group. */
  function sections() {
    const groups = new Map(options.map((option) => [option.groupId, option.groupTitle]));
    return [
      ...categories.map(({id, title}) => sectionOf('menu', id, title, items.filter((item) => item.category === id))),
      ...[...groups].map(([id, title]) => sectionOf('options', id, title, options.filter((option) => option.groupId === id))),
    ];
  }

  function draw() {
    const words = search.value.trim().toLowerCase();
    const state = JSON.stringify([words, items, categories, options]);
    if (state === drawn) return;
    drawn = state;
    const key = lists.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const found = sections()
      .map((section) => ({...section, things: section.things.filter((thing) => name(thing).toLowerCase().includes(words))}))
      .filter(({things}) => things.length);
    fill(lists, found.length
      ? found.map(({kind, id, group, title, things}) => el('section', {'aria-labelledby': id},
        el('h2', {id}, title, group ? el('small', {}, ` options ${group}`) : null), el('ul', {}, things.map((thing) => row(kind, thing, (changed) => replace(kind, changed))))))
      : el('p.quiet', {}, 'Nothing on the menu is called that.'));
    if (key) lists.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true});
    count([...items, ...options].filter(isOut).length);
  }

  async function look() {
    try {
      if (document.visibilityState === 'visible') {
        [items, options, categories] = await Promise.all([
          readAll('/v1/menu'), readAll('/v1/staff/options', readStaff), readAll('/v1/categories')]);
        draw();
      }
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      if (!items.length) fill(lists, el('p.warn', {}, `${problem.detail} We keep trying.`));
    }
    setTimeout(look, 3_000);
  }
  look();
  return {title: 'Menu', nodes: [el('div.finding', {role: 'search'}, search), lists]};
}
