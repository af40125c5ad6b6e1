// The Order button: reads the form once, passes the values to attempt.js, and shows the outcome at the form.

import {basket, refreshBasket} from '../basket/basket.js';
import {Problem} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {errorSentence} from '../parts/errorSentence.js';
import {navigate} from '../parts/router.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {attemptState, pendingAttempt, resumeAttempt, startAttempt, takeAttemptResult} from './attempt.js';
import {alternativesOf, showBirthdayField} from './checkoutForm.js';
import {loadFixes} from './checkoutValidation.js';
import {changeList, priceChanges} from './priceChanges.js';

/** @typedef {import('./attempt.js').AttemptResult} AttemptResult */
/** @typedef {import('./priceChanges.js').ComparedQuote} ComparedQuote */
/** @typedef {import('./priceChanges.js').ShownChange} ShownChange */
/** @typedef {ComparedQuote & {subtotal: number | null | undefined}} SeenQuote What the guest saw. */
/**
 * @typedef {object} CheckoutParts
 * @property {import('./checkoutForm.js').CheckoutForm} form
 * @property {import('./checkoutSummary.js').CheckoutSummary} summary
 * @property {import('./checkoutValidation.js').CheckoutProblems} problems
 * @property {import('./checkoutValidation.js').CheckoutValidation} validation
 */

/** The outcomes that are shown at the form. */
const formOutcomes = new Set(['invalid', 'rejected', 'changed', 'expired', 'gone']);

// The reasons why the total differs from the total that the guest saw.
const newTotalText = () =>
  t('A price has changed, so nothing was ordered. Please check the total and order again.');
const ownChangeText = () => t('Your details have changed the total. Please check it and order again.');

/**
 * Returns {order, drawState, end}. `order` handles a tap on the button. `drawState` shows the state of attempt.js: a
 * pending attempt blocks the form, and an outcome is shown once.
 * @param {CheckoutParts} parts
 */
export function orderSubmission(parts) {
  const {form, summary, problems} = parts;
  let isChecking = false, isEnded = false;

  function drawState() {
    const {attempt, phase} = attemptState.value;
    const isSending = isChecking || phase === 'sending';
    if (isSending) summary.button.setAttribute('aria-busy', 'true');
    else summary.button.removeAttribute('aria-busy');
    form.disabled = attempt !== null;
    summary.buttonLabel = phase === 'unknown' ? t('Check again now') : phase === 'waiting' ? t('Try again') : null;
    if (attempt) replaceChildren(problems.node);
    // orderStrip.js shows placed orders and the outcomes of other tabs. The form must be drawn before an outcome is
    // shown, because the errors of its first validation would replace the outcome.
    else if (problems.node.isConnected && formOutcomes.has(attemptState.value.result?.kind ?? '')) {
      void showResult(takeAttemptResult(), parts, () => isEnded);
    }
  }

  async function order() {
    if (pendingAttempt()) return resumeAttempt();
    if (summary.button.getAttribute('aria-busy') === 'true' || !basket.value) return undefined;
    isChecking = true;
    drawState();
    try {
      await submit(parts);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      problems.warn(`${problem.detail} ${t('Nothing was ordered yet.')}`);
    } finally {
      isChecking = false;
      drawState();
    }
    return undefined;
  }

  const stop = attemptState.watch(drawState);
  return {order, drawState, end() {
    isEnded = true;
    stop();
  }};
}

/**
 * Orders what is on the screen at the moment of the tap, if the form is complete.
 * @param {CheckoutParts} parts
 * @returns {Promise<void>}
 */
async function submit({form, summary, problems, validation}) {
  if (!basket.value) return undefined;
  form.cancelValidation();
  for (const field of form.fields) form.touched.add(field.name);
  const {id: basketId, version} = basket.value;
  const currentBody = () => ({basketId: basket.value?.id ?? basketId, ...form.body, ...summary.drawnTotal});
  const body = currentBody();
  const seen = quoteShown(body, summary.quote, null);
  if (!form.isComplete || !form.fulfilment.isKnown) {
    // Shows the shop's errors for missing fields. If the shop does not answer, the page shows its own.
    const failure = await validation.validate({all: true}).then(() => null, (problem) => {
      if (!(problem instanceof Problem)) throw problem;
      return problem;
    });
    // Another tab may have ordered the basket in the meantime.
    if (!basket.value) return undefined;
    if (!form.isComplete) {
      if (failure) form.showMissing();
      form.byName.wantedAt.acknowledge();
      return problems.showFirstError();
    }
    // The form shows a stored fulfilment or time only once the offered times are known. Unseen values are not ordered.
    if (failure && form.hasChosenTerms) throw failure;
    if (!failure && JSON.stringify(currentBody()) !== JSON.stringify(body)) {
      return showDifference({form, summary, problems, validation}, seen);
    }
  }
  replaceChildren(problems.node);
  return startAttempt(body, {version, isRemembered: form.rememberField.isChecked});
}

