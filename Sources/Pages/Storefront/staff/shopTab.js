// The Shop tab: pause, busy time, acceptance of new orders and today's hours. Guests see each change at once. Changes
// that others make, in SQL too, are found by a poll every three seconds.

import {Problem} from '../parts/api.js';
import {askToConfirm} from '../parts/confirmation.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {openingText} from '../parts/openingStatus.js';
import {patch} from '../parts/patch.js';
import {required} from '../parts/required.js';
import {serverNow} from '../parts/serverClock.js';
import {formatUntil} from '../parts/timeFormat.js';
import {runBusy, showToast} from '../parts/toast.js';
import {acceptanceSettings} from './acceptanceSettings.js';
import {isPermitted, postAsStaff, readAsStaff, requestAsStaff} from './authentication.js';
import {reloadOrders} from './boardOrders.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {mergeShifts, openShiftsDialog, rejectionText, shiftText} from './shiftsDialog.js';

/** @typedef {import('../parts/formField.js').FormField} FormField */
/** @typedef {(shop: API.StaffShop) => void} OnChange Gets the shop's state after a change. */

/** @type {(moment: string | null) => string | null} */
const ifInFuture = (moment) => (moment !== null && Date.parse(moment) > serverNow() ? moment : null);
/**
 * The settings on which the acceptance deadlines of orders depend.
 * @param {API.StaffShop | null} shop
 */
const deadlineKey = (shop) => shop && JSON.stringify([shop.acceptWithinMinutes, shop.hours, shop.exceptions]);
/** @param {string} id @param {string} heading @param {...(Node | null)} content */
const shopSection = (id, heading, ...content) =>
  el('section.shop-section', {'aria-labelledby': id}, el('h2', {id}, heading), content);
/** @param {string} label @param {() => unknown} work @param {Record<string, string>} attributes */
const actionButton = (label, work, attributes = {}) => el('button.button.plain', {
  type: 'button', onclick: (event) => runBusy(event.currentTarget, work), ...attributes,
}, label);

/**
 * Shows a text in a status line.
 * @param {HTMLElement} line
 * @param {string} text
 * @param {boolean} isBad
 */
function showStatus(line, text, isBad) {
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle('bad', isBad);
}

/**
 * The section that shows whether orders are taken, and pauses them: {nodes, update}. In each section `update` shows a
 * state of the shop.
 * @param {OnChange} onChange
 */
function pauseControls(onChange) {
  const status = el('p.condition', {role: 'status'});
  const openingHours = el('p.quiet');
  const resume = actionButton('Take orders again', async () => {
    onChange(await requestAsStaff('DELETE', '/v1/staff/pause'));
    minutes.input.focus();
    showToast('Open for orders again.');
  });
  const minutes = formField('pause-minutes', 'For how many minutes?', {
    inputmode: 'numeric', maxlength: 5, autocomplete: 'off', value: '30',
  });
  const reason = formField('pause-reason', 'Why? Guests read this.', {
    optional: true, maxlength: 200, autocomplete: 'off',
  });
  const pause = el('button.button', {type: 'submit'}, 'Pause');
  /** @param {number} value */
  const minutesChip = (value) => el('button.chip', {type: 'button', onclick: () => {
    minutes.value = String(value);
    minutes.showError(null);
  }}, `${value} minutes`);
  const form = el('form.pausing', {novalidate: true, onsubmit: submit},
    el('div.chips', {role: 'group', 'aria-label': 'Minutes'}, [15, 30, 60, 120].map(minutesChip)),
    minutes.node, reason.node, el('div.row', {}, pause, resume));

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (pause.getAttribute('aria-busy') === 'true') return;
    const text = minutes.input.value.trim();
    if (!/^[1-9]\d*$/.test(text)) return showError('Enter a whole number, such as 30.');
    for (const input of [minutes, reason]) input.showError(null);
    pause.setAttribute('aria-busy', 'true');
    try {
      const body = {minutes: Number(text), ...reason.value ? {reason: reason.value} : {}};
      onChange(await postAsStaff('/v1/staff/pause', body));
      reason.value = '';
      showToast('Paused: guests can’t order for now.');
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(rejectionText(problem), problem.errors[0]?.field === 'minutes' ? minutes : reason);
    } finally {
      pause.removeAttribute('aria-busy');
    }
  }

  /** @param {string} text @param {FormField} [input] */
  function showError(text, input = minutes) {
    input.showError(text);
    input.focus();
  }

  /** @param {API.StaffShop} shop @param {string | null} pausedUntil */
  function update(shop, pausedUntil) {
    const offered = Object.fromEntries(shop.fulfilments.filter(({isOffered}) => isOffered)
      .map((opening) => [opening.fulfilment, opening]));
    const reasonText = shop.pauseReason ? `: ${shop.pauseReason}` : '';
    showStatus(status, pausedUntil ? `Paused ${formatUntil(pausedUntil)}${reasonText}` : 'Open for orders',
      pausedUntil !== null);
    openingHours.textContent = (pausedUntil === null && openingText(offered)) || '';
    resume.hidden = pausedUntil === null;
  }

  return {nodes: [status, openingHours, isPermitted('pause') ? form : null], update};
}

/**
 * The busy time, which adds minutes to estimates.
 * @param {OnChange} onChange
 */
