// The order that this device is sending: its key, its body and its outcome. This state belongs to no screen: the guest
// may leave the checkout, reload the page or close the tab before the outcome is known.

import {forgetBasket} from '../basket/basket.js';
import {post, Problem, request} from '../parts/api.js';
import {reachability} from '../parts/faultMonitor.js';
import {signal} from '../parts/signal.js';
import {loadValue, onChangeInOtherTab, saveValue, sessionValues} from '../parts/storage.js';
import {t} from '../parts/translation.js';
import {checkoutDraft, saveCheckoutDraft} from './checkoutDraft.js';
import {rememberGuest} from './guestDetails.js';
import {keepOrder, placedOrders, rememberOrder} from './placedOrders.js';

/** @typedef {import('./checkoutDraft.js').CheckoutDraft} CheckoutDraft */
/** @typedef {import('./placedOrders.js').PlacedOrder} PlacedOrder */
/** @typedef {API.CheckoutForm & {basketId: string}} AttemptBody The body of a checkout request. */
/**
 * The attempt whose outcome is unknown.
 * @typedef {object} Attempt
 * @property {string} key
 * @property {AttemptBody} body
 * @property {number} at
 * @property {number | null} sentAt
 * @property {number} version
 * @property {boolean} isRemembered
 */
/**
 * The outcome of an attempt:
 * - `placed`: the attempt has placed an order
 * - `ordered`: the basket was ordered before, perhaps by another device
 * - `invalid`: the validation found errors, another total or another time, and nothing was ordered
 * - `rejected`: the shop has rejected the order
 * - `changed`: the basket has changed; `gone`: the basket was deleted
 * - `expired`: the attempt is too old
 * @typedef {{kind: 'placed', order: API.Order} | {kind: 'ordered', orderId: string | null}
 *   | {kind: 'invalid', answer: API.Validation} | {kind: 'rejected', problem: Problem}
 *   | {kind: 'changed' | 'gone'} | {kind: 'expired', wasSent: boolean}} Outcome
 */
/**
 * An outcome that no screen has shown yet. `isHere` tells that this tab received it.
 * @typedef {(Outcome & {body: AttemptBody, isHere: true})
 *   | {kind: 'placed', order: PlacedOrder, isHere?: undefined}} AttemptResult
 */
/**
 * The phases are `idle`, `sending`, `waiting` (no checkout request was sent) and `unknown` (a checkout request was sent
 * and has no answer).
 * @typedef {object} AttemptState
 * @property {Attempt | null} attempt
 * @property {'idle' | 'sending' | 'waiting' | 'unknown'} phase
 * @property {AttemptResult | null} result
 */

/** An older attempt is not sent again unless the guest orders again: they may have eaten elsewhere. */
const resendLimit = 10 * 60_000;
/** An older attempt is deleted, whatever its outcome is. */
const retention = 24 * 3_600_000;

/** The state of this device's attempt. */
export const attemptState = signal(/** @type {AttemptState} */ ({attempt: null, phase: 'idle', result: null}));

/** @param {Partial<AttemptState>} changes */
const publish = (changes) => attemptState.set({...attemptState.value, ...changes});

/** The attempt whose outcome is unknown, or null. */
export function pendingAttempt() {
  /** @type {Attempt | null} */
  const attempt = loadValue('attempt');
  if (!attempt || Math.abs(Date.now() - attempt.at) < retention) return attempt;
  saveValue('attempt', null);
  return null;
}

/** @param {Attempt} attempt */
const isPending = ({key}) => pendingAttempt()?.key === key;

/** @type {Promise<void> | null} */
let running = null;
let timer = 0, pendingTimer = 0, failures = 0, lastTryAt = 0;

/**
 * Starts an attempt with this body, and sends it. Later input does not change the body. `version` is the basket version
 * that was shown. `isRemembered` tells whether the device keeps the guest's details.
 * @param {AttemptBody} body
 * @param {Pick<Attempt, 'version' | 'isRemembered'>} options
 */
export function startAttempt(body, {version, isRemembered}) {
  if (!pendingAttempt()) {
    saveValue('attempt', {key: newKey(), body, at: Date.now(), sentAt: null, version, isRemembered});
    failures = 0;
  }
  showSending();
  return resumeAttempt();
}

/** Continues the pending attempt now. Only one tab at a time sends it. Before it is sent, any tab can withdraw it. */
export function resumeAttempt() {
  running ??= withAttemptLock(sendPending).finally(() => { running = null; });
  return running;
}

/** Deletes the attempt if no checkout request was sent. Returns whether that was possible. */
export function withdrawAttempt() {
  const attempt = pendingAttempt();
  if (!attempt || attempt.sentAt) return false;
  settle(attempt, null);
  return true;
}

