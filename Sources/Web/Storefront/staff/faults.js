// The live error channel: whether all is well, and each fault and recovery as it happens, the newest first.

import {read} from '../api.js';
import {el, say} from '../dom.js';
import {patch} from '../parts/patch.js';
import {dateAndSecond} from '../when.js';
import {retryAfter, watchReads} from './connection.js';
import {listen} from './events.js';

const limit = 100;

/** The tab; `count` is told how many faults are open. */
export function faultList(count) {
  const reads = watchReads('errors');
  let events = [], arrived = [], retry = 0;
  const state = el('p.condition', {role: 'status'}, 'One moment…');
  const list = el('ol.events');

  /** The newest word on each subject decides. */
  function openFaults() {
    const newest = new Map();
    for (const event of events) if (!newest.has(event.subject)) newest.set(event.subject, event);
    return [...newest.values()].filter((event) => event.kind === 'fault');
  }

  function draw() {
    const open = openFaults();
    const words = open.length ? `${open.length === 1 ? 'A fault is' : `${open.length} faults are`} open: ${open.map((event) => event.subject).join(', ')}.` : 'All is well.';
    state.className = open.length ? 'condition bad' : 'condition';
    if (state.textContent !== words) state.textContent = words;
    patch(list, events.length ? events.map((event) => el('li',
      {'data-key': event.id, 'data-event': event.id, 'data-kind': event.kind},
      el(event.kind === 'fault' ? 'b.kind.bad' : 'b.kind', {}, event.kind === 'fault' ? 'Fault' : 'Recovery'),
      el('span', {}, event.message, el('small', {}, `${event.subject} · ${event.code}`)),
      el('time.quiet', {datetime: event.at}, dateAndSecond(event.at)))) : el('li.quiet', {}, 'Nothing has gone wrong since the server was started.'));
    count(open.length);
  }

  /** Events that came while the list was on its way stay on top of it. */
  function show(known) {
    const ids = new Set(known.map((event) => event.id));
    events = [...arrived.filter((event) => !ids.has(event.id)), ...known].slice(0, limit);
    draw();
  }

  /** The whole truth: after each connection, for the server may be another, and when some were missed. */
  async function readList() {
    arrived = [];
    clearTimeout(retry);
    const problem = await reads.attempt(async () => show((await read('/v1/errors')).events));
    if (!problem) return;
    if (!events.length) state.textContent = 'The errors can’t be loaded at the moment. We keep trying.';
    clearTimeout(retry);
    retry = setTimeout(readList, retryAfter);
  }

  listen({
    onEvent: (name, event) => {
      // The stream tells what happens from now on.
      if (name === 'list_changed' || name === 'missed') return readList();
      if (name !== 'fault' && name !== 'recovery') return undefined;
      arrived = [event, ...arrived];
      say(event.message);
      return show(events);
    },
  });
  return {title: 'Errors', nodes: [state, list]};
}
