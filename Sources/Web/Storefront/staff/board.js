// The orders in three lanes: new, in the kitchen, on their way. Each scrolls for itself, what is late first, so that the page stays where it is; on a
// phone they stand side by side and are swiped. A bar that stays in view says how many each state has, and leads to it. Cards that have not changed stay
// as they are, so that nobody's finger meets another card. Read next: orders.js, ticket.js, still.js, lanes.js.

import {byTime, dueAt} from '../clock.js';
import {el, fill, say} from '../dom.js';
import {notice} from '../notice.js';
import {patch} from '../parts/patch.js';
import {awake} from './awake.js';
import {tickDeadline} from './deadline.js';
import {orders} from './orders.js';
import {acceptance} from './accepting.js';
import {bell, ringFor} from './bell.js';
import {arrivals} from './arrivals.js';
import {finder, kitchenNow} from './kitchen.js';
import {fitting, marking, sharing} from './lanes.js';
import {missedOrders} from './missed.js';
import {informed, learn} from './recipes.js';
import {several} from './several.js';
import {still} from './still.js';
import {age, closedOrder, drawTicket, due, isLater, isNew, looks, promised, steps, ticket} from './ticket.js';

const open = ['placed', 'accepted', 'preparing', 'on_the_way'];
const lane = (name, ...nodes) => el(`div.lane.${name}`, {}, nodes);

/** How many there are, and how many of them are late, which is red: the bar tells it where their cards are out of sight. */
function tell(number, orders) {
  const late = orders.filter((order) => due(order).isLate).length;
  number.textContent = late ? `${orders.length} · ${late} late` : String(orders.length);
  number.classList.toggle('late', late > 0);
}

/** The orders of a state, with what stands beside its heading: {node, list, numbers, show}; `card` makes the card of one, and `put` puts them into a list. */
function columnOf(state, beside) {
  const many = el('span.many', {}, '0');
  const list = el('ul.tickets');
  const none = el('p.quiet.none', {}, 'None.');
  const numbers = [many];
  const node = el(`section.column.${state}`, {'aria-labelledby': `column-${state}`}, 
    el('div.heading', {}, el('h2', {id: `column-${state}`}, `${steps[state].heading} `, many), beside), none, list);
  return {node, list, numbers, show(orders, card, put) {
    put(list, orders.map(card));
    for (const number of numbers) tell(number, orders);
    none.hidden = orders.length > 0;
  }};
}

/** The button of the bar that leads to a column. */
function buttonTo(state, {node, numbers}, share) {
  const number = el('span.many', {}, '–');
  numbers.push(number);
  return el(`button.${state}`, {type: 'button', onclick: () => {
    share(false, {isWanted: true});
    // An empty column may have no box. Not `checkVisibility`: Safari before 17.4 lacks it.
    if (!node.getClientRects().length) return notice(`${steps[state].heading}: none.`);
    const heading = node.querySelector('h2');
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
    // The lanes move, and the page never does.
    const lane = node.closest('.lane');
    const lanes = lane.parentNode;
    lanes.scrollLeft += lane.getBoundingClientRect().left - lanes.getBoundingClientRect().left;
    lane.scrollTop += node.getBoundingClientRect().top - lane.getBoundingClientRect().top;
    return undefined;
  }}, el('span', {}, steps[state].heading), number);
}

/** The bar; it marks the buttons of what is seen of the lanes. */
function fillBar(bar, columns, lanes, share) {
  const buttons = new Map(open.map((state) => [columns[state].node, buttonTo(state, columns[state], share)]));
  fill(bar, [...buttons.values()]);
  marking(lanes, buttons);
}

/** Those that wait for their time; who has come up since is told of. `cards` are all of the board, by number. */
function laterColumn(cards) {
  const many = el('span.many', {}, '0');
  const list = el('ul.tickets');
  const node = el('section.later', {'aria-labelledby': 'later', hidden: true}, el('h2', {id: 'later'}, 'For later ', many), list);
  let before = new Set();
  return {
    node,
    /** Shows these orders; `card` makes the card of one, and `put` puts them into the list. */
    show(wanted, card, put) {
      put(list, wanted.map(card));
      many.textContent = String(wanted.length);
      node.hidden = wanted.length === 0;
      const numbers = new Set(wanted.map(({number}) => number));
      for (const number of before) {
        if (numbers.has(number) || !cards.get(number)?.node.closest('.column')) continue;
        cards.get(number).node.classList.add('fresh');
        say(`Order ${number} is due now.`);
      }
      before = numbers;
    },
    /** Whether one of them has come up and is not shown so yet. */
    isBehind: (open) => open.some((order) => before.has(order.number) && !isLater(order)),
  };
}

/** What is late first, the latest before all; then the newest of those that nobody has accepted, and of the others what is due next. */
function urgency(one, other) {
  const [a, b] = [dueAt(one), dueAt(other)];
  if (due(one).isLate || due(other).isLate || one.state !== 'placed') return a - b || one.number.localeCompare(other.number);
  return byTime(other, one);
}

/** A card a second later. */
function tick({order, node}) {
  const {text, isLate} = due(order);
  const label = node.querySelector('.due');
  if (label.textContent !== text) label.textContent = text;
  label.classList.toggle('late', isLate);
  const [timer, since] = [node.querySelector('.timer'), age(order)];
  if (timer.textContent !== since.text) timer.textContent = since.text;
  timer.dataset.step = since.step;
  const minutes = node.querySelector('.promised');
  if (minutes && minutes.textContent !== promised(order)) minutes.textContent = promised(order);
  tickDeadline(node, order);
}