/** Returns the outcome that no screen has shown yet, and marks it as shown. */
export function takeAttemptResult() {
  const {result} = attemptState.value;
  if (result) publish({result: null});
  return result;
}

/**
 * Resumes the attempt of an earlier visit, and follows the network and the other tabs.
 * @param {{isOtherTabs: boolean}} options
 */
export function startAttemptMonitor({isOtherTabs}) {
  onChangeInOtherTab('attempt', followOtherTab);
  reachability.watch((current) => {
    if (current === 'ok' && pendingAttempt() && Date.now() - lastTryAt > 1_000) void resumeAttempt();
  });
  if (isOtherTabs) return followOtherTab();
  if (!pendingAttempt()) return undefined;
  // An earlier page may have failed to send the attempt. So the basket is compared before anything is sent.
  failures = 1;
  showSending();
  return resumeAttempt();
}

/** Follows another tab that has started, sent, withdrawn or finished an attempt. */
function followOtherTab() {
  const {attempt: before, phase} = attemptState.value;
  const attempt = pendingAttempt();
  if (attempt && phase === 'idle') showSending();
  else if (attempt) publish({attempt, phase: phase === 'sending' ? phase : phaseOf(attempt)});
  else if (before && !running) showOutcomeElsewhere();
  // The other tab may be closed before it knows the outcome.
  clearTimeout(timer);
  if (attempt && !running) timer = setTimeout(resumeAttempt, 5_000);
}

/** Shows the outcome of an attempt that another tab has finished. That tab has stored the order, if there is one. */
function showOutcomeElsewhere() {
  const {attempt} = attemptState.value;
  const order = placedOrders().find(({id}) => id === attempt?.body.basketId);
  /** @type {AttemptResult | null} */
  const placed = order ? {kind: 'placed', order} : null;
  publish({attempt: null, phase: 'idle', ...placed ? {result: placed} : {}});
}

/** @param {Attempt} attempt */
const phaseOf = ({sentAt}) => (sentAt ? 'unknown' : 'waiting');

/** Shows the phase `sending`, and after three seconds `waiting` or `unknown`. Most answers arrive earlier. */
function showSending() {
  publish({attempt: pendingAttempt(), phase: 'sending', result: null});
  clearTimeout(pendingTimer);
  pendingTimer = setTimeout(showPending, 3_000);
}

function showPending() {
  const attempt = pendingAttempt();
  clearTimeout(pendingTimer);
  if (attempt) publish({attempt, phase: phaseOf(attempt)});
}

/**
 * Without Web Locks two tabs may send the attempt at the same time. The idempotency key makes one order of both.
 * @param {() => Promise<void>} action
 * @returns {Promise<void>}
 */
const withAttemptLock = (action) => (globalThis.navigator.locks
  ? navigator.locks.request('welms.attempt', {ifAvailable: true}, (lock) => (lock ? action() : retryLater()))
  : action());

async function sendPending() {
  clearTimeout(timer);
  const attempt = pendingAttempt();
  if (!attempt) return showOutcomeElsewhere();
  lastTryAt = Date.now();
  try {
    if (navigator.onLine === false) throw new Problem(0, 'offline', t('No internet connection.'));
    const result = await send(attempt);
    return settle(attempt, result);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    failures += 1;
    showPending();
    return retryLater(problem.retryAfter);
  }
}

/**
 * Schedules the next try: after a lost answer soon, with doubled delays, and from the fourth failure every five
 * seconds.
 */
function retryLater(retryAfter = 0) {
  clearTimeout(timer);
  const soon = pendingAttempt()?.sentAt && failures < 4 ? 400 * 2 ** failures : 5_000;
  timer = setTimeout(resumeAttempt, Math.max(retryAfter * 1_000, soon));
}

/**
 * Sends an attempt once. Returns its outcome, or null if it was withdrawn. Throws a Problem if the outcome is unknown.
 * @param {Attempt} attempt
 * @returns {Promise<Outcome | null>}
 */
async function send(attempt) {
  const {body, at, sentAt} = attempt;
  const isOld = Math.abs(Date.now() - at) > resendLimit;
  if (isOld || (!sentAt && failures > 0)) {
    const current = await readBasket(body.basketId);
    if (!current) return {kind: 'gone'};
    if (current.state === 'ordered' && !sentAt) return {kind: 'ordered', orderId: current.orderId};
    if (current.state !== 'ordered' && isOld) return {kind: 'expired', wasSent: sentAt !== null};
    if (current.state !== 'ordered' && current.version !== attempt.version) return {kind: 'changed'};
  }
  if (!sentAt) {
    const rejection = await validate(body);
    if (rejection) return rejection;
    if (!isPending(attempt)) return null;
    saveValue('attempt', {...attempt, sentAt: Date.now()});
    // From here on the attempt cannot be withdrawn.
    showSending();
  }
  return postCheckout(attempt);
}

