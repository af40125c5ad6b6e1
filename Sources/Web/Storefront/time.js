// When an order is wanted: as soon as possible, or at one of the times that the shop has free on a day. A field like those of field.js.
// Used by form.js. Read next: fulfilment.js, which knows what is offered.

import {now} from './clock.js';
import {el, fill, say} from './dom.js';
import {patch} from './parts/patch.js';
import {showZoneNote} from './parts/timeZone.js';
import {few} from './soldout.js';
import {dateOf, dayOf, isToday, shiftedDate, time, when} from './when.js';
import {t} from './words.js';

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** No more days than somebody would look through. */
const most = 62;

function datesUntil(latest) {
  const dates = [];
  const last = dateOf(latest);
  for (let date = dateOf(now()); date <= last && dates.length < most; date = shiftedDate(date, 1)) dates.push(date);
  return dates;
}

/** The free times of a date, which `ask` reads. A business day may end after midnight: its neighbours are read then. */
async function freeOn(date, ask) {
  const slots = await ask(date);
  const isHere = ({startsAt}) => dateOf(startsAt) === date;
  if (slots.length && slots.every(isHere)) return slots;
  const others = [shiftedDate(date, -1), shiftedDate(date, 1)];
  const around = await Promise.all(others.map((other) => ask(other).catch(() => [])));
  return [...slots, ...around.flat()].filter(isHere).sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
}

/** Puts pairs of a value and its words into a list to choose from. */
function offer(select, all, chosen) {
  fill(select, all.map(([value, text]) => el('option', {value}, text)));
  select.value = all.some(([value]) => value === chosen) ? chosen : all[0]?.[0] ?? '';
}

/** Offers the times that are free, the one that starts then chosen. */
function offerTimes(select, slots, start) {
  const words = (one) => `${time(one.startsAt)} – ${time(one.endsAt)}${few(one) ? ` (${few(one)})` : ''}`;
  offer(select, [['', slots.length ? t('Choose a time') : t('No times available')], ...slots.map((one) => [one.startsAt, words(one)])],
    slots.find(({startsAt}) => Date.parse(startsAt) === Date.parse(start))?.startsAt);
}

/** What is wrong with the choice in some lists, with other times to tap: {error, others, show}. `choose` is given the start of the one that is tapped. */
function wrongTime(id, selects, choose) {
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const others = el('div.chips', {role: 'group', 'aria-label': t('Available times'), hidden: true});
  return {error, others, show(message, alternatives = []) {
    if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
    for (const select of selects) {
      if (message) select.setAttribute('aria-invalid', 'true');
      else select.removeAttribute('aria-invalid');
    }
    others.hidden = alternatives.length === 0;
    const words = (start) => capital(isToday(start) ? time(start) : when(start));
    patch(others, alternatives.map((start) =>
      el('button.chip', {type: 'button', 'data-key': start, onclick: () => choose(start)}, words(start))));
  }};
}

/** The list of a day's times; `showError` is told what is wrong with the day. */
function timesIn(slot, showError) {
  let asked = 0, wanted = '', isLoading = false;
  return {
    /** What is free on a date, asked of the shop. */
    ask: async () => [],
    /** The start of the time that is chosen; '' for as soon as possible. */
    get value() { return this.drawn || wanted; },
    /** Whether the times of a day load. */
    get isLoading() { return isLoading; },
    /** The start of the time that is on the screen; '' while the times of a day load, too. */
    get drawn() { return slot.hidden ? '' : slot.value; },
    set value(start) { wanted = start ?? ''; },
    /** Shows the times of a day, and chooses the one that was wanted if it is still free. */
    async show(date, start = '') {
      asked += 1;
      const mine = asked;
      wanted = start;
      showError(null);
      slot.hidden = !date;
      isLoading = false;
      if (!date) return;
      offer(slot, [['', t('One moment…')]]);
      isLoading = true;
      const slots = await freeOn(date, this.ask).catch((problem) => {
        if (problem.code === undefined) throw problem;
        if (mine === asked) showError(`${problem.detail} ${t('Please choose the day again.')}`);
        return null;
      });
      if (mine === asked) isLoading = false;
      if (!slots || mine !== asked) return;
      offerTimes(slot, slots, start);
      showError(slots.length ? null : t('No times are available on that day. Please choose another one.'));
      if (!start) say(slots.length ? t('{count, plural, one {# time is available} other {# times are available}}.', {count: slots.length}) : t('No times are available on that day.'));
      wanted = '';
    },
  };
}

