// The order that this device is sending: its key, its frozen body, and the outcome. It lives above the screens, because
// the guest may leave the checkout, reload the page or close the tab before the outcome is known.

import {Problem, ask, post} from '../api.js';
import {forget} from '../basket.js';
import {reach} from '../condition.js';
import {draft, keepDraft, rememberGuest} from '../guest.js';
import {keepOrder, placedOrders, remember} from '../placed.js';
import {keep, kept, onOtherTab, signal, visit} from '../store.js';
import {t} from '../words.js';

/** An older attempt is not sent again unless the guest orders again: they may have eaten elsewhere. */
const resendLimit = 10 * 60_000;
/** An older attempt is deleted, whatever its outcome is. */
const retention = 24 * 3_600_000;

/**
 * What this device knows of its attempt: {attempt, phase, result}. The phases are `idle`, `sending`, `waiting` (no
 * request has left the device) and `unknown` (a request has left, and no answer has come). `result` is the outcome
 * that no screen has shown yet. Its kinds:
 * - `placed` {order}, `ordered` {orderId}: the basket is an order, by this attempt or by another one
 * - `judged` {answer}: the validation found errors or another total, and nothing was sent
 * - `refused` {problem}: the shop refused the order
 * - `changed`, `gone`, `expired` {wasSent}: the basket changed, the basket was deleted, the attempt is too old
 */
export const ordering = signal({attempt: null, phase: 'idle', result: null});

const publish = (changes) => ordering.set({...ordering.value, ...changes});

/** The attempt whose outcome is unknown: {key, body, at, sentAt, version, isRemembered}, or null. */
export function pendingAttempt() {
  const attempt = kept('attempt');
  if (!attempt || Math.abs(Date.now() - attempt.at) < retention) return attempt;
  keep('attempt', null);
  return null;
}

const isPending = ({key}) => pendingAttempt()?.key === key;

let running = null, timer = 0, escalation = 0, failures = 0, triedAt = 0;

/**
 * Orders what was on the screen. `body` is final: nothing that the guest types later changes it. `version` is the
 * version of the basket that was shown, and `isRemembered` whether the device keeps the guest's details.
 */
export function placeOrder(body, {version, isRemembered}) {
  if (!pendingAttempt()) {
    keep('attempt', {key: newKey(), body, at: Date.now(), sentAt: null, version, isRemembered});
    failures = 0;
  }
  showSending();
  return resume();
}

/** Continues the pending attempt now. One tab at a time does, so that another tab can still withdraw what is unsent. */
export function resume() {
  running ??= exclusively(advance).finally(() => { running = null; });
  return running;
}

/** Deletes an attempt of which no request has left the device. Returns whether that was possible. */
export function withdraw() {
  const attempt = pendingAttempt();
  if (!attempt || attempt.sentAt) return false;
  settle(attempt, null);
  return true;
}

/** Returns the outcome that nobody has shown yet, and marks it as shown. */
export function takeResult() {
  const {result} = ordering.value;
  if (result) publish({result: null});
  return result;
}

/** Resumes what an earlier visit has left, and follows the network and the other tabs. */
export function startOrdering({isOtherTabs}) {
  onOtherTab('attempt', followOtherTab);
  reach.watch((now) => {
    if (now === 'ok' && pendingAttempt() && Date.now() - triedAt > 1_000) resume();
  });
  if (isOtherTabs) return followOtherTab();
  if (!pendingAttempt()) return undefined;
  // An earlier page may have failed to send it: its basket is compared before anything is sent.
  failures = 1;
  showSending();
  return resume();
}

/** Another tab has begun an attempt, sent it, or learned its outcome. */
function followOtherTab() {
  const {attempt: before, phase} = ordering.value;
  const attempt = pendingAttempt();
  if (attempt && phase === 'idle') showSending();
  else if (attempt) publish({attempt, phase: phase === 'sending' ? phase : phaseOf(attempt)});
  else if (before && !running) showOutcomeElsewhere();
  // The other tab may be closed before it knows.
  clearTimeout(timer);
  if (attempt && !running) timer = setTimeout(resume, 5_000);
}

/** Another tab has ended the attempt. It has kept the order, if there is one. */
function showOutcomeElsewhere() {
  const {attempt} = ordering.value;
  const order = placedOrders().find(({id}) => id === attempt?.body.basketId);
  publish({attempt: null, phase: 'idle', ...order ? {result: {kind: 'placed', order}} : {}});
}

const phaseOf = ({sentAt}) => (sentAt ? 'unknown' : 'waiting');

/** An answer usually comes at once; without one the guest is told after three seconds. */
function showSending() {
  publish({attempt: pendingAttempt(), phase: 'sending', result: null});
  clearTimeout(escalation);
  escalation = setTimeout(showPending, 3_000);
}

function showPending() {
  const attempt = pendingAttempt();
  clearTimeout(escalation);
  if (attempt) publish({attempt, phase: phaseOf(attempt)});
}

/** Without Web Locks two tabs may send the attempt at once. Its key makes one order of both. */
const exclusively = (work) => (globalThis.navigator.locks
  ? navigator.locks.request('welms.attempt', {ifAvailable: true}, (lock) => (lock ? work() : retryLater()))
  : work());

async function advance() {
  clearTimeout(timer);
  const attempt = pendingAttempt();
  if (!attempt) return showOutcomeElsewhere();
  triedAt = Date.now();
  try {
    if (navigator.onLine === false) throw new Problem(0, 'offline', t('No internet connection.'));
    const result = await send(attempt);
    return settle(attempt, result);
  } catch (problem) {
    if (problem.code === undefined) throw problem;
    failures += 1;
    showPending();
    return retryLater(problem.retryAfter);
  }
}