/**
 * The basket of an attempt, or null if it was deleted.
 * @param {string} id
 */
async function readBasket(id) {
  try {
    const {body} = await request('GET', `/v1/baskets/${id}`);
    if (body?.id === id) return body;
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'basket_not_found') return null;
    throw problem;
  }
  throw unreachableProblem();
}

/** The problem for JSON that does not come from the shop: it counts as no answer. */
const unreachableProblem = () => new Problem(0, 'unreachable', t('We can’t reach the kitchen at the moment.'));

const required = ['name', 'phone', 'email', 'address'];

/**
 * Lets the shop validate a body before the first checkout request. Returns the outcome if it must not be sent.
 * @param {AttemptBody} body
 * @returns {Promise<Outcome | null>}
 */
async function validate(body) {
  const asked = required.filter((name) => name !== 'address' || body.fulfilment !== 'pickup');
  const empty = Object.fromEntries(asked.map((name) => [name, '']));
  const {body: answer} = await post('/v1/checkout/validate', {...empty, ...body});
  if (!answer?.fields || !answer.errors) throw unreachableProblem();
  if (answer.errors.some(({code}) => code === 'basket_already_ordered')) {
    const current = await readBasket(body.basketId);
    return current ? {kind: 'ordered', orderId: current.orderId} : {kind: 'gone'};
  }
  const isSameTime = (Date.parse(answer.quote?.wantedAt ?? '') || 0) === (Date.parse(body.wantedAt ?? '') || 0);
  return answer.isReady && isSameTime ? null : {kind: 'invalid', answer};
}

/** Codes which prove that this attempt placed no order. */
const rejectionCodes = new Set([
  'basket_not_found', 'body_too_large', 'headers_too_large', 'idempotency_key_invalid', 'idempotency_key_missing',
  'malformed_body', 'malformed_request', 'price_changed', 'unsupported_media_type', 'validation_failed',
]);

/**
 * Requests the order. Only an order or a known code counts as an answer of the shop. Everything else, such as the page
 * of a captive portal or a proxy's 403, leaves the outcome unknown.
 * @param {Attempt} attempt
 * @returns {Promise<Outcome>}
 */
async function postCheckout({key, body, sentAt}) {
  try {
    const {body: order} = await post('/v1/checkout', body, {headers: {'Idempotency-Key': key}, timeout: 15_000});
    if (order?.id === body.basketId && order.accessToken) return {kind: 'placed', order};
  } catch (problem) {
    if (!(problem instanceof Problem) || !problem.isFromShop) throw problem;
    if (problem.body.orderId) return {kind: 'ordered', orderId: problem.body.orderId};
    // The server checks the rate limit before the idempotency key. So this code says nothing about an earlier request.
    if (rejectionCodes.has(problem.code) || (problem.code === 'rate_limited' && !sentAt)) {
      return {kind: 'rejected', problem};
    }
    throw problem;
  }
  throw unreachableProblem();
}

/**
 * Stores the outcome and deletes the attempt. `result` is null for an attempt that was withdrawn.
 * @param {Attempt} attempt
 * @param {Outcome | null} result
 */
function settle(attempt, result) {
  const {body, isRemembered} = attempt;
  const {basketId} = body;
  const isNewer = loadValue('basket') && loadValue('basket') !== basketId;
  const wasPending = isPending(attempt);
  clearTimeout(timer);
  clearTimeout(pendingTimer);
  if (result?.kind === 'placed') {
    rememberOrder(result.order);
    sessionValues.save('fresh', basketId);
    if (isRemembered) {
      rememberGuest(body);
      keepOrder(basketId);
    }
    if (!isNewer) saveCheckoutDraft(null);
  } else if (wasPending && !isNewer) saveCheckoutDraft({...formValues(body), ...checkoutDraft()});
  if (wasPending) saveValue('attempt', null);
  if (result && ['placed', 'ordered', 'gone'].includes(result.kind)) forgetBasket(basketId);
  // Another tab may have withdrawn this attempt and started another one.
  const other = pendingAttempt();
  /** @type {AttemptResult | null} */
  const news = result && {...result, body, isHere: true};
  publish({attempt: other, phase: other ? phaseOf(other) : 'idle', ...news ? {result: news} : {}});
  if (other) timer = setTimeout(resumeAttempt);
}

/**
 * The typed values of a body, for the draft. The draft has the tip as the guest typed it.
 * @param {AttemptBody} body
 * @returns {CheckoutDraft}
 */
function formValues({basketId, expectedTotal, expectedTotals, currency, tip, ...typed}) {
  return typed;
}

/** 128 random bits. crypto.randomUUID is missing if the page is not served securely. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
