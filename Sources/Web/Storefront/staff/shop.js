// Whether the shop takes orders: paused until when and why, how busy it is, who accepts new ones, and its hours of today. Guests see each change at once; what others
// change, in SQL too, is found by asking again every few seconds. Read next: shifts.js, door.js.

import {now} from '../clock.js';
import {el} from '../dom.js';
import {field} from '../field.js';
import {hoursOf} from '../hours.js';
import {doing, notice} from '../notice.js';
import {patch} from '../parts/patch.js';
import {question} from '../question.js';
import {until} from '../when.js';
import {accepting} from './accepting.js';
import {retryAfter, watchReads} from './connection.js';
import {askStaff, may, postStaff, readStaff} from './door.js';
import {lookAgain} from './orders.js';
import {askShifts, shiftText, together, told} from './shifts.js';

const isAhead = (moment) => moment !== null && Date.parse(moment) > now();
/** What the orders' deadlines depend on. */
const deadlines = (state) => state && JSON.stringify([state.acceptWithinMinutes, state.hours, state.exceptions]);
const part = (id, heading, ...content) => el('section.doing', {'aria-labelledby': id}, el('h2', {id}, heading), content);
const button = (label, work, more = {}) => el('button.button.plain', {type: 'button', onclick: (event) => doing(event.currentTarget, work), ...more}, label);

/** Says how it stands in its line. */
function tell(line, text, isBad) {
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle('bad', isBad);
}

/** Whether orders are taken, and a pause. Of each part `take` is given the shop as it is after a change, and `draw` each time it may be another one. */
function pausing(take) {
  const taking = el('p.condition', {role: 'status'});
  const doors = el('p.quiet');
  const resume = button('Take orders again', async () => {
    take(await askStaff('DELETE', '/v1/staff/pause'));
    minutes.input.focus();
    notice('Open for orders again.');
  });
  const minutes = field('pause-minutes', 'For how many minutes?', {inputmode: 'numeric', maxlength: 5, autocomplete: 'off', value: '30'});
  const reason = field('pause-reason', 'Why? Guests read this.', {optional: true, maxlength: 200, autocomplete: 'off'});
  const pause = el('button.button', {type: 'submit'}, 'Pause');
  const form = el('form.pausing', {novalidate: true, onsubmit: submit},
    el('div.chips', {role: 'group', 'aria-label': 'Minutes'}, [15, 30, 60, 120].map((many) => el('button.chip', {type: 'button', onclick: () => {
      minutes.value = String(many);
      minutes.showError(null);
    }}, `${many} minutes`))), minutes.node, reason.node, el('div.row', {}, pause, resume));

  async function submit(event) {
    event.preventDefault();
    if (pause.getAttribute('aria-busy') === 'true') return;
    const many = minutes.value;
    if (!/^[1-9]\d*$/.test(many)) return refuse('Enter a whole number, such as 30.');
    for (const one of [minutes, reason]) one.showError(null);
    pause.setAttribute('aria-busy', 'true');
    try {
      take(await postStaff('/v1/staff/pause', {minutes: Number(many), ...reason.value ? {reason: reason.value} : {}}));
      reason.value = '';
      notice('Paused: guests can’t order for now.');
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(told(problem), problem.errors[0]?.field === 'minutes' ? minutes : reason);
    } finally {
      pause.removeAttribute('aria-busy');
    }
  }

  function refuse(why, at = minutes) {
    at.showError(why);
    at.focus();
  }

  return {nodes: [taking, doors, may('pause') ? form : null], draw(state, isPaused) {
    const offered = Object.fromEntries(state.fulfilments.filter(({isOffered}) => isOffered).map((door) => [door.fulfilment, door]));
    tell(taking, isPaused ? `Paused ${until(state.pauseUntil)}${state.pauseReason ? `: ${state.pauseReason}` : ''}` : 'Open for orders', isPaused);
    doors.textContent = (!isPaused && hoursOf(offered)) || '';
    resume.hidden = !isPaused;
  }};
}

