// Lets the server validate the checkout form and shows the errors: at their fields, and the others above the button.

import {basket} from '../basket/basket.js';
import {post, Problem} from '../parts/api.js';
import {announce, el} from '../parts/dom.js';
import {loadPart} from '../parts/loadPart.js';
import {patch} from '../parts/patch.js';
import {showFieldErrors} from './checkoutForm.js';
import {rejectionList} from './rejectionList.js';

/** @typedef {import('../basket/fixes.js').BasketError} BasketError */
/** @typedef {import('./checkoutForm.js').CheckoutForm} CheckoutForm */
/** @typedef {import('./checkoutSummary.js').CheckoutSummary} CheckoutSummary */
/** @typedef {ReturnType<typeof checkoutProblems>} CheckoutProblems */
/** @typedef {ReturnType<typeof checkoutValidation>} CheckoutValidation */

const requiredFields = /** @type {const} */ (['name', 'phone', 'email', 'address']);

/**
 * Adds fixes to errors about the basket, if fixes.js can be loaded.
 * @param {API.FieldError[]} errors
 * @returns {Promise<BasketError[]>}
 */
export const loadFixes = async (errors) => (errors.some(({field}) => /^(lines|sales)\//.test(field))
  ? loadPart('basket/fixes', () => import('../basket/fixes.js'))
    .then(({withFixes}) => withFixes(errors, basket.value), () => errors)
  : errors);

/**
 * The messages that are not about a visible field, above the `button`.
 * @param {CheckoutForm} form
 * @param {HTMLButtonElement} button
 */
export function checkoutProblems({fields}, button) {
  const node = el('div.problems', {role: 'alert'});
  const rejections = rejectionList(node);

  /** Shakes the button and focuses the first field with an error. */
  function showFirstError() {
    button.classList.remove('shake');
    void button.offsetWidth;
    button.classList.add('shake');
    const first = fields.find((field) => field.isVisible && field.error);
    if (first) {
      first.focus();
      first.scrollIntoViewport();
    } else node.querySelector('.warn, .changed')?.scrollIntoView({block: 'nearest'});
    announce(first ? `${first.node.querySelector('legend, label')?.textContent}: ${first.error}` : node.innerText);
  }

  /** @param {string} text */
  function warn(text) {
    patch(node, el('p.warn', {'data-key': 'warning'}, text));
    showFirstError();
  }

  return {
    node, showFirstError, warn,
    /** Whether there is any message, here or at a field. */
    get hasProblems() { return fields.some((field) => field.isVisible && field.error) || node.children.length > 0; },
    /**
     * Shows the errors that have no visible field.
     * @param {BasketError[]} errors
     */
    show: (errors) => rejections.show(
      errors.filter(({field}) => !fields.some(({name, isVisible}) => name === field && isVisible)), basket.value),
  };
}

/**
 * The validation of the form: {validate, show, supersede, validateQuietly, isEnded, end}. Each answer updates the quote
 * of the summary.
 * @param {CheckoutForm} form
 * @param {CheckoutSummary} summary
 * @param {CheckoutProblems} problems
 */
export function checkoutValidation(form, summary, problems) {
  let requestCount = 0, hasEnded = false;

  /** Validates the form. Errors appear at touched fields, or at all. Returns null if a newer validation has started. */
  async function validate({all = false} = {}) {
    if (!basket.value) return null;
    if (!form.fulfilment.isKnown) await form.fulfilment.load();
    // Another tab may have ordered the basket in the meantime.
    if (!basket.value) return null;
    requestCount += 1;
    const ownRequest = requestCount;
    /** @type {API.CheckoutForm} */
    const body = {basketId: basket.value.id, ...form.body};
    for (const name of requiredFields) {
      if (form.byName[name].isVisible && (all || form.touched.has(name))) body[name] ??= '';
    }
    if (summary.shownTotal !== null) Object.assign(body, summary.shownTotal);
    const {body: answer} = await post('/v1/checkout/validate', body);
    return draw(answer, all, () => ownRequest !== requestCount);
  }

  /**
   * Shows an answer. Returns null if a newer validation has started.
   * @param {API.Validation} answer
   * @param {boolean} all
   * @param {() => boolean} isOutdated
   */
  async function draw(answer, all, isOutdated) {
    const basketErrors = await loadFixes(answer.errors ?? []);
    if (hasEnded) return null;
    if (isOutdated()) {
      summary.quote ??= answer.quote;
      return null;
    }
    const hidden = showFieldErrors(form, answer, all);
    summary.quote = answer.quote;
    problems.show([...all ? hidden : [], ...basketErrors]);
    return answer;
  }

  /**
   * Shows an answer that another module received. The answer of a running validation is ignored afterwards.
   * @param {API.Validation} answer
   * @param {{all: boolean}} options
   */
  function show(answer, {all}) {
    requestCount += 1;
    const ownRequest = requestCount;
    return draw(answer, all, () => ownRequest !== requestCount);
  }

  return {
    validate, show,
    /** Keeps the answers of running validations from replacing the errors of an order. */
    supersede() { requestCount += 1; },
    validateQuietly: () => validate().catch((problem) => {
      if (!(problem instanceof Problem)) throw problem;
    }),
    get isEnded() { return hasEnded; },
    end() { hasEnded = true; },
  };
}