function busyControls(onChange) {
  const status = el('p.condition', {role: 'status'});
  /** @type {Array<[number, string]>} */
  const durations = [[30, 'for half an hour'], [60, 'for an hour'], [120, 'for two hours']];
  const duration = el('select', {'aria-label': 'For how long'}, durations.map(([value, text]) =>
    el('option', {value, selected: value === 60}, text)));
  /** @param {number} minutes @param {number} [forMinutes] */
  const setBusy = async (minutes, forMinutes) => {
    onChange(await postAsStaff('/v1/staff/busy', {minutes, forMinutes}));
    showToast(minutes ? `Orders take ${minutes} minutes longer.` : 'The busy time has ended.');
  };
  const endButton = actionButton('End busy time', () => setBusy(0));
  const row = el('div.row', {}, duration, [10, 20].map((minutes) =>
    actionButton(`+${minutes} minutes`, () => setBusy(minutes, Number(duration.value)))), endButton);

  /** @param {API.StaffShop} shop @param {string | null} busyUntil */
  function update(shop, busyUntil) {
    const text = busyUntil ? `Orders take ${shop.busyMinutes} minutes longer ${formatUntil(busyUntil)}` : 'Not busy';
    showStatus(status, text, busyUntil !== null);
    endButton.hidden = busyUntil === null;
  }

  return {nodes: [status, isPermitted('pause') ? row : null], update};
}

/**
 * The opening hours of today.
 * @param {OnChange} onChange
 */
function hoursControls(onChange) {
  const list = el('ul', {id: 'hours-today'});
  /** @type {API.StaffShop | null} */
  let shown = null;
  /** @returns {`/v1/staff/hours/${string}`} */
  const path = () => `/v1/staff/hours/${required(shown).today}`;
  /** @param {API.StaffShop} next @param {string} text */
  const finish = (next, text) => {
    onChange(next);
    showToast(text);
  };
  const closeButton = actionButton('Closed today', async () => {
    if (!await askToConfirm('Closed today?',
      'Guests can no longer order for today. Orders that are already placed stay open.',
      {yes: 'Close', no: 'Stay open'})) return;
    finish(await requestAsStaff('PUT', path(), {shifts: []}), 'Closed today.');
  });
  const resetButton = actionButton('Back to usual hours', async () => {
    finish(await requestAsStaff('DELETE', path()), 'Open as usual.');
  });
  const changeButton = actionButton('Change hours', () => {
    const {today, hours} = required(shown);
    openShiftsDialog(today, mergeShifts(hours), (next) => finish(next, 'Today’s hours are changed.'));
  }, {'aria-haspopup': 'dialog'});
  const row = el('div.row', {}, closeButton, changeButton, resetButton);

  /** @param {API.StaffShop} shop */
  function update(shop) {
    shown = shop;
    patch(list, [
      shop.hours.length
        ? mergeShifts(shop.hours).map((shift) => el('li', {}, shiftText(shift))) : el('li', {}, 'Closed today'),
      shop.isException ? el('li.quiet', {}, 'Different from the usual hours.') : null,
    ]);
    closeButton.hidden = shop.hours.length === 0;
    resetButton.hidden = !shop.isException;
  }

  return {nodes: [list, isPermitted('set_hours') ? row : null], update};
}

/**
 * The Shop tab; `showPausedCount` gets 1 while the shop is paused, and otherwise 0.
 * @param {(count: number) => void} showPausedCount
 */
export function shopTab(showPausedCount) {
  /** @type {API.StaffShop | null} */
  let current = null;
  let shownKey = '', generation = 0;
  const reads = monitorReads('state of the shop');
  const loadingNote = el('p.quiet', {}, 'One moment…');
  const [pause, busy, acceptance, hours] =
    [pauseControls(setShop), busyControls(setShop), acceptanceSettings(setShop), hoursControls(setShop)];
  const sections = el('div.day', {hidden: true},
    shopSection('taking', 'Orders', ...pause.nodes), shopSection('busy', 'Busy', ...busy.nodes),
    shopSection('accepting', 'New orders', ...acceptance.nodes),
    shopSection('today-hours', 'Today’s hours', ...hours.nodes));

  /** @param {API.StaffShop} shop */
  function draw(shop) {
    const pausedUntil = ifInFuture(shop.pauseUntil);
    const busyUntil = shop.busyMinutes > 0 ? ifInFuture(shop.busyUntil) : null;
    const key = JSON.stringify([shop, pausedUntil, busyUntil]);
    if (key === shownKey) return;
    shownKey = key;
    loadingNote.hidden = true;
    sections.hidden = false;
    pause.update(shop, pausedUntil);
    busy.update(shop, busyUntil);
    hours.update(shop);
    acceptance.update(shop);
    showPausedCount(pausedUntil ? 1 : 0);
  }

  /**
   * Shows a newer state. A read that began before is ignored, because the generation has changed.
   * @param {API.StaffShop} next
   */
  function setShop(next) {
    generation += 1;
    const previousKey = deadlineKey(current);
    current = next;
    if (previousKey && previousKey !== deadlineKey(next)) reloadOrders();
    draw(next);
  }

  async function readShop() {
    const startGeneration = generation;
    const next = await readAsStaff('/v1/staff/shop');
    if (startGeneration === generation) setShop(next);
  }

  async function poll() {
    // The first read also happens in a hidden tab: the board needs to know whether orders are accepted automatically.
    const isNeeded = document.visibilityState === 'visible' || !current || reads.isFailing();
    const problem = isNeeded ? await reads.attempt(readShop) : null;
    if (problem && !current) loadingNote.textContent = `${problem.detail} We keep trying.`;
    setTimeout(poll, problem ? retryDelay : 3_000);
  }
  void poll();
  return {title: 'Shop', nodes: [loadingNote, sections]};
}