/** The field. `changed` is called when the guest has chosen something. */
export function timeField(name, label) {
  const id = `field-${name}`;
  const hint = el('p.hint', {id: `${id}-hint`});
  const tied = {'aria-describedby': `${id}-hint ${id}-error`};
  const day = el('select', {id: `${id}-day`, 'aria-label': t('Day'), onchange: () => { isGone = false; show(day.value).then(() => field.changed()); }, ...tied});
  const slot = el('select', {id, 'aria-label': t('Time'), hidden: true, onchange: () => { isGone = false; field.showError(null); field.changed(); }, ...tied});
  const {error, others, show: showError} = wrongTime(id, [day, slot], choose);
  const zone = el('p.hint.zone');
  const node = el('fieldset.field.time', {hidden: true},
    el('legend', {}, label), hint, el('div.row', {}, day, slot), zone, error, others);
  const times = timesIn(slot, showError);
  /** Whether the time that the guest chose before is not offered any more, and they do not know it yet. */
  let isGone = false;
  const goneWords = () => t('The time you chose is no longer available. Please choose another one.');

  function show(date, start) {
    day.value = date;
    return times.show(date, start);
  }

  async function choose(start) {
    isGone = false;
    const shown = show(dateOf(start), start);
    // Before its button is gone, so that the focus is never nowhere.
    slot.focus();
    await shown;
    field.changed();
  }

  const field = {
    name, node, showError, changed() {},
    get isAsked() { return !node.hidden; },
    get value() { return times.value; },
    /** The time that is on the screen: what an order is sent with. */
    get drawn() { return times.drawn; },
    set value(start) { times.value = start; },
    /** What is wrong with it before the shop is asked. While times load, that is only told to a guest who orders: `all`. */
    wrong({all = true} = {}) {
      if (isGone) return goneWords();
      if (!day.value || times.drawn || (times.isLoading && !all)) return null;
      return error.textContent || t('Please choose a time.');
    },
    /** Shows what is offered: `latest` is the last time there is, null where there is none; `isOpen` says whether as soon as possible is one. */
    offer({latest, isOpen, slotsOn}) {
      times.ask = slotsOn;
      const dates = latest ? datesUntil(latest) : [];
      const start = times.value;
      // Who has chosen a day and no time yet keeps the day.
      const chosen = start ? dateOf(start) : day.value;
      // A time that is not offered any more is neither drawn nor sent, and the guest is told.
      const isLost = Boolean(start) && !dates.includes(chosen);
      node.hidden = dates.length === 0 && !isLost;
      showZoneNote(zone);
      offer(day, [['', isOpen ? t('As soon as possible') : t('Choose a day')], ...dates.map((date) => [date, capital(dayOf(date))])]);
      isGone ||= isLost;
      const drawn = isLost ? show('', '') : show(dates.includes(chosen) ? chosen : '', start);
      return drawn.then(() => isGone && showError(goneWords()));
    },
    /** The guest has been told that their time is gone, and may order for what is drawn instead. */
    acknowledge() { isGone = false; },
    /** Asks what is free on the chosen day once more. */
    again: () => (day.value ? show(day.value, times.value) : undefined),
    hint(text) { if (hint.textContent !== text) hint.textContent = text; },
    get error() { return error.textContent; },
    focus: () => (slot.hidden ? day : slot).focus({preventScroll: true}),
    showWhole() { node.scrollIntoView({block: 'nearest'}); },
    set disabled(value) { node.disabled = value; },
  };
  return field;
}