/** The orders that ended last. */
function overList() {
  const list = el('ul.over');
  const node = el('details.done', {}, el('summary', {}, 'Recently finished'), list);
  const none = el('li.quiet', {}, 'None yet.');
  return {node, show: (closed) => patch(list, closed.length ? closed.map(closedOrder) : none)};
}

/** The card of an order as it is now: the same node while the order stays in its state. One that moves while the board
 *  is seen is marked. */
function cardOf(order, cards, isSeen) {
  const known = cards.get(order.number);
  const look = looks(order);
  if (known && known.look === look) return known.node;
  if (known?.state === order.state) {
    drawTicket(known.node, order);
    Object.assign(known, {look, order});
    return known.node;
  }
  const made = {look, state: order.state, order, node: ticket(order)};
  if (isSeen) made.node.classList.add('fresh');
  cards.set(order.number, made);
  return made.node;
}

/** Draws the orders once the menu's word on their dishes is there, unless there are newer ones by then. */
async function whenInformed(now, draw) {
  const lacking = informed(now.open);
  if (lacking) await lacking;
  if (orders.value === now) draw(now, now.isOurs);
}

/** The tab; `count` is told how many are new, and `bar` is where the bar of the states stands. */
export function board(count, bar) {
  const all = several();
  const columns = Object.fromEntries(open.map((state) => [state, columnOf(state, state === 'placed' ? all.node : null)]));
  const cards = new Map();
  const later = laterColumn(cards);
  const more = el('p.warn', {hidden: true}, 'There are more open orders than fit here; the newest are shown.');
  const waiting = el('p.quiet', {}, 'One moment…');
  const [now_, find, missed, over] = [kitchenNow(), finder(), missedOrders(), overList()];
  const desk = el('div.desk', {}, bell(), awake(), find.node);
  // It changes when a dish is ticked off: there is less to be made.
  const lanes = el('div.columns', {hidden: true, onchange: () => draw(orders.value)}, lane('new', columns.placed.node, later.node, over.node),
    lane('kitchen', now_.node, columns.preparing.node, columns.accepted.node), lane('out', columns.on_the_way.node));
  const [stills, share] = [new Map([...lanes.children].map((one) => [one, still(one)])), sharing(lanes)];
  const fit = fitting(lanes, [document.querySelector('.under'), desk, find.found, missed.node, all.faults]);
  const card = (order) => cardOf(order, cards, isFilled);
  const arriving = arrivals();
  lanes.addEventListener('click', ({target}) => {
    if (arriving.tap(target.closest('.ticket')?.dataset.number)) draw(orders.value);
  }, {capture: true});
  fillBar(bar, columns, lanes, share);
  let isFilled = false, lateBefore = 0;

  /** `isOurs`: by a tap on this page. */
  function draw(now, isOurs = false) {
    if (!now) return;
    [waiting.hidden, lanes.hidden] = [true, false];
    for (const one of stills.values()) one.before();
    const put = (list, all) => stills.get(list.closest('.lane')).put(list, all, isOurs);
    const known = new Set(cards.keys());
    const focused = document.activeElement.closest('.ticket')?.dataset.number;
    for (const state of open) columns[state].show(now.open.filter((order) => order.state === state && !isLater(order)).sort(urgency), card, put);
    later.show(now.open.filter(isLater).sort((one, other) => one.wantedAt.localeCompare(other.wantedAt)), card, put);
    isFilled = true;
    const shown = new Set(now.open.map((order) => order.number));
    for (const number of [...cards.keys()]) if (!shown.has(number)) cards.delete(number);
    // The card that was moved has the focus, not its button: the key that moved it would move it on.
    if (focused && document.activeElement === document.body) (cards.get(focused)?.node ?? document.querySelector('#orders h1')).focus({preventScroll: true});
    more.hidden = now.isWhole;
    over.show(now.closed);
    for (const part of [now_, all]) part.draw(now.open);
    learn(now.open, () => draw(orders.value));
    const isNews = now.open.some(({number}) => !known.has(number)) && [...known].every((number) => cards.has(number));
    for (const one of stills.values()) one.after({isOurs: isOurs || !known.size, isNews});
    share(isOurs);
    const news = now.open.filter(isNew);
    count(news.length);
    const {entered, untapped} = arriving.look(now.open, acceptance.isAutomatic);
    ringFor([...news.map(({number}) => number), ...untapped], entered);
    fit();
  }

  // Time passes without anybody's doing: who comes up, who is late since, and what can't be taken back any more.
  setInterval(() => {
    const late = orders.value?.open.filter((order) => due(order).isLate).length ?? 0;
    if (late !== lateBefore || [...cards.values()].some(({order, look}) => looks(order) !== look) || later.isBehind(orders.value?.open ?? [])) draw(orders.value);
    lateBefore = late;
    for (const one of cards.values()) tick(one);
    share(false);
  }, 1_000);
  orders.watch((now) => {
    missed.look(now);
    whenInformed(now, draw);
  });
  return {title: 'Orders', nodes: [desk, find.found, missed.node, all.faults, waiting, more, lanes]};
}
