// The field for the wanted time: as soon as possible, or a free slot on a day. It has the interface of formField.js.

import {fewLeft} from '../dish/availability.js';
import {Problem} from '../parts/api.js';
import {announce, el, replaceChildren} from '../parts/dom.js';
import {patch} from '../parts/patch.js';
import {serverNow} from '../parts/serverClock.js';
import {addDays, dateOf, formatDate, formatTime, formatWhen, isToday} from '../parts/timeFormat.js';
import {showZoneNote} from '../parts/timeZone.js';
import {t} from '../parts/translation.js';

/** @typedef {API.Times['slots'][number]} Slot */
/** @typedef {ReturnType<typeof timeField>} TimeField */

/** @param {string} text */
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/** The maximum number of days in the list. */
const dayLimit = 62;

/** @param {string} latest */
function datesUntil(latest) {
  /** @type {string[]} */
  const dates = [];
  const last = dateOf(latest);
  for (let date = dateOf(serverNow()); date <= last && dates.length < dayLimit; date = addDays(date, 1)) {
    dates.push(date);
  }
  return dates;
}

/**
 * The free slots of a date, read by `ask`. A business day may end after midnight, so the neighbouring days are read if
 * needed.
 * @param {string} date
 * @param {(date: string) => Promise<Slot[]>} ask
 */
async function readFreeSlots(date, ask) {
  const slots = await ask(date);
  /** @param {Slot} slot */
  const isHere = ({startsAt}) => dateOf(startsAt) === date;
  if (slots.length && slots.every(isHere)) return slots;
  const others = [addDays(date, -1), addDays(date, 1)];
  const around = await Promise.all(others.map((other) => ask(other).catch(() => [])));
  return [...slots, ...around.flat()].filter(isHere)
    .sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
}

/**
 * Fills a select element with pairs of a value and a text.
 * @param {HTMLSelectElement} select
 * @param {Array<[string, string]>} all
 * @param {string} [chosen]
 */
function setOptions(select, all, chosen) {
  replaceChildren(select, all.map(([value, text]) => el('option', {value}, text)));
  select.value = (all.find(([value]) => value === chosen) ?? all[0])?.[0] ?? '';
}

/**
 * Fills the list of slots, and chooses the slot that starts at `start`.
 * @param {HTMLSelectElement} select
 * @param {Slot[]} slots
 * @param {string} start
 */
function setSlots(select, slots, start) {
  /** @param {Slot} entry */
  const words = (entry) =>
    `${formatTime(entry.startsAt)} – ${formatTime(entry.endsAt)}${fewLeft(entry) ? ` (${fewLeft(entry)})` : ''}`;
  /** @type {Array<[string, string]>} */
  const free = slots.map((slot) => [slot.startsAt, words(slot)]);
  setOptions(select, [['', slots.length ? t('Choose a time') : t('No times available')], ...free],
    slots.find(({startsAt}) => Date.parse(startsAt) === Date.parse(start))?.startsAt);
}

/**
 * The error of the field, with alternative times as buttons: {error, others, show}. `choose` gets the start of a tapped
 * alternative.
 * @param {string} id
 * @param {HTMLSelectElement[]} selects
 * @param {(start: string) => unknown} choose
 */
function timeError(id, selects, choose) {
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const others = el('div.chips', {role: 'group', 'aria-label': t('Available times'), hidden: true});
  /** @param {string | null} [message] @param {string[]} [alternatives] */
  function show(message, alternatives = []) {
    if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
    for (const select of selects) {
      if (message) select.setAttribute('aria-invalid', 'true');
      else select.removeAttribute('aria-invalid');
    }
    others.hidden = alternatives.length === 0;
    /** @param {string} start */
    const words = (start) => capitalized(isToday(start) ? formatTime(start) : formatWhen(start));
    patch(others, alternatives.map((start) =>
      el('button.chip', {type: 'button', 'data-key': start, onclick: () => choose(start)}, words(start))));
  }
  return {error, others, show};
}

/**
 * The list of a day's slots. `showError` gets the error of the day.
 * @param {HTMLSelectElement} slot
 * @param {(message: string | null) => void} showError
 */