/** How busy it is. */
function busying(take) {
  const busy = el('p.condition', {role: 'status'});
  const lasts = el('select', {'aria-label': 'For how long'}, [[30, 'for half an hour'], [60, 'for an hour'], [120, 'for two hours']]
    .map(([value, text]) => el('option', {value, selected: value === 60}, text)));
  const mark = async (many, forMinutes) => {
    take(await postStaff('/v1/staff/busy', {minutes: many, forMinutes}));
    notice(many ? `Orders take ${many} minutes longer.` : 'The busy time has ended.');
  };
  const calm = button('End busy time', () => mark(0));
  const row = el('div.row', {}, lasts, [10, 20].map((many) => button(`+${many} minutes`, () => mark(many, Number(lasts.value)))), calm);
  return {nodes: [busy, may('pause') ? row : null], draw(state, isBusy) {
    tell(busy, isBusy ? `Orders take ${state.busyMinutes} minutes longer ${until(state.busyUntil)}` : 'Not busy', isBusy);
    calm.hidden = !isBusy;
  }};
}

/** The hours of today. */
function today(take) {
  const hours = el('ul', {id: 'hours-today'});
  let state = null;
  const day = () => `/v1/staff/hours/${state.today}`;
  const changed = (next, words) => {
    take(next);
    notice(words);
  };
  const shut = button('Closed today', async () => {
    if (!await question('Closed today?', 'Guests can no longer order for today. Orders that are already placed stay open.', {yes: 'Close', no: 'Stay open'})) return;
    changed(await askStaff('PUT', day(), {shifts: []}), 'Closed today.');
  });
  const usual = button('Back to usual hours', async () => {
    changed(await askStaff('DELETE', day()), 'Open as usual.');
  });
  const others = button('Change hours', () => askShifts(state.today, together(state.hours), (next) => changed(next, 'Today’s hours are changed.')), {'aria-haspopup': 'dialog'});
  return {nodes: [hours, may('set_hours') ? el('div.row', {}, shut, others, usual) : null], draw(now) {
    state = now;
    patch(hours, [
      state.hours.length
        ? together(state.hours).map((shift) => el('li', {}, shiftText(shift))) : el('li', {}, 'Closed today'),
      state.isException ? el('li.quiet', {}, 'Different from the usual hours.') : null,
    ]);
    shut.hidden = state.hours.length === 0;
    usual.hidden = !state.isException;
  }};
}

/** The tab; `count` is told whether the shop is paused. */
export function shop(count) {
  let state = null, drawn = '', asked = 0;
  const reads = watchReads('state of the shop');
  const waiting = el('p.quiet', {}, 'One moment…');
  const [pauses, busy, acceptance, hours] = [pausing(take), busying(take), accepting(take), today(take)];
  const parts = el('div.day', {hidden: true},
    part('taking', 'Orders', ...pauses.nodes), part('busy', 'Busy', ...busy.nodes),
    part('accepting', 'New orders', ...acceptance.nodes), part('today-hours', 'Today’s hours', ...hours.nodes));

  function draw() {
    const isPaused = isAhead(state.pauseUntil), isBusy = state.busyMinutes > 0 && isAhead(state.busyUntil);
    const next = JSON.stringify([state, isPaused, isBusy]);
    if (next === drawn) return;
    drawn = next;
    waiting.hidden = true;
    parts.hidden = false;
    pauses.draw(state, isPaused);
    busy.draw(state, isBusy);
    hours.draw(state);
    acceptance.draw(state);
    count(isPaused ? 1 : 0);
  }

  /** What the server has answered last; what was asked before a change tells of the time before it. */
  function take(next) {
    asked += 1;
    const before = deadlines(state);
    state = next;
    if (before && before !== deadlines(state)) lookAgain();
    draw();
  }

  async function readShop() {
    const mine = asked;
    const next = await readStaff('/v1/staff/shop');
    if (mine === asked) take(next);
  }

  async function follow() {
    // Once also in a hidden tab: the board has to know whether the shop accepts automatically.
    const isWanted = document.visibilityState === 'visible' || !state || reads.isFailing();
    const problem = isWanted ? await reads.attempt(readShop) : null;
    if (problem && !state) waiting.textContent = `${problem.detail} We keep trying.`;
    setTimeout(follow, problem ? retryAfter : 3_000);
  }
  follow();
  return {title: 'Shop', nodes: [waiting, parts]};
}
