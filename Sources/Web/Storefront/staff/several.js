// All new orders accepted with one tap, each by a request of its own, and taken back with another one for as long as the server lets them be; those
// that fail are named. Used by board.js. Read next: orders.js.

import {el} from '../dom.js';
import {notice} from '../notice.js';
import {advance, takeBack, undoOf} from './orders.js';
import {isNew} from './ticket.js';

/** What goes wrong with orders, those with one reason together. */
function faultsOf(numbers, results) {
  const reasons = new Map();
  results.forEach(({status, reason}, at) => {
    if (status === 'fulfilled') return;
    if (reason.code === undefined) throw reason;
    const why = reason.errors[0]?.message ?? reason.detail;
    reasons.set(why, [...reasons.get(why) ?? [], numbers[at]]);
  });
  return [...reasons].map(([why, those]) => `${those.join(', ')}: ${why}`);
}

/** {node, faults, draw}: the taps, what went wrong, and the open orders whenever something of them changes. */
export function several() {
  let [open, accepted] = [[], []];
  const numbersOf = (holds) => open.filter(holds).map(({number}) => number);
  // An order that was moved on since keeps that step.
  const canUndo = (order) => accepted.includes(order.number) && order.state === 'accepted' && undoOf(order);
  const words = el('p');
  const faults = el('div.missed', {hidden: true}, words, el('button.button', {type: 'button', onclick: () => {
    tell('', []);
    document.querySelector('#orders h1').focus({preventScroll: true});
  }}, 'Close'));
  // Not by a hasty double tap.
  const button = (name, work) => el(name, {type: 'button', hidden: true, onclick: (event) => event.detail <= 1 && work()});
  const [accept, undo] = [button('button.button.plain.accept-all', acceptAll), button('button.button.undo', takeAllBack)];

  function tell(what, those) {
    faults.hidden = those.length === 0;
    words.textContent = those.length ? `${what} ${those.join(' ')}` : '';
  }

  /** Does something to orders at once; returns those it was done to. */
  async function each(tap, numbers, work, what) {
    if (tap.getAttribute('aria-busy') === 'true') return [];
    const hasFocus = document.activeElement === tap;
    tap.setAttribute('aria-busy', 'true');
    const results = await Promise.allSettled(numbers.map(work));
    tap.removeAttribute('aria-busy');
    tell(what, faultsOf(numbers, results));
    const done = numbers.filter((_, at) => results[at].status === 'fulfilled');
    if (tap === accept) accepted = done;
    show();
    if (hasFocus && tap.hidden) ([accept, undo].find((one) => !one.hidden) ?? document.querySelector('#orders h1')).focus({preventScroll: true});
    return done;
  }

  async function acceptAll() {
    const {length} = await each(accept, numbersOf(isNew), (number) => advance(number, 'accepted'), 'Not accepted:');
    if (length) notice(`${length} ${length === 1 ? 'order is' : 'orders are'} accepted.`);
  }

  async function takeAllBack() {
    await each(undo, numbersOf(canUndo), (number) => takeBack(number, 'accepted'), 'Not undone:');
  }

  function show() {
    const [many, undoable] = [numbersOf(isNew).length, numbersOf(canUndo).length];
    accept.hidden = many < 2 && accept.getAttribute('aria-busy') !== 'true';
    if (!accept.hidden && many > 1) accept.textContent = `Accept all ${many}`;
    undo.hidden = undoable === 0;
    if (undoable) undo.textContent = `${undoable} accepted · Undo`;
  }

  return {node: el('div.row.several', {}, accept, undo), faults, draw(now) {
    open = now;
    show();
  }};
}
