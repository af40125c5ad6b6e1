// Where it is brought to, asked on the first screen where the shop delivers to areas: what that costs and how long it takes is known before a basket is
// filled. The postcode is the checkout's, kept with its form for this visit. Used by home. Read next: area.js, guest.js.

import {areaTerms, deliveryBefore, deliveryTo} from './area.js';
import {el, fill, say} from './dom.js';
import {draft, keepDraft, rememberedGuest} from './guest.js';
import {doorsOf, termRows, termsList} from './hours.js';
import {t} from './words.js';

const known = () => draft().postcode ?? rememberedGuest()?.postcode ?? '';

/** What an order takes, and the field that asks for the postcode. */
export function whereabouts() {
  const list = el('ul', {id: 'where-terms'});
  const input = el('input', {id: 'where', autocomplete: 'postal-code', maxlength: 20, enterkeyhint: 'go', 'aria-describedby': 'where-terms'});
  const node = el('div.terms', {}, list, el('form', {onsubmit: (event) => { event.preventDefault(); ask(); }}, el('label', {for: 'where'}, t('Postcode')), input));
  let home = null, asked = 0, last = input.value = known();
  const before = deliveryBefore(last);
  let terms = before ? areaTerms(before) : null;

  function drawList() {
    fill(list, termRows(home, terms && el(terms.isWrong ? 'span.shut' : 'span', {}, terms.text)));
    if (terms?.isWrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  async function look(postcode, otherwise) {
    asked += 1;
    const mine = asked;
    const found = postcode ? await deliveryTo(postcode).then(areaTerms, (problem) => {
      if (problem.code === undefined) throw problem;
      last = null;
      return otherwise(problem);
    }) : null;
    if (mine === asked) terms = found;
    return mine === asked;
  }

  /** A line that is left and one that is sent are asked about once. */
  async function ask() {
    const typed = input.value.trim();
    if (typed === last) return;
    last = typed;
    keepDraft({...draft(), postcode: typed});
    if (!await look(typed, ({detail}) => ({text: detail, isWrong: true}))) return;
    drawList();
    if (terms) say(terms.text);
  }
  input.addEventListener('change', ask);

  return {
    /** Looks for what is known of the guest's postcode; where that can't be had, what holds for all is said. */
    load: () => look(known(), () => null),
    /** What stands there by now, to be told from what stood there before. */
    get said() { return terms?.text; },
    /** What home tells; nothing is asked where no area is. Before home is there, room is kept for whose postcode is known. */
    draw(now) {
      home = now;
      const {needsPostcode, minutes} = now ? doorsOf(now).delivery ?? {} : {needsPostcode: known(), minutes: true};
      if (!needsPostcode || !minutes) return termsList(now);
      drawList();
      return node;
    },
    /** Draws, and leaves the finger in the field. */
    keepingFocus(draw) {
      const hadFocus = document.activeElement === input;
      draw();
      if (hadFocus && input.isConnected) input.focus({preventScroll: true});
    },
  };
}
