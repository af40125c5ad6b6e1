// The Order button: freezes what is on the screen, hands it to attempt.js, and shows the outcome at the form.

import {ordering, pendingAttempt, placeOrder, resume, takeResult} from './attempt.js';
import {basket, refresh} from '../basket.js';
import {changeList, differences} from '../changes.js';
import {el, fill} from '../dom.js';
import {askBirthday} from '../form.js';
import {withMends} from '../judging.js';
import {notice} from '../notice.js';
import {go} from '../router.js';
import {sentenceOf} from '../sentences.js';
import {t} from '../words.js';

/** The outcomes that are shown at the form. */
const shown = new Set(['judged', 'refused', 'changed', 'expired', 'gone']);

// Why the total is another one than the guest saw.
const newTotal = () =>
  t('A price has changed, so nothing was ordered. Please check the total and order again.');
const ownChange = () => t('Your details have changed the total. Please check it and order again.');

/**
 * `order` is the tap on the button. `drawState` shows what attempt.js knows: a pending attempt blocks the form, and an
 * outcome is shown once. `parts` are the checkout's own: {form, paying, problems, judging}.
 */
export function orderingOf(parts) {
  const {form, paying, problems, judging} = parts;
  let isChecking = false, isOver = false;

  function drawState() {
    const {attempt, phase} = ordering.value;
    const isSending = isChecking || phase === 'sending';
    if (isSending) paying.button.setAttribute('aria-busy', 'true');
    else paying.button.removeAttribute('aria-busy');
    form.disabled = attempt !== null;
    paying.label = phase === 'unknown' ? t('Check again now') : phase === 'waiting' ? t('Try again') : null;
    if (attempt) fill(problems.node);
    // Another tab's outcome, and an order of any tab, are the strip's. An outcome waits until the form is drawn, because
    // the first errors that are drawn would replace it.
    else if (problems.node.isConnected && shown.has(ordering.value.result?.kind)) showResult(takeResult(), parts, () => isOver);
  }

  async function order() {
    if (pendingAttempt()) return resume();
    if (paying.button.getAttribute('aria-busy') === 'true' || !basket.value) return undefined;
    isChecking = true;
    drawState();
    try {
      await check(parts);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      problems.warn(`${problem.detail} ${t('Nothing was ordered yet.')}`);
    } finally {
      isChecking = false;
      drawState();
    }
    return undefined;
  }

  const stop = ordering.watch(drawState);
  return {order, drawState, end() {
    isOver = true;
    stop();
  }};
}

/** Orders what is drawn at the moment of the tap, if nothing in the form is missing. */
async function check({form, paying, problems, judging}) {
  form.rest();
  for (const one of form.fields) form.left.add(one.name);
  const frozen = () => ({basketId: basket.value.id, ...form.body, ...paying.drawn});
  const body = frozen();
  const {version} = basket.value;
  const seen = drawnFor(body, paying.quote, null);
  if (!form.isComplete || !form.fulfilment.isKnown) {
    // The shop's words for what is missing; without the shop, the page's own.
    const failure = await judging.judge({all: true}).then(() => null, (problem) => problem);
    if (failure && failure.code === undefined) throw failure;
    // Another tab may have ordered it meanwhile.
    if (!basket.value) return undefined;
    if (!form.isComplete) {
      if (failure) form.showMissing();
      form.by.wantedAt.acknowledge();
      return problems.refuse();
    }
    // A time or a way that the guest chose before is not drawn while it is not known what is offered.
    if (failure && form.hasKeptTerms) throw failure;
    if (!failure && JSON.stringify(frozen()) !== JSON.stringify(body)) {
      return askAgain({form, paying, problems, judging}, seen);
    }
  }
  fill(problems.node);
  return placeOrder(body, {version, isRemembered: form.remembering.value});
}

/** Shows the outcome of an attempt. An order's own screen is opened by strip.js. */
async function showResult(result, parts, isOver) {
  const {form, paying, problems, judging} = parts;
  switch (result?.kind) {
    case 'judged': {
      const before = drawnFor(result.body, paying.quote, result.answer.quote);
      await judging.show(result.answer, {all: true});
      return isOver() ? undefined : askAgain(parts, before);
    }
    case 'refused': return showRefusal(result.problem, parts, isOver);
    case 'changed':
      // While the order was being sent, the screen did not follow the basket.
      await refresh().catch(() => {});
      paying.drawDishes();
      await judging.quietly();
      if (isOver()) return undefined;
      return problems.warn(t('Your basket has changed, so nothing was ordered. Please check it and order again.'));
    case 'expired':
      return problems.warn(result.wasSent
        ? t('Your order did not reach us. Please check it and order again.')
        : t('Nothing was ordered, and we have stopped trying. Please order again if you still want to.'));
    case 'gone':
      notice(t('This basket is gone. Please start a new one.'), {isProblem: true});
      return go('#/basket');
    default: return undefined;
  }
}

/** What the guest had seen when they ordered: the quote, the basket, or after a reload the total alone. */
function drawnFor({expectedTotal: total, currency}, quote, answered) {
  const seen = [quote, basket.value].find((one) => one && one.total === total && one.currency === currency);
  // The total of a basket is the sum of its items.
  return seen ? {subtotal: seen.total, ...seen} : {...answered, total, currency, subtotal: null, lines: [], sales: []};
}

/** Something differs from what the guest saw: what is wrong is shown, or else the totals, and nothing is ordered. */
function askAgain(parts, before) {
  const {paying: {quote}, problems} = parts;
  if (problems.isAny || !quote) return problems.refuse();
  if (quote.total === before.total && quote.currency === before.currency) {
    return problems.warn(t('Nothing was ordered. Please check your order.'));
  }
  const isOwn = quote.currency === before.currency && quote.subtotal === before.subtotal;
  return showChanges(parts, differences(before, quote), isOwn ? ownChange() : newTotal());
}

/** The total is another one than the guest saw: the old one, the new one, and why. */
function showChanges({paying, problems}, changes, why) {
  fill(problems.node, el('div.changed', {}, el('p', {}, why), changeList(changes, paying.quote)));
  paying.drawTotals();
  refresh().catch(() => {});
  problems.refuse();
}

/** Shows what the shop refused when the order had been sent. */
async function showRefusal(problem, parts, isOver) {
  const {form, paying, problems} = parts;
  switch (problem.code) {
    case 'price_changed':
      paying.quote = problem.body.quote;
      return showChanges(parts, problem.body.changes, newTotal());
    case 'validation_failed': {
      askBirthday(form, problem.errors);
      for (const error of problem.errors) {
        form.by[error.field]?.showError(sentenceOf(error, paying.quote), error.params?.alternatives);
      }
      const wrong = await withMends(problem.errors);
      if (isOver()) return undefined;
      problems.show(wrong);
      return problems.refuse();
    }
    default: return problems.warn(`${problem.detail} ${t('Nothing was ordered.')}`);
  }
}
