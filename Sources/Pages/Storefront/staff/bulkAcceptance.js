// Accepts all new orders with one tap, with a request for each order. Another tap undoes that while the server permits
// it. Reports the orders that fail.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {showToast} from '../parts/toast.js';
import {advanceOrder, availableUndo, undoStep} from './boardOrders.js';
import {isNewOrder} from './orderCard.js';

/** The reasons of the failed requests, each with the numbers of its orders. */
function failureTexts(numbers, results) {
  const numbersByReason = new Map();
  results.forEach(({status, reason: problem}, index) => {
    if (status === 'fulfilled') return;
    if (!(problem instanceof Problem)) throw problem;
    const text = problem.errors[0]?.message ?? problem.detail;
    numbersByReason.set(text, [...numbersByReason.get(text) ?? [], numbers[index]]);
  });
  return [...numbersByReason].map(([text, failed]) => `${failed.join(', ')}: ${text}`);
}

/** {node: the buttons, errors: the alert about failed orders, update: called with the open orders}. */
export function bulkAcceptance() {
  let [open, acceptedNumbers] = [[], []];
  const numbersWhere = (condition) => open.filter(condition).map(({number}) => number);
  // An order with a later step is not undone.
  const isUndoable = (order) =>
    acceptedNumbers.includes(order.number) && order.state === 'accepted' && availableUndo(order);
  const errorText = el('p');
  const errors = el('div.board-alert', {hidden: true}, errorText,
    el('button.button', {type: 'button', onclick: () => {
      showErrors('', []);
      document.querySelector('#orders h1').focus({preventScroll: true});
    }}, 'Close'));
  // Ignores the second click of a double tap.
  const button = (name, work) => el(name, {
    type: 'button', hidden: true, onclick: (event) => event.detail <= 1 && work(),
  });
  const acceptButton = button('button.button.plain.accept-all', acceptAll);
  const undoButton = button('button.button.undo', undoAll);

  function showErrors(heading, failures) {
    errors.hidden = failures.length === 0;
    errorText.textContent = failures.length ? `${heading} ${failures.join(' ')}` : '';
  }

  /** Runs `work` for several orders at once; returns the numbers of those that succeeded. */
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
      (visible ?? document.querySelector('#orders h1')).focus({preventScroll: true});
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

  return {node: el('div.row.bulk-actions', {}, acceptButton, undoButton), errors, update(openOrders) {
    open = openOrders;
    updateButtons();
  }};
}
