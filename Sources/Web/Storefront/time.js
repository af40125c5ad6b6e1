// When an order is wanted: as soon as possible, or at one of the times that the shop has free on a day. A field like those of field.js.
// Used by form.js. Read next: fulfilment.js, which knows what is offered.

import {el, fill, say} from './dom.js';
import {few} from './soldout.js';
import {day as dayName, isToday, time, when} from './when.js';
import {t} from './words.js';

const capital = (text) => text[0].toUpperCase() + text.slice(1);
/** "2026-11-24", where the guest is. */
const dateOf = (moment) => {
  const at = new Date(moment);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};
const noonOf = (date) => new Date(`${date}T12:00`);
const shifted = (date, days) => {
  const at = noonOf(date);
  at.setDate(at.getDate() + days);
  return dateOf(at);
};

/** No more days than somebody would look through. */
const most = 62;

function datesUntil(latest) {
  const dates = [];
  for (let date = dateOf(Date.now()); date <= dateOf(latest) && dates.length < most; date = shifted(date, 1)) dates.push(date);
  return dates;
}

/** What is free on a day of the guest's, as `ask` tells of a date. Where the shop's clock is another, its day lies on two of them. */
async function freeOn(date, ask) {
  const slots = await ask(date);
  const isHere = ({startsAt}) => dateOf(startsAt) === date;
  if (slots.length && slots.every(isHere)) return slots;
  const around = await Promise.all([shifted(date, -1), shifted(date, 1)].map((other) => ask(other).catch(() => [])));
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
  offer(select, [['', slots.length ? t('Choose a time') : t('Nothing free')], ...slots.map((one) => [one.startsAt, words(one)])],
    slots.find(({startsAt}) => Date.parse(startsAt) === Date.parse(start))?.startsAt);
}

/** What is wrong with the choice in some lists, with other times to tap: {error, others, show}. `choose` is given the start of the one that is tapped. */
function wrongTime(id, selects, choose) {
  const error = el('p.error', {id: `${id}-error`, 'aria-live': 'polite'});
  const others = el('div.chips', {role: 'group', 'aria-label': t('Times that are free'), hidden: true});
  return {error, others, show(message, alternatives = []) {
    if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
    for (const select of selects) {
      if (message) select.setAttribute('aria-invalid', 'true');
      else select.removeAttribute('aria-invalid');
    }
    others.hidden = alternatives.length === 0;
    fill(others, alternatives.map((start) => el('button.chip', {type: 'button', onclick: () => choose(start)}, capital(isToday(start) ? time(start) : when(start)))));
  }};
}

/** The list of a day's times; `showError` is told what is wrong with the day. */
function timesIn(slot, showError) {
  let asked = 0, wanted = '';
  return {
    /** What is free on a date, asked of the shop. */
    ask: async () => [],
    /** The start of the time that is chosen; '' for as soon as possible. */
    get value() { return (slot.hidden ? '' : slot.value) || wanted; },
    set value(start) { wanted = start ?? ''; },
    /** Shows the times of a day, and chooses the one that was wanted if it is still free. */
    async show(date, start = '') {
      asked += 1;
      const mine = asked;
      wanted = start;
      showError(null);
      slot.hidden = !date;
      if (!date) return;
      offer(slot, [['', t('One moment…')]]);
      const slots = await freeOn(date, this.ask).catch((problem) => {
        if (problem.code === undefined) throw problem;
        if (mine === asked) showError(`${problem.detail} ${t('Please choose the day again.')}`);
        return null;
      });
      if (!slots || mine !== asked) return;
      offerTimes(slot, slots, start);
      if (!slots.length) showError(t('Nothing is free on that day. Please choose another one.'));
      if (!start) say(slots.length ? t('{count, plural, one {# time is free} other {# times are free}}.', {count: slots.length}) : t('Nothing is free on that day.'));
      wanted = '';
    },
  };
}

/** The field. `changed` is called when the guest has chosen something. */
export function timeField(name, label) {
  const id = `field-${name}`;
  const hint = el('p.hint', {id: `${id}-hint`});
  const tied = {'aria-describedby': `${id}-hint ${id}-error`};
  const day = el('select', {id: `${id}-day`, 'aria-label': t('Day'), onchange: () => show(day.value).then(() => field.changed()), ...tied});
  const slot = el('select', {id, 'aria-label': t('Time'), hidden: true, onchange: () => { field.showError(null); field.changed(); }, ...tied});
  const {error, others, show: showError} = wrongTime(id, [day, slot], choose);
  const node = el('fieldset.field.time', {hidden: true}, el('legend', {}, label), hint, el('div.row', {}, day, slot), error, others);
  const times = timesIn(slot, showError);

  function show(date, start) {
    day.value = date;
    return times.show(date, start);
  }

  async function choose(start) {
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
    set value(start) { times.value = start; },
    /** What is wrong with it before anybody is asked. */
    wrong: () => (day.value && !times.value ? error.textContent || t('Please choose a time.') : null),
    /** Shows what is offered: `latest` is the last time there is, null where there is none; `isOpen` says whether as soon as possible is one. */
    offer({latest, isOpen, slotsOn}) {
      times.ask = slotsOn;
      const dates = latest ? datesUntil(latest) : [];
      const start = times.value;
      // Who has chosen a day and no time yet keeps the day.
      const chosen = start ? dateOf(start) : day.value;
      node.hidden = dates.length === 0;
      offer(day, [['', isOpen ? t('As soon as possible') : t('Choose a day')], ...dates.map((date) => [date, capital(dayName(noonOf(date)))])]);
      return show(dates.includes(chosen) ? chosen : '', start);
    },
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
