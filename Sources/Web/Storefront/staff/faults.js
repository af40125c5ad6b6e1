// The live error channel: whether all is well, and each fault and recovery as it happens, the newest first. Read next: stream.js.

import {read} from '../api.js';
import {el, fill, say} from '../dom.js';
import {follow} from './stream.js';

const limit = 100;

/** The tab; `count` is told how many faults are open. */
export function faultList(count) {
  let events = [], arrived = [];
  const state = el('p.condition', {role: 'status'}, 'One moment…');
  const list = el('ol.events');
  const clock = new Intl.DateTimeFormat(undefined, {dateStyle: 'short', timeStyle: 'medium'});

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
    fill(list, events.length ? events.map((event) => el('li', {'data-event': event.id, 'data-kind': event.kind},
      el(event.kind === 'fault' ? 'b.kind.bad' : 'b.kind', {}, event.kind === 'fault' ? 'Fault' : 'Recovery'),
      el('span', {}, event.message, el('small', {}, `${event.subject} · ${event.code}`)),
      el('time.quiet', {datetime: event.at}, clock.format(new Date(event.at))))) : el('li.quiet', {}, 'Nothing has gone wrong since the server was started.'));
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
    try {
      show((await read('/v1/errors')).events);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      setTimeout(readList, 3_000);
    }
  }

  follow('/v1/errors/events', {
    onLive: (isLive) => isLive && readList(),
    onEvent: (name, event) => {
      if (name === 'missed') return readList();
      arrived = [event, ...arrived];
      say(event.message);
      return show(events);
    },
  });
  return {title: 'Errors', nodes: [state, list]};
}
