// What happens when the guest orders: all is judged once more, then sent with a key that makes it safe to send again, and while the shop is out of
// reach it waits and goes on by itself. Used by the checkout's screen. Read next: attempt.js, judging.js.

import {isOutlived, patience, send, settle, unanswered} from './attempt.js';
import {basket, forget, refresh} from './basket.js';
import {changeList, differences} from './changes.js';
import {el, fill} from './dom.js';
import {askBirthday} from './form.js';
import {keepDraft, rememberGuest} from './guest.js';
import {withMends} from './judging.js';
import {notice} from './notice.js';
import {keepOrder, remember} from './placed.js';
import {go} from './router.js';
import {sentenceOf} from './sentences.js';
import {visit} from './store.js';
import {waiting} from './waiting.js';
import {t} from './words.js';

/** The order is placed: what was typed is done with, and its bill is shown. `isKept`: on this device. */
function showPlaced(order, body, isKept) {
  remember(order);
  forget();
  keepDraft(null);
  if (isKept) {
    rememberGuest(body);
    keepOrder(order.id);
  }
  visit.keep('fresh', order.id);
  go(`#/orders/${order.id}`);
}

/** The price is another now: old → new, and the guest is asked again. */
function showChanges({paying, problems}, changes, why = t('A price has changed since you looked. Nothing was ordered; please look again and order if it is still right.')) {
  fill(problems.node, el('div.changed', {}, el('p', {}, why), changeList(changes, paying.quote)));
  paying.drawTotals();
  refresh().catch(() => {});
  problems.refuse();
}

/** Shows what the server has refused when the order was sent. */
async function showRefusal(problem, {form, paying, problems, judging}) {
  if (problem.body.orderId) {
    settle();
    forget();
    notice(t('This basket is an order already. Here it is.'));
    return go(`#/orders/${problem.body.orderId}`);
  }
  switch (problem.code) {
    case 'price_changed':
      paying.quote = problem.body.quote;
      return showChanges({paying, problems}, problem.body.changes);
    case 'validation_failed': {
      askBirthday(form, problem.errors);
      for (const error of problem.errors) form.by[error.field]?.showError(sentenceOf(error, paying.quote), error.params?.alternatives);
      const wrong = await withMends(problem.errors);
      if (judging.isOver) return undefined;
      problems.show(wrong);
      return problems.refuse();
    }
    case 'basket_not_found':
      forget();
      notice(t('This basket is gone. Please start a new one.'), {isProblem: true});
      return go('#/basket');
    default:
      return problems.warn(`${problem.detail} ${t('Nothing was ordered.')}`);
  }
}

/** Does something while the button is busy, once at a time; `fail` is given the Problem that it ended with. */
async function busily(button, work, fail) {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await work();
  } catch (problem) {
    if (problem.code === undefined) throw problem;
    fail(problem);
  } finally {
    button.removeAttribute('aria-busy');
  }
}

/** Sends what is to be ordered: {send, resume}. `wait` goes on with what was not answered. */
function sendingOf(parts, wait) {
  const {form, paying, problems, judging} = parts;

  async function sendBody(body) {
    try {
      if (wait.lasts === null) fill(problems.node);
      const onRetry = () => wait.lasts === null && fill(problems.node, el('p.quiet', {}, t('No answer yet. We ask again; you will not be charged twice.')));
      const order = await send(body, {onRetry});
      wait.stop();
      showPlaced(order, body, form.remembering.value);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      if (unanswered()) return waitForAnswer(problem);
      reopen();
      await showRefusal(problem, parts);
    }
    return undefined;
  }

  /** Sent, and nothing came back: it may be ordered. Only the same attempt can tell. */
  function waitForAnswer(problem) {
    form.disabled = true;
    paying.button.textContent = t('Ask again now');
    wait.start(problem.retryAfter);
    problems.warnOnce(`${problem.detail} ${t('We don’t know yet whether your order has arrived. We ask again by ourselves: it can’t be ordered twice.')}`);
  }

  /** There is nothing to wait for any more: the form is the guest's again. */
  function reopen() {
    wait.stop();
    form.disabled = false;
    paying.button.textContent = t('Order');
    paying.drawTotals();
  }

  return {
    send: sendBody,
    /** Sends the unanswered attempt again, unless it has waited for so long that it is to be asked about. */
    resume: () => busily(paying.button, async () => {
      if (unanswered() && await isOutlived()) {
        reopen();
        await judging.judge();
        problems.warnOnce(t('Your order did not reach us when you sent it. Please look at it, and order again if it is still right.'));
      } else if (unanswered()) await sendBody(unanswered().body);
    }, waitForAnswer),
  };
}

/** {order, resume, wait}: `order` is the tap on the button, `resume` asks what became of an attempt that was not answered. `parts` are the checkout's
 *  own: {form, paying, problems, judging}. */
export function orderingOf(parts) {
  const {form, paying, problems, judging} = parts;
  /** That the order goes on when the shop may be there again. */
  const wait = waiting(goOn);
  const {send: sendBody, resume} = sendingOf(parts, wait);

  /** Sends it if nothing is wrong with it, and it comes to what the guest has seen. */
  async function check() {
    form.rest();
    for (const one of form.fields) form.left.add(one.name);
    const before = paying.quote;
    const answer = await judging.judge({all: true});
    // Something was typed meanwhile, which is judged now.
    if (!answer) return wait.lasts === null ? undefined : wait.start();
    wait.stop();
    const {quote} = paying;
    if (problems.isAny || !quote) return problems.refuse();
    if (before && (quote.total !== before.total || quote.currency !== before.currency)) {
      // The guest's own coupon or tip, sent before its total was seen, is no change of price.
      const why = quote.currency === before.currency && quote.subtotal === before.subtotal ? t('What you have added changes the total. Please look, and order if it is right.') : undefined;
      return showChanges(parts, differences(before, quote), why);
    }
    return sendBody({basketId: basket.value.id, ...form.body, expectedTotal: quote.total, currency: quote.currency, expectedTotals: quote.totals});
  }

  const order = () => (unanswered() ? resume() : busily(paying.button, check, (problem) => {
    if (problem.passes) waitToOrder(problem);
    else problems.warn(`${problem.detail} ${t('Nothing was ordered yet.')}`);
  }));

  function goOn() {
    if (unanswered() || wait.lasts < patience) return order();
    wait.stop();
    return problems.warnOnce(t('Nothing was ordered, and we have stopped trying. Please order again if you still want to.'));
  }

  /** Not sent yet: it is, as soon as somebody is there who takes it. */
  function waitToOrder(problem) {
    wait.start(problem.retryAfter);
    problems.warnOnce(`${problem.detail} ${t('Nothing was ordered yet. We send your order as soon as it can be taken.')}`,
      el('p.row', {}, el('button.button.plain', {type: 'button', onclick: () => { wait.stop(); fill(problems.node); }}, t('Don’t send it'))));
  }

  return {order, resume, wait};
}
