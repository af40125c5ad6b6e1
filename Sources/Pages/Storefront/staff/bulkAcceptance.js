// Accepts all new orders with one tap, with a request for each order. Another tap undoes that while the server permits
// it. Reports the orders that fail.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {showToast} from '../parts/toast.js';
import {advanceOrder, availableUndo, undoStep} from './boardOrders.js';
import {isNewOrder} from './orderCard.js';
import {focusOrdersHeading} from './ordersHeading.js';

/**
 * The reasons of the failed requests, each with the numbers of its orders.
 * @param {string[]} numbers
 * @param {Array<PromiseSettledResult<unknown>>} results
 */
function failureTexts(numbers, results) {
  /** @type {Map<string, string[]>} */
  const numbersByReason = new Map();
  results.forEach((result, index) => {
    if (result.status === 'fulfilled') return;
    const problem = result.reason;
    if (!(problem instanceof Problem)) throw problem;
    const text = problem.errors[0]?.message ?? problem.detail;
    numbersByReason.set(text, [...numbersByReason.get(text) ?? [], numbers[index]]);
  });
  return [...numbersByReason].map(([text, failed]) => `${failed.join(', ')}: ${text}`);
}

/** {node: the buttons, errors: the alert about failed orders, update: called with the open orders}. */
export function bulkAcceptance() {
  /** @type {API.Order[]} */
  let open = [];
  /** @type {string[]} */
  let acceptedNumbers = [];
  /** @param {(order: API.Order) => boolean} condition */
  const numbersWhere = (condition) => open.filter(condition).map(({number}) => number);
  /**
   * Whether the acceptance can be undone. An order with a later step is not undone.
   * @param {API.Order} order
   */
  const isUndoable = (order) =>
    acceptedNumbers.includes(order.number) && order.state === 'accepted' && availableUndo(order) !== null;
  const errorText = el('p');
  const errors = el('div.board-alert', {hidden: true}, errorText,
    el('button.button', {type: 'button', onclick: () => {
      showErrors('', []);
      focusOrdersHeading();
    }}, 'Close'));
  /**
   * A button that ignores the second click of a double tap.
   * @param {string} name
   * @param {() => unknown} work
   */
  const button = (name, work) => el(name, {
    type: 'button', hidden: true, onclick: (event) => event.detail <= 1 && work(),
  });
  const acceptButton = button('button.button.plain.accept-all', acceptAll);
  const undoButton = button('button.button.undo', undoAll);

  /** @param {string} heading @param {string[]} failures */
  function showErrors(heading, failures) {
    errors.hidden = failures.length === 0;
    errorText.textContent = failures.length ? `${heading} ${failures.join(' ')}` : '';
  }

  /**
   * Runs `work` for several orders at once; returns the numbers of those that succeeded.
   * @param {HTMLElement} tapped
   * @param {string[]} numbers
   * @param {(number: string) => Promise<unknown>} work
   * @param {string} errorHeading
   */
  async function runForAll(tapped, numbers, work, errorHeading) {
    if (tapped.getAttribute('aria-busy') === 'true') return [];
    const hasFocus = document.activeElement === tapped;
    tapped.setAttribute('aria-busy', 'true');
    const results = await Promise.allSettled(numbers.map(work));
    tapped.removeAttribute('aria-busy');
    showErrors(errorHeading, failureTexts(numbers, results));
    const succeeded = numbers.filter((_, index) => results[index].status === 'fulfilled');
    if (tapped === acceptButton) acceptedNumbers = succeeded;
    updateButtons();
    if (hasFocus && tapped.hidden) {
      const visible = [acceptButton, undoButton].find((other) => !other.hidden);
      if (visible) visible.focus({preventScroll: true});
      else focusOrdersHeading();
    }
    return succeeded;
  }

  async function acceptAll() {
    const {length} = await runForAll(
      acceptButton, numbersWhere(isNewOrder), (number) => advanceOrder(number, 'accepted'), 'Not accepted:');
    if (length) showToast(`${length} ${length === 1 ? 'order is' : 'orders are'} accepted.`);
  }

  async function undoAll() {
    await runForAll(undoButton, numbersWhere(isUndoable), (number) => undoStep(number, 'accepted'), 'Not undone:');
  }

  function updateButtons() {
    const [newCount, undoableCount] = [numbersWhere(isNewOrder).length, numbersWhere(isUndoable).length];
    acceptButton.hidden = newCount < 2 && acceptButton.getAttribute('aria-busy') !== 'true';
    if (!acceptButton.hidden && newCount > 1) acceptButton.textContent = `Accept all ${newCount}`;
    undoButton.hidden = undoableCount === 0;
    if (undoableCount) undoButton.textContent = `${undoableCount} accepted · Undo`;
  }

  /** @param {API.Order[]} openOrders */
  function update(openOrders) {
    open = openOrders;
    updateButtons();
  }

  return {node: el('div.row.bulk-actions', {}, acceptButton, undoButton), errors, update};
}
