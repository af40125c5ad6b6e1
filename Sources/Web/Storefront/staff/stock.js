// The menu and its options, with what is sold out: a tap sells a dish or an option out until further notice or brings it back, and guests see it at
// once; another one says when it comes back by itself, or how many there are. What others change, in SQL too, is found by asking again every few
// seconds, which costs a 304. Read next: door.js, count.js, photograph.js.

import {readAll} from '../api.js';
import {now} from '../clock.js';
import {el} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {patch} from '../parts/patch.js';
import {isForLater, soldOut} from '../soldout.js';
import {retryAfter, watchReads} from './connection.js';
import {askCount} from './count.js';
import {may, postStaff, readStaff} from './door.js';
import {photographButton} from './photograph.js';

/** How long something may be sold out, each with what it is called. */
const terms = [
  ['for an hour', () => ({until: new Date(now() + 3_600_000).toISOString()})], ['until tomorrow', () => ({untilTomorrow: true})],
  ['until further notice', () => ({})],
];

/** For how long after a change the server's menu may still show the state before it, in milliseconds. */
const settling = 2_000;

/** What tells a thing from others of its title. */
const name = (thing) => (thing.groupTitle === undefined ? thing.title : `${thing.title}, ${thing.groupTitle}`);

/** Whether it is sold out; what is served at other hours only is not. */
const isOut = (thing) => !thing.isAvailable && !isForLater(thing);

/** What there is of a thing, in words. */
const level = (thing) => (!thing.isAvailable ? soldOut(thing) : thing.left == null ? 'In stock' : `${thing.left} left`);

/** What stands under one heading: `things` are dishes, or options, by `kind`. Groups may have the same title, so their number stands there. */
const sectionOf = (kind, id, title, things) => ({kind, id: `stock-${kind}-${id}`, group: kind === 'options' && id, title, things});

/** The line of a thing; `replace` is given the thing as it is after a change. */
function row(kind, thing, replace, readAgain) {
  const key = `${kind} ${thing.id}`;
  const mark = (tag, term, label, change) => el(tag, {
    type: 'button', 'data-key': `${key} ${term}`, 'aria-label': `${label}: ${name(thing)}`,
    onclick: (event) => event.detail < 2 && doing(event.currentTarget, async () => {
      const changed = await postStaff(`/v1/staff/${kind}/${thing.id}/availability`, change());
      replace(changed);
      notice(`${changed.title} is ${!isOut(changed) ? 'back in stock' : soldOut(changed).replace('S', 's')}.`);
    }),
  }, label);
  const howMany = () => askCount(kind, thing, {
    readAgain,
    done: (changed) => {
      replace(changed);
      notice(`${changed.title}: ${level(changed).replace('S', 's')}.`);
    },
  });
  // Where there is none left of what is counted, it comes back with a number.
  const button = thing.left === 0
    ? el('button.button.plain', {type: 'button', 'data-key': `${key} `, 'aria-label': `Back in stock: ${name(thing)}`, onclick: howMany}, 'Back in stock')
    : mark('button.button.plain', '', isOut(thing) ? 'Back in stock' : 'Mark sold out', () => ({isAvailable: isOut(thing)}));
  const until = !isOut(thing) ? null : el('div.chips', {role: 'group', 'aria-label': `How long ${name(thing)} is sold out`},
    terms.map(([label, term]) => mark('button.chip', label, label, () => ({isAvailable: false, ...term()}))));
  const id = {[kind === 'menu' ? 'data-item' : 'data-option']: thing.id};
  return el(isOut(thing) ? 'li.gone' : 'li', {'data-key': key, ...id},
    el('span.name', {}, kind === 'menu' && may('edit_menu') ? photographButton(thing, replace) : null, thing.title, kind === 'menu' ? el('small', {}, ` ${money(thing.currentPrice, thing)}`) : null),
    el(isOut(thing) ? 'button.level.out' : 'button.level', {
      type: 'button', 'data-key': `${key} count`, 'aria-label': `${level(thing)}. Count ${name(thing)}`, onclick: howMany,
    }, level(thing)), button, until);
}

/** The tab; `count` is told how many are sold out. */
export function stock(count) {
  let items = [], categories = [], options = [], drawn = '';
  /** What was changed here of late, by kind and id: {thing, until}. */
  const own = new Map();
  /** When the newest answer that is shown was asked for. */
  let newest = 0;
  const reads = watchReads('menu');
  const lists = el('div.stock', {}, el('p.quiet', {}, 'One moment…'));
  const search = el('input', {type: 'search', placeholder: 'Find a dish or an option', 'aria-label': 'Find a dish or an option', autocomplete: 'off', maxlength: 60, oninput: draw});

  function replace(kind, changed) {
    own.set(`${kind} ${changed.id}`, {thing: changed, until: performance.now() + settling});
    const replaced = (all) => all.map((other) => (other.id === changed.id ? changed : other));
    if (kind === 'menu') items = replaced(items);
    else options = replaced(options);
    draw();
  }

  /** What was read, but for things that were changed here after `asked`, or so shortly before it that the answer may
   *  not show the change yet. */
  const withOwn = (kind, things, asked) => things.map((thing) => {
    const mine = own.get(`${kind} ${thing.id}`);
    return mine && asked < mine.until ? mine.thing : thing;
  });

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
    const found = sections()
      .map((section) => ({...section, things: section.things.filter((thing) => name(thing).toLowerCase().includes(words))}))
      .filter(({things}) => things.length);
    patch(lists, found.length
      ? found.map(({kind, id, group, title, things}) => el('section', {'data-key': id, 'aria-labelledby': id},
        el('h2', {id}, title, group ? el('small', {}, ` options ${group}`) : null),
        el('ul', {}, things.map((thing) =>
          row(kind, thing, (changed) => replace(kind, changed), () => readThing(kind, thing))))))
      : el('p.quiet', {}, 'No dishes or options found.'));
    count([...items, ...options].filter(isOut).length);
  }

  async function readStock() {
    const asked = performance.now();
    const [dishes, all, groups] = await Promise.all([
      readAll('/v1/menu'), readAll('/v1/staff/options', readStaff), readAll('/v1/categories')]);
    // Two reads can overtake each other.
    if (asked < newest) return;
    newest = asked;
    [items, options, categories] = [withOwn('menu', dishes, asked), withOwn('options', all, asked), groups];
    draw();
  }

  /** A thing as it is now; undefined if it is not on the menu any more. */
  async function readThing(kind, {id}) {
    await readStock();
    return (kind === 'menu' ? items : options).find((one) => one.id === id);
  }

  async function look() {
    const isWanted = document.visibilityState === 'visible' || reads.isFailing();
    const problem = isWanted ? await reads.attempt(readStock) : null;
    if (problem && !items.length) patch(lists, el('p.warn', {}, `${problem.detail} We keep trying.`));
    setTimeout(look, problem ? retryAfter : 3_000);
  }
  look();
  return {title: 'Menu', nodes: [el('div.finding', {role: 'search'}, search), lists]};
}