/**
 * Shows the outcome of an attempt. orderStrip.js opens the screen of a placed order.
 * @param {AttemptResult | null} result
 * @param {CheckoutParts} parts
 * @param {() => boolean} isEnded
 */
async function showResult(result, parts, isEnded) {
  const {summary, problems, validation} = parts;
  validation.supersede();
  switch (result?.kind) {
    case 'invalid': {
      const before = quoteShown(result.body, summary.quote, result.answer.quote);
      await validation.show(result.answer, {all: true});
      return isEnded() ? undefined : showDifference(parts, before);
    }
    case 'rejected': return showRejection(result.problem, parts, isEnded);
    case 'changed':
      // While the order was being sent, the screen did not follow the basket.
      await refreshBasket().catch(() => {});
      summary.drawDishes();
      await validation.validateQuietly();
      if (isEnded()) return undefined;
      return problems.warn(t('Your basket has changed, so nothing was ordered. Please check it and order again.'));
    case 'expired':
      return problems.warn(result.wasSent
        ? t('Your order did not reach us. Please check it and order again.')
        : t('Nothing was ordered, and we have stopped trying. Please order again if you still want to.'));
    case 'gone':
      showToast(t('This basket is gone. Please start a new one.'), {isProblem: true});
      return navigate('#/basket');
    default: return undefined;
  }
}

/**
 * The quote or the basket with the total that the guest saw. After a reload only that total is known, and without a
 * quote not even its number of decimals.
 * @param {API.CheckoutForm} body
 * @param {API.Quote | null} quote
 * @param {API.Quote | null} answered
 * @returns {SeenQuote}
 */
function quoteShown({expectedTotal: total, currency}, quote, answered) {
  const seen = [quote, basket.value].find((entry) => entry && entry.total === total && entry.currency === currency);
  // A basket has no subtotal member: its total is the sum of its items.
  if (seen) return {subtotal: seen.total, ...seen};
  return {currencyExponent: answered?.currencyExponent, total, currency: currency ?? '', subtotal: null, lines: [],
    sales: []};
}

/**
 * Shows why nothing was ordered: the errors, or else the differences from `before`.
 * @param {CheckoutParts} parts
 * @param {SeenQuote} before
 */
function showDifference(parts, before) {
  const {summary: {quote}, problems} = parts;
  if (problems.hasProblems || !quote) return problems.showFirstError();
  if (quote.total === before.total && quote.currency === before.currency) {
    return problems.warn(t('Nothing was ordered. Please check your order.'));
  }
  const isOwn = quote.currency === before.currency && quote.subtotal === before.subtotal;
  return showChanges(parts, priceChanges(before, quote), quote, isOwn ? ownChangeText() : newTotalText());
}

/**
 * Shows the changes up to `quote`, and the reason.
 * @param {CheckoutParts} parts
 * @param {ShownChange[]} changes
 * @param {API.Quote} quote
 * @param {string} why
 */
function showChanges({summary, problems}, changes, quote, why) {
  replaceChildren(problems.node, el('div.changed', {}, el('p', {}, why), changeList(changes, quote)));
  summary.drawTotals();
  refreshBasket().catch(() => {});
  problems.showFirstError();
}

/**
 * Shows why the shop rejected the order.
 * @param {Problem} problem
 * @param {CheckoutParts} parts
 * @param {() => boolean} isEnded
 */
async function showRejection(problem, parts, isEnded) {
  const {form, summary, problems} = parts;
  switch (problem.code) {
    case 'price_changed': {
      const {quote, changes} = problem.body;
      if (!quote || !changes) return problems.warn(newTotalText());
      summary.quote = quote;
      return showChanges(parts, changes, quote, newTotalText());
    }
    case 'validation_failed': {
      showBirthdayField(form, problem.errors);
      for (const error of problem.errors) {
        form.fields.find(({name}) => name === error.field)
          ?.showError(errorSentence(error, summary.quote), alternativesOf(error));
      }
      const basketErrors = await loadFixes(problem.errors);
      if (isEnded()) return undefined;
      problems.show(basketErrors);
      return problems.showFirstError();
    }
    default: return problems.warn(`${problem.detail} ${t('Nothing was ordered.')}`);
  }
}
