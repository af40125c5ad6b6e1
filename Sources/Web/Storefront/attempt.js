// One attempt to order: its Idempotency-Key and its body, kept for this visit from before it is sent until it is answered. A lost answer
// is asked for again with the same key and the same body, after a reload too, and so never orders twice. Used by the checkout screen.

import {ask, post} from './api.js';
import {visit} from './store.js';

const {keep, kept} = visit;

/** The attempt that was sent and not answered yet: {key, body, at}, or null. */
export const unanswered = () => kept('attempt');

/** For how long an order is sent again unasked: past that, the guest may have eaten elsewhere. */
export const patience = 10 * 60_000;

/** Whether the unanswered attempt is so old that it is not to be sent again unless it was ordered, and the basket says that it was not: then it
 *  is given up. Throws the Problem where that can't be known. */
export async function isOutlived() {
  const {at = 0, body} = unanswered();
  if (Date.now() - at < patience) return false;
  try {
    if ((await ask('GET', `/v1/baskets/${body.basketId}`)).body.state === 'ordered') return false;
  } catch (problem) {
    if (problem.status !== 404) throw problem;
  }
  settle();
  return true;
}

/** Gives it up: something else came of the basket. */
export const settle = () => keep('attempt', null);

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Sends a body, or the unanswered attempt again, up to four times while nothing comes back. Returns the order; throws the Problem.
 *  A refusal ends the attempt, for only an order binds a key; a lost answer keeps it. */
export async function send(body, {onRetry = () => {}} = {}) {
  let isUnsure = unanswered() !== null;
  const attempt = unanswered() ?? {key: newKey(), body, at: Date.now()};
  keep('attempt', attempt);
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await post('/v1/checkout', attempt.body, {headers: {'Idempotency-Key': attempt.key}, timeout: 15_000});
      settle();
      return answer.body;
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      // A limit is judged before the key: it says nothing of a try whose answer was lost.
      if (!problem.passes && !(problem.status === 429 && isUnsure)) {
        settle();
        throw problem;
      }
      isUnsure = true;
      if (tries >= 4 || problem.code === 'offline') throw problem;
      onRetry(problem);
      await pause(Math.max(problem.retryAfter * 1_000, 400 * 2 ** tries));
    }
  }
}

/** 128 random bits. crypto.randomUUID is missing where the page is not served securely. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
