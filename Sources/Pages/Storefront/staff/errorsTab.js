// The Errors tab: the open faults, and each fault and recovery as it happens, the newest first.

import {read} from '../parts/api.js';
import {announce, el} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {formatDateTimeSeconds} from '../parts/timeFormat.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {subscribeToStaffEvents} from './staffEvents.js';

const maximumEvents = 100;

/**
 * The Errors tab; `showOpenCount` gets the number of open faults.
 * @param {(count: number) => void} showOpenCount
 */
export function errorsTab(showOpenCount) {
  const reads = monitorReads('errors');
  /** @type {API.ErrorEvent[]} */
  let events = [];
  /** @type {API.ErrorEvent[]} */
  let liveEvents = [];
  let retryTimer = 0;
  const status = el('p.condition', {role: 'status'}, 'One moment…');
  const list = el('ol.events');

  /** The faults whose subject has no newer event. */
  function openFaults() {
    /** @type {Map<API.ErrorEvent['subject'], API.ErrorEvent>} */
    const newest = new Map();
    for (const event of events) if (!newest.has(event.subject)) newest.set(event.subject, event);
    return [...newest.values()].filter((event) => event.kind === 'fault');
  }

  /** @param {API.ErrorEvent} event */
  const eventRow = (event) => el('li', {'data-key': event.id, 'data-event': event.id, 'data-kind': event.kind},
    el(event.kind === 'fault' ? 'b.kind.bad' : 'b.kind', {}, event.kind === 'fault' ? 'Fault' : 'Recovery'),
    el('span', {}, event.message, el('small', {}, `${event.subject} · ${event.code}`)),
    el('time.quiet', {datetime: event.at}, formatDateTimeSeconds(event.at)));

  function draw() {
    const open = openFaults();
    const countText = open.length === 1 ? 'A fault is' : `${open.length} faults are`;
    const text = open.length ? `${countText} open: ${open.map((event) => event.subject).join(', ')}.` : 'All is well.';
    status.className = open.length ? 'condition bad' : 'condition';
    if (status.textContent !== text) status.textContent = text;
    const emptyNote = () => el('li.quiet', {}, 'Nothing has gone wrong since the server was started.');
    patch(list, events.length ? events.map(eventRow) : emptyNote());
    showOpenCount(open.length);
  }

  /**
   * Shows a list; events that arrived while it was loading stay on top.
   * @param {API.ErrorEvent[]} loaded
   */
  function show(loaded) {
    const ids = new Set(loaded.map((event) => event.id));
    events = [...liveEvents.filter((event) => !ids.has(event.id)), ...loaded].slice(0, maximumEvents);
    draw();
  }

  /**
   * Loads the whole list. This is needed after missed events, and after each connection, because the server may be
   * another instance.
   */
  async function loadList() {
    liveEvents = [];
    clearTimeout(retryTimer);
    const problem = await reads.attempt(async () => show((await read('/v1/errors')).events));
    if (!problem) return;
    if (!events.length) status.textContent = 'The errors can’t be loaded at the moment. We keep trying.';
    clearTimeout(retryTimer);
    retryTimer = setTimeout(loadList, retryDelay);
  }

  subscribeToStaffEvents({
    /** @param {string} name @param {unknown} data */
    onEvent: (name, data) => {
      if (name === 'list_changed' || name === 'missed') return loadList();
      if (name !== 'fault' && name !== 'recovery') return undefined;
      const event = /** @type {API.ErrorEvent} */ (data);
      liveEvents = [event, ...liveEvents];
      announce(event.message);
      return show(events);
    },
  });
  return {title: 'Errors', nodes: [status, list]};
}
