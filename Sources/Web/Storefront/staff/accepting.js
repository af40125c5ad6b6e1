// Who accepts new orders: staff whenever they like, staff within some minutes, or the shop itself. A part of the tab of the shop. Used by shop.js.

import {now} from '../clock.js';
import {el} from '../dom.js';
import {field} from '../field.js';
import {notice} from '../notice.js';
import {question} from '../question.js';
import {askStaff, may, readStaff} from './door.js';
import {orders} from './orders.js';
import {mayOverwrite} from './overwrite.js';
import {told} from './shifts.js';
import {isLater} from './ticket.js';

const ways = {staff: 'Staff, without a time limit', deadline: 'Staff, within a time limit', automatically: 'Automatically, at once'};
const wayOf = ({acceptWithinMinutes, acceptsAutomatically}) => (acceptsAutomatically ? 'automatically' : acceptWithinMinutes === null ? 'staff' : 'deadline');
const keyOf = (state) => JSON.stringify([state.acceptWithinMinutes, state.acceptsAutomatically]);
const words = {
  staff: () => 'New orders wait until staff accept them',
  deadline: ({acceptWithinMinutes: many}) => `New orders are rejected unless staff accept them within ${many} ${many === 1 ? 'minute' : 'minutes'} of opening hours`,
  automatically: () => 'New orders are accepted automatically',
};

/** Whether the shop accepts new orders automatically; false until the server has said so. */
export const acceptance = {isAutomatic: false};

/** The part; `take` is given the shop as it is after a change, and `draw` each time it may be another one. */
export function accepting(take) {
  const says = el('p.condition', {role: 'status'});
  const minutes = field('accept-minutes', 'Within how many minutes?', {inputmode: 'numeric', maxlength: 4, autocomplete: 'off', value: '10'});
  const way = el('select', {'aria-label': 'Who accepts new orders', onchange: () => { minutes.node.hidden = way.value !== 'deadline'; }},
    Object.entries(ways).map(([value, text]) => el('option', {value}, text)));
  const save = el('button.button', {type: 'submit'}, 'Save');
  const form = el('form.accepting', {novalidate: true, onsubmit: submit}, way, minutes.node, el('div.row', {}, save));
  /** What the line says, and what the form was filled with. */
  let drawn = '', filled = '';

  async function submit(event) {
    event.preventDefault();
    if (save.getAttribute('aria-busy') === 'true') return;
    const many = Number(minutes.value);
    if (way.value === 'deadline' && !/^[1-9]\d*$/.test(minutes.value)) return refuse('Enter a whole number, such as 10.');
    minutes.showError(null);
    const late = way.value === 'deadline' ? waitingLonger(many) : 0;
    if (late && !await question('Some orders have waited longer',
      `New orders that have waited longer (${late} on the board) may be rejected at once, and their guests are notified.`,
      {yes: 'Save anyway', no: 'Check them first'})) return;
    save.setAttribute('aria-busy', 'true');
    try {
      const now = await readStaff('/v1/staff/shop');
      if (!await mayOverwrite(keyOf(now) !== filled, `${words[wayOf(now)](now)}.`)) {
        take(now);
        return fillForm(now);
      }
      filled = keyOf(now);
      take(await askStaff('PUT', '/v1/staff/acceptance', {staff: {}, deadline: {withinMinutes: many}, automatically: {automatically: true}}[way.value]));
      notice('Saved. This applies to all new orders.');
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(told(problem));
    } finally {
      save.removeAttribute('aria-busy');
    }
    return undefined;
  }

  function fillForm(state) {
    filled = keyOf(state);
    way.value = wayOf(state);
    minutes.node.hidden = way.value !== 'deadline';
    if (state.acceptWithinMinutes !== null) minutes.value = String(state.acceptWithinMinutes);
  }

  function refuse(why) {
    minutes.showError(why);
    minutes.focus();
  }

  return {
    nodes: [says, may('pause') ? form : null],
    draw(state) {
      acceptance.isAutomatic = state.acceptsAutomatically;
      const next = keyOf(state);
      if (next === drawn) return;
      drawn = next;
      says.textContent = words[wayOf(state)](state);
      // Who is choosing goes on.
      if (form.contains(document.activeElement) && save.getAttribute('aria-busy') !== 'true') return;
      fillForm(state);
    },
  };
}

/** How many new orders on the board were placed longer ago than that. */
const waitingLonger = (many) => orders.value?.open
  .filter((order) => order.state === 'placed' && !isLater(order) && now() - Date.parse(order.placedAt) > many * 60_000).length ?? 0;