function slotList(slot, showError) {
  let requestCount = 0, wantedStart = '', isLoading = false;
  return {
    /**
     * Reads the free slots of a date; set by the field.
     * @type {(date: string) => Promise<Slot[]>}
     */
    ask: async () => [],
    /**
     * The start of the chosen slot; '' for as soon as possible.
     * @returns {string}
     */
    get value() { return this.drawn || wantedStart; },
    /** Whether the slots of a day are loading. */
    get isLoading() { return isLoading; },
    /** The start of the slot on the screen; '' while slots are loading. */
    get drawn() { return slot.hidden ? '' : slot.value; },
    /** @param {string | null | undefined} start */
    set value(start) { wantedStart = start ?? ''; },
    /**
     * Shows the slots of a day, and chooses the wanted one if it is still free.
     * @param {string} date
     * @param {string} [start]
     */
    async show(date, start = '') {
      requestCount += 1;
      const ownRequest = requestCount;
      wantedStart = start;
      showError(null);
      slot.hidden = !date;
      isLoading = false;
      if (!date) return;
      setOptions(slot, [['', t('One moment…')]]);
      isLoading = true;
      const slots = await readFreeSlots(date, this.ask).catch((problem) => {
        if (!(problem instanceof Problem)) throw problem;
        if (ownRequest === requestCount) showError(`${problem.detail} ${t('Please choose the day again.')}`);
        return null;
      });
      if (ownRequest === requestCount) isLoading = false;
      if (!slots || ownRequest !== requestCount) return;
      setSlots(slot, slots, start);
      showError(slots.length ? null : t('No times are available on that day. Please choose another one.'));
      if (!start) {
        announce(slots.length
          ? t('{count, plural, one {# time is available} other {# times are available}}.', {count: slots.length})
          : t('No times are available on that day.'));
      }
      wantedStart = '';
    },
  };
}

/**
 * The field. `changed` is called when the guest has chosen a time.
 * @param {string} name
 * @param {string} label
 */
export function timeField(name, label) {
  const id = `field-${name}`;
  const hint = el('p.hint', {id: `${id}-hint`});
  const tied = {'aria-describedby': `${id}-hint ${id}-error`};
  const day = el('select', {
    id: `${id}-day`, 'aria-label': t('Day'), ...tied,
    onchange: () => {
      isUnavailable = false;
      void show(day.value).then(() => field.changed());
    },
  });
  const slot = el('select', {
    id, 'aria-label': t('Time'), hidden: true, ...tied,
    onchange: () => {
      isUnavailable = false;
      field.showError(null);
      field.changed();
    },
  });
  const {error, others, show: showError} = timeError(id, [day, slot], choose);
  const zone = el('p.hint.zone');
  const node = el('fieldset.field.time', {hidden: true},
    el('legend', {}, label), hint, el('div.row', {}, day, slot), zone, error, others);
  const times = slotList(slot, showError);
  /** Whether the chosen time is no longer offered and the guest has not yet tried to order since. */
  let isUnavailable = false;
  const unavailableMessage = () => t('The time you chose is no longer available. Please choose another one.');

  /** @param {string} date @param {string} [start] */
  function show(date, start) {
    day.value = date;
    return times.show(date, start);
  }

  /** @param {string} start */
  async function choose(start) {
    isUnavailable = false;
    const shown = show(dateOf(start), start);
    // Moves the focus before the tapped button disappears.
    slot.focus();
    await shown;
    field.changed();
  }

  const field = {
    name, node, showError, changed() {},
    get isVisible() { return !node.hidden; },
    /** @returns {string} */
    get value() { return times.value; },
    /** The time on the screen, with which an order is sent. */
    get drawn() { return times.drawn; },
    /** @param {string | null | undefined} start */
    set value(start) { times.value = start; },
    /**
     * The local error. While slots are loading, only a tap on Order (`all`) reports an error.
     * @param {{all?: boolean}} options
     */
    localError({all = true} = {}) {
      if (isUnavailable) return unavailableMessage();
      if (!day.value || times.drawn || (times.isLoading && !all)) return null;
      return error.textContent || t('Please choose a time.');
    },
    /**
     * Shows the offered times. `latest` is the latest time, or null; `isOpen` tells whether "as soon as possible" is
     * offered.
     * @param {{latest: string | null, isOpen: boolean, slotsOn: (date: string) => Promise<Slot[]>}} options
     */
    offer({latest, isOpen, slotsOn}) {
      times.ask = slotsOn;
      const dates = latest ? datesUntil(latest) : [];
      const start = times.value;
      // A day without a chosen slot is kept.
      const chosen = start ? dateOf(start) : day.value;
      // A time that is no longer offered is neither shown nor sent, and an error says so.
      const isLost = Boolean(start) && !dates.includes(chosen);
      node.hidden = dates.length === 0 && !isLost;
      showZoneNote(zone);
      /** @type {Array<[string, string]>} */
      const days = dates.map((date) => [date, capitalized(formatDate(date))]);
      setOptions(day, [['', isOpen ? t('As soon as possible') : t('Choose a day')], ...days]);
      isUnavailable ||= isLost;
      const drawn = isLost ? show('', '') : show(dates.includes(chosen) ? chosen : '', start);
      return drawn.then(() => isUnavailable && showError(unavailableMessage()));
    },
    /** The guest has seen the error, and may order for the time that is shown. */
    acknowledge() { isUnavailable = false; },
    /** Reads the slots of the chosen day again. */
    reload: () => (day.value ? show(day.value, times.value) : undefined),
    /** @param {string} text */
    hint(text) { if (hint.textContent !== text) hint.textContent = text; },
    get error() { return error.textContent; },
    focus: () => (slot.hidden ? day : slot).focus({preventScroll: true}),
    scrollIntoViewport() { node.scrollIntoView({block: 'nearest'}); },
    /** @param {boolean} value */
    set disabled(value) { node.disabled = value; },
  };
  return field;
}