/** A lost answer is asked for again soon, and then every five seconds. */
function retryLater(retryAfter = 0) {
  clearTimeout(timer);
  const soon = pendingAttempt()?.sentAt && failures < 4 ? 400 * 2 ** failures : 5_000;
  timer = setTimeout(resume, Math.max(retryAfter * 1_000, soon));
}

/** Sends an attempt once. Returns its outcome, null if it was withdrawn. Throws a Problem if the outcome is unknown. */
async function send(attempt) {
  const {body, at, sentAt} = attempt;
  const isOld = Math.abs(Date.now() - at) > resendLimit;
  if (isOld || (!sentAt && failures > 0)) {
    const now = await readBasket(body.basketId);
    if (!now) return {kind: 'gone'};
    if (now.state === 'ordered' && !sentAt) return {kind: 'ordered', orderId: now.orderId};
    if (now.state !== 'ordered' && isOld) return {kind: 'expired', wasSent: sentAt !== null};
    if (now.state !== 'ordered' && now.version !== attempt.version) return {kind: 'changed'};
  }
  if (!sentAt) {
    const refusal = await validate(body);
    if (refusal) return refusal;
    if (!isPending(attempt)) return null;
    keep('attempt', {...attempt, sentAt: Date.now()});
    // It cannot be withdrawn any more.
    showSending();
  }
  return checkOut(attempt);
}

/** The basket of an attempt, or null if it is gone. */
async function readBasket(id) {
  try {
    const {body} = await ask('GET', `/v1/baskets/${id}`);
    if (body?.id === id) return body;
  } catch (problem) {
    if (problem.code === 'basket_not_found') return null;
    throw problem;
  }
  throw unanswered();
}

/** JSON of somebody else is as good as no answer. */
const unanswered = () => new Problem(0, 'unreachable', t('We can’t reach the kitchen at the moment.'));

const required = ['name', 'phone', 'email', 'address'];

/** Has the shop judge a body before the first request that orders. Returns the outcome if it must not be sent. */
async function validate(body) {
  const asked = required.filter((name) => name !== 'address' || body.fulfilment !== 'pickup');
  const empty = Object.fromEntries(asked.map((name) => [name, '']));
  const {body: answer} = await post('/v1/checkout/validate', {...empty, ...body});
  if (!answer?.fields || !answer.errors) throw unanswered();
  if (answer.errors.some(({code}) => code === 'basket_already_ordered')) {
    const now = await readBasket(body.basketId);
    return now ? {kind: 'ordered', orderId: now.orderId} : {kind: 'gone'};
  }
  const isSameTime = (Date.parse(answer.quote?.wantedAt) || 0) === (Date.parse(body.wantedAt) || 0);
  return answer.isReady && isSameTime ? null : {kind: 'judged', answer};
}

/** Codes that say for certain that this attempt placed no order. */
const refusals = new Set([
  'basket_not_found', 'body_too_large', 'headers_too_large', 'idempotency_key_invalid', 'idempotency_key_missing',
  'malformed_body', 'malformed_request', 'price_changed', 'unsupported_media_type', 'validation_failed',
]);

/**
 * Asks the shop for the order. Only an order or a known code is an answer of the shop. Everything else, such as the
 * page of a captive portal or a proxy's 403, leaves the outcome unknown.
 */
async function checkOut({key, body, sentAt}) {
  try {
    const {body: order} = await post('/v1/checkout', body, {headers: {'Idempotency-Key': key}, timeout: 15_000});
    if (order?.id === body.basketId && order.accessToken) return {kind: 'placed', order};
  } catch (problem) {
    if (!problem.isFromShop) throw problem;
    if (problem.body.orderId) return {kind: 'ordered', orderId: problem.body.orderId};
    // The limit is checked before the key: it says nothing about an earlier request whose answer was lost.
    if (refusals.has(problem.code) || (problem.code === 'rate_limited' && !sentAt)) return {kind: 'refused', problem};
    throw problem;
  }
  throw unanswered();
}

/** The outcome is known: nothing of the attempt is kept. `result` is null for an attempt that was withdrawn. */
function settle(attempt, result) {
  const {body, isRemembered} = attempt;
  const {basketId} = body;
  const isNewer = kept('basket') && kept('basket') !== basketId;
  const wasPending = isPending(attempt);
  clearTimeout(timer);
  clearTimeout(escalation);
  if (result?.kind === 'placed') {
    remember(result.order);
    visit.keep('fresh', basketId);
    if (isRemembered) {
      rememberGuest(body);
      keepOrder(basketId);
    }
    if (!isNewer) keepDraft(null);
  } else if (wasPending && !isNewer) keepDraft({...typedIn(body), ...draft()});
  if (wasPending) keep('attempt', null);
  if (['placed', 'ordered', 'gone'].includes(result?.kind)) forget(basketId);
  // Another tab may have withdrawn this attempt and begun another one.
  const other = pendingAttempt();
  const news = result ? {result: {...result, body, isHere: true}} : {};
  publish({attempt: other, phase: other ? phaseOf(other) : 'idle', ...news});
  if (other) timer = setTimeout(resume);
}

/** What the guest had typed, so that the form of a reloaded page has it. The tip's field holds a text of its own. */
function typedIn({basketId, expectedTotal, expectedTotals, currency, tip, ...typed}) {
  return typed;
}

/** 128 random bits. crypto.randomUUID is missing where the page is not served securely. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
