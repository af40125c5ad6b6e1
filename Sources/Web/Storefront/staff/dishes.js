// What is in an order as a cook reads it: dishes large, what comes with them anyway quiet, what is other in bold, and what is left out in red with the
// word NO before it. Used by ticket.js. Read next: recipes.js.

import {el} from '../dom.js';
import {groupsOf} from './recipes.js';
import {isDone, tickOff} from './ticks.js';

/** Options that say so themselves, in the languages of the pages. */
const leftOut = /^(?:no|without|ohne|kein\p{L}*|sin)(?=\s)/iu;
const allergy = /al+[eé]rg|anaph|anaf|intoleran|unverträglich/iu;

const count = ({quantity, title}) => `${quantity > 1 ? `${quantity} × ` : ''}${title}`;

/** How an option reads; `offered` is the menu's, where it is known. */
function option(chosen, offered) {
  if (leftOut.test(chosen.title)) return el('b.no', {}, chosen.title.replace(leftOut, (word) => word.toUpperCase()));
  return el(offered?.isDefault && chosen.quantity === 1 ? 'span.usual' : 'b', {}, count(chosen));
}

/** What comes anyway and was taken out. Where one has to choose, there is something else instead. */
const missing = (options, groups) => groups.filter(({minimum}) => minimum === 0).flatMap((group) => group.options
  .filter(({id, isDefault}) => isDefault && !options.some(({optionId, groupId}) => optionId === id && groupId === group.id)));

/** What was chosen, each with how many are in one of what it stands under; what belongs to it further in. */
function list(options, groups) {
  const offered = (groups ?? []).flatMap((group) => group.options.map((one) => [`${group.id} ${one.id}`, one]));
  const of = new Map(offered);
  const rows = [
    ...options.map((one) => {
      const its = of.get(`${one.groupId} ${one.optionId}`);
      return el('li', {}, option(one, its), list(one.options, its?.optionGroups));
    }),
    ...missing(options, groups ?? []).map(({title}) => el('li', {}, el('b.no', {}, `NO ${title}`))),
  ];
  return rows.length ? el('ul.chosen', {}, rows) : null;
}

/** What a guest has written; what tells of an allergy has that word before it. */
const written = (name, text) => el(allergy.test(text) ? `${name}.allergy` : name, {}, allergy.test(text) ? el('b', {}, 'ALLERGY ') : null, text);

/** What a guest has written to an order. */
export const comment = ({customer}) => (customer?.comment ? written('p.comment', `“${customer.comment}”`) : null);

const dish = ({menuItemId, options, note}, name) => [name, list(options, groupsOf(menuItemId)), note ? written('q.note', note) : null];

/** A dish; where somebody cooks it a tap anywhere on it ticks it off. */
function row(order, place, line, isCooked) {
  const name = el('b', {}, `${line.quantity} × ${line.title}`);
  if (!isCooked) return el('li', {}, dish(line, name));
  const tick = el('input', {
    type: 'checkbox', checked: isDone(order, place),
    onchange: ({currentTarget}) => tickOff(order, place, currentTarget.checked),
  });
  return el('li.tick', {}, dish(line, el('label', {}, tick, name)));
}

/** The dishes of an order; `isCooked`: each can be ticked off. */
export function dishes(order, isCooked = false) {
  let place = 0;
  const next = (line) => row(order, place++, line, isCooked);
  return el('ul.dishes', {},
    order.lines.map(next),
    order.sales.map((sale) => el('li', {}, `${sale.title}:`, el('ul.units', {}, sale.items.map(next)))));
}
