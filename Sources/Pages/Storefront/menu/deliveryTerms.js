// The postcode field of the start page, for shops with delivery areas. The guest sees the cost and the time of delivery
// before choosing a dish. The postcode is part of the checkout's draft.

import {checkoutDraft, saveCheckoutDraft} from '../checkout/checkoutDraft.js';
import {areaSummary, cachedDeliveryTerms, readDeliveryTerms} from '../checkout/deliveryArea.js';
import {rememberedGuest} from '../checkout/guestDetails.js';
import {Problem} from '../parts/api.js';
import {announce, el, replaceChildren} from '../parts/dom.js';
import {openingsOf, termRows, termsList} from '../parts/openingStatus.js';
import {t} from '../parts/translation.js';

/** @typedef {ReturnType<typeof areaSummary>} AreaSummary */

const knownPostcode = () => checkoutDraft().postcode ?? rememberedGuest()?.postcode ?? '';

/** The order terms, and the field for the postcode. */
export function deliveryTerms() {
  const list = el('ul', {id: 'where-terms'});
  const input = el('input',
    {id: 'where', autocomplete: 'postal-code', maxlength: 20, enterkeyhint: 'go', 'aria-describedby': 'where-terms'});
  const node = el('div.terms', {}, list,
    el('form', {onsubmit: (event) => { event.preventDefault(); void ask(); }},
      el('label', {for: 'where'}, t('Postcode')), input));
  /** @type {API.Home | null} */
  let home = null;
  let requestCount = 0;
  /**
   * The postcode that was requested last; null after a failure.
   * @type {string | null}
   */
  let last = input.value = knownPostcode();
  const before = cachedDeliveryTerms(last);
  let terms = before ? areaSummary(before) : null;

  function drawList() {
    replaceChildren(list, termRows(home, terms && el(terms.isWrong ? 'span.shut' : 'span', {}, terms.text)));
    if (terms?.isWrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  /** @param {string} postcode @param {(problem: Problem) => AreaSummary} onError */
  async function loadTerms(postcode, onError) {
    requestCount += 1;
    const ownRequest = requestCount;
    const found = postcode ? await readDeliveryTerms(postcode).then(areaSummary, (problem) => {
      if (!(problem instanceof Problem)) throw problem;
      last = null;
      return onError(problem);
    }) : null;
    if (ownRequest === requestCount) terms = found;
    return ownRequest === requestCount;
  }

  /**
   * Shows the terms of the typed postcode. Runs on Enter and when the guest leaves the field, but requests the terms
   * once.
   */
  async function ask() {
    const typed = input.value.trim();
    if (typed === last) return;
    last = typed;
    saveCheckoutDraft({...checkoutDraft(), postcode: typed});
    if (!await loadTerms(typed, ({detail}) => ({text: detail, isWrong: true}))) return;
    drawList();
    if (terms) announce(terms.text);
  }
  input.addEventListener('change', ask);

  return {
    /** Reads the terms for the stored postcode. On failure the general terms are shown. */
    load: () => loadTerms(knownPostcode(), () => null),
    /** The text of the current terms, to detect a change. */
    get shownText() { return terms?.text; },
    /**
     * Draws the terms of /v1/home. Before they are known, space is reserved if the postcode is known.
     * @param {API.Home | null} newHome
     */
    draw(newHome) {
      home = newHome;
      const delivery = newHome ? openingsOf(newHome).delivery : null;
      const hasField = newHome ? delivery?.needsPostcode && delivery.minutes : knownPostcode();
      if (!hasField) return termsList(newHome);
      drawList();
      return node;
    },
    /**
     * Calls `draw`, and keeps the focus in the field.
     * @param {() => void} draw
     */
    keepingFocus(draw) {
      const hadFocus = document.activeElement === input;
      draw();
      if (hadFocus && input.isConnected) input.focus({preventScroll: true});
    },
  };
}
