// A dialog that changes the opening hours of one date, with a row for each shift.

import {Problem} from '../parts/api.js';
import {el, icon} from '../parts/dom.js';
import {readAsStaff, requestAsStaff} from './authentication.js';
import {confirmOverwrite} from './confirmOverwrite.js';

/** @typedef {Pick<API.StaffShop['hours'][number], 'opens' | 'closes'> & {fulfilment: API.Fulfilment | null}} Shift */

/** @param {string} text A time such as "17:30". */
const minutesOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
/** @param {number} minutes */
const timeText = (minutes) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
/**
 * The time of day of a time that may be after midnight: "02:00" for "26:00".
 * @param {string} text
 */
const clockTime = (text) => timeText(minutesOf(text) % 1440);

/**
 * A shift in words: "18:00–02:00 next day, pickup".
 * @param {Shift} shift
 */
export function shiftText({opens, closes, fulfilment}) {
  const end = closes === '24:00' ? closes : clockTime(closes);
  return `${opens}–${end}${minutesOf(closes) > 1440 ? ' next day' : ''}${fulfilment ? `, ${fulfilment}` : ''}`;
}

/**
 * Merges equal shifts of delivery and pickup into one without a fulfilment.
 * @param {Shift[]} shifts
 * @returns {Shift[]}
 */
export function mergeShifts(shifts) {
  /** @param {Shift} one @returns {(other: Shift) => boolean} */
  const isCounterpart = (one) => (other) =>
    one.opens === other.opens && one.closes === other.closes && one.fulfilment !== other.fulfilment;
  return shifts.filter((shift) => shift.fulfilment !== 'pickup' || !shifts.some(isCounterpart(shift)))
    .map((shift) => (shifts.some(isCounterpart(shift)) ? {...shift, fulfilment: null} : shift));
}

/**
 * The text of a rejected change: what is wrong, and how to correct it.
 * @param {Problem} problem
 */
export const rejectionText = (problem) =>
  problem.errors[0]?.message ?? [problem.detail, problem.body.hint].filter(Boolean).join(' ');

/**
 * Asks for the shifts of a date; `onSave` gets the shop's state afterwards.
 * @param {string} date
 * @param {Shift[]} shifts
 * @param {(shop: API.StaffShop) => void} onSave
 */
export function openShiftsDialog(date, shifts, onSave) {
  const list = el('ul');
  const error = el('p.error', {role: 'alert'});
  const save = el('button.button', {type: 'submit'}, 'Save');
  const addButton = el('button.button.plain', {
    type: 'button',
    onclick: () => addRow({opens: '18:00', closes: '22:00', fulfilment: null}).querySelector('input')?.focus(),
  }, 'Another shift');
  const hint = 'In the shop’s time zone. A closing time before the opening time is on the next day.';
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog.asking.shifts', {'aria-labelledby': 'shifts', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'shifts'}, 'Open today'), el('p.hint', {}, hint), list, error,
      el('div.row', {}, save, addButton,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  /** @param {Shift} shift */
  function addRow({opens, closes, fulfilment}) {
    const fulfilments = [['', 'Delivery and pickup'], ['delivery', 'Delivery'], ['pickup', 'Pickup']];
    const fulfilmentSelect = el('select', {'aria-label': 'For'}, fulfilments.map(([value, text]) =>
      el('option', {value, selected: value === (fulfilment ?? '')}, text)));
    const row = el('li.shift', {},
      el('input', {type: 'time', 'aria-label': 'Opens', value: opens}),
      el('input', {type: 'time', 'aria-label': 'Closes', value: clockTime(closes)}), fulfilmentSelect,
      el('button.round', {type: 'button', 'aria-label': 'Remove this shift', onclick: () => {
        row.remove();
        addButton.focus();
      }}, icon('bin')));
    list.append(row);
    return row;
  }

  const readRows = () => [...list.children].map((row) => {
    const [opens = '', closes = ''] = [...row.querySelectorAll('input')].map(({value}) => value);
    const fulfilment = row.querySelector('select')?.value;
    const isNextDay = opens && closes && minutesOf(closes) <= minutesOf(opens);
    return {
      opens, closes: isNextDay ? timeText(minutesOf(closes) + 1440) : closes, fulfilment: fulfilment || null,
    };
  });

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (save.getAttribute('aria-busy') === 'true') return;
    const rows = readRows();
    if (!rows.length) return showError('To close for the day, use the button “Closed today”.');
    if (rows.some(({opens, closes}) => !opens || !closes)) {
      return showError('Each shift needs an opening and a closing time, such as 18:00 and 22:00.');
    }
    save.setAttribute('aria-busy', 'true');
    try {
      const shop = await readAsStaff('/v1/staff/shop');
      const current = mergeShifts(shop.hours);
      const isChanged = shop.today === date && JSON.stringify(current) !== JSON.stringify(shifts);
      const currentText = current.length ? `Open today: ${current.map(shiftText).join('; ')}.` : 'Closed today.';
      if (!await confirmOverwrite(isChanged, currentText)) return dialog.close();
      onSave(await requestAsStaff('PUT', `/v1/staff/hours/${date}`, {shifts: rows}));
      dialog.close();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(rejectionText(problem));
    } finally {
      save.removeAttribute('aria-busy');
    }
    return undefined;
  }

  /** @param {string} text */
  function showError(text) {
    error.textContent = text;
    list.querySelector('input')?.focus();
  }

  for (const shift of shifts.length ? shifts : [{opens: '11:00', closes: '22:00', fulfilment: null}]) addRow(shift);
  document.body.append(dialog);
  dialog.showModal();
  list.querySelector('input')?.focus();
}
