// The section of the Shop tab that sets who accepts new orders: staff, staff within a time limit, or the server.

import {Problem} from '../parts/api.js';
import {askToConfirm} from '../parts/confirmation.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {serverNow} from '../parts/serverClock.js';
import {showToast} from '../parts/toast.js';
import {isPermitted, readAsStaff, requestAsStaff} from './authentication.js';
import {boardOrders} from './boardOrders.js';
import {confirmOverwrite} from './confirmOverwrite.js';
import {isForLater} from './orderCard.js';
import {rejectionText} from './shiftsDialog.js';

/** @typedef {'staff' | 'deadline' | 'automatically'} Mode Who accepts new orders. */
/** @typedef {Pick<API.StaffShop, 'acceptWithinMinutes' | 'acceptsAutomatically'>} Settings */

/** @type {Record<Mode, string>} */
const modeLabels = {
  staff: 'Staff, without a time limit',
  deadline: 'Staff, within a time limit',
  automatically: 'Automatically, at once',
};
/** @param {Settings} settings @returns {Mode} */
const modeOf = ({acceptWithinMinutes, acceptsAutomatically}) => {
  if (acceptsAutomatically) return 'automatically';
  return acceptWithinMinutes === null ? 'staff' : 'deadline';
};
/** @param {Settings} shop */
const settingsKey = (shop) => JSON.stringify([shop.acceptWithinMinutes, shop.acceptsAutomatically]);
/** @type {Record<Mode, (settings: Settings) => string>} */
const descriptions = {
  staff: () => 'New orders wait until staff accept them',
  deadline: ({acceptWithinMinutes: limit}) => 'New orders are rejected unless staff accept them within '
    + `${limit} ${limit === 1 ? 'minute' : 'minutes'} of opening hours`,
  automatically: () => 'New orders are accepted automatically',
};
/** @param {Settings} shop */
const describe = (shop) => descriptions[modeOf(shop)](shop);

/** Whether the shop accepts new orders automatically; false until the shop's state has been read. */
export const acceptancePolicy = {isAutomatic: false};

/**
 * Returns {nodes, update}. `onChange` gets the shop's state after a change; `update` shows a state.
 * @param {(shop: API.StaffShop) => void} onChange
 */
export function acceptanceSettings(onChange) {
  const status = el('p.condition', {role: 'status'});
  const minutes = formField('accept-minutes', 'Within how many minutes?', {
    inputmode: 'numeric', maxlength: 4, autocomplete: 'off', value: '10',
  });
  /** @type {HTMLSelectElement} */
  const mode = el('select', {
    'aria-label': 'Who accepts new orders', onchange: () => { minutes.node.hidden = mode.value !== 'deadline'; },
  }, Object.entries(modeLabels).map(([value, text]) => el('option', {value}, text)));
  const save = el('button.button', {type: 'submit'}, 'Save');
  const form = el('form.accepting', {novalidate: true, onsubmit: submit}, mode, minutes.node, el('div.row', {}, save));
  /** The settings that the status line shows, and those that the form was filled with. */
  let shownKey = '', formKey = '';

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (save.getAttribute('aria-busy') === 'true') return;
    const text = minutes.input.value.trim();
    const limit = Number(text);
    if (mode.value === 'deadline' && !/^[1-9]\d*$/.test(text)) {
      return showError('Enter a whole number, such as 10.');
    }
    minutes.showError(null);
    const lateCount = mode.value === 'deadline' ? countWaitingLonger(limit) : 0;
    if (lateCount && !await askToConfirm('Some orders have waited longer',
      `New orders that have waited longer (${lateCount} on the board) may be rejected at once, `
        + 'and their guests are notified.',
      {yes: 'Save anyway', no: 'Check them first'})) return;
    save.setAttribute('aria-busy', 'true');
    try {
      const current = await readAsStaff('/v1/staff/shop');
      if (!await confirmOverwrite(settingsKey(current) !== formKey, `${describe(current)}.`)) {
        onChange(current);
        return fillForm(current);
      }
      formKey = settingsKey(current);
      /** @type {Record<string, API.Acceptance>} */
      const bodies = {staff: {}, deadline: {withinMinutes: limit}, automatically: {automatically: true}};
      onChange(await requestAsStaff('PUT', '/v1/staff/acceptance', bodies[mode.value]));
      showToast('Saved. This applies to all new orders.');
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(rejectionText(problem));
    } finally {
      save.removeAttribute('aria-busy');
    }
    return undefined;
  }

  /** @param {Settings} shop */
  function fillForm(shop) {
    formKey = settingsKey(shop);
    mode.value = modeOf(shop);
    minutes.node.hidden = mode.value !== 'deadline';
    if (shop.acceptWithinMinutes !== null) minutes.value = String(shop.acceptWithinMinutes);
  }

  /** @param {string} text */
  function showError(text) {
    minutes.showError(text);
    minutes.focus();
  }

  return {
    nodes: [status, isPermitted('pause') ? form : null],
    /** @param {API.StaffShop} shop */
    update(shop) {
      acceptancePolicy.isAutomatic = shop.acceptsAutomatically;
      const key = settingsKey(shop);
      if (key === shownKey) return;
      shownKey = key;
      status.textContent = describe(shop);
      // A form that has the focus keeps its input.
      if (form.contains(document.activeElement) && save.getAttribute('aria-busy') !== 'true') return;
      fillForm(shop);
    },
  };
}

/**
 * The number of new orders on the board that were placed more than `minutes` ago.
 * @param {number} minutes
 */
const countWaitingLonger = (minutes) => boardOrders.value?.open.filter((order) =>
  order.state === 'placed' && !isForLater(order)
    && serverNow() - Date.parse(order.placedAt) > minutes * 60_000).length ?? 0;
