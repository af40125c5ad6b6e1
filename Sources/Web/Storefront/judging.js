// Has the server judge the checkout's form, and shows what is wrong: with a field at that field, and all else above the button. Used by the checkout's
// screen and ordering.js. Read next: form.js, refusals.js.

import {post} from './api.js';
import {basket} from './basket.js';
import {el, say} from './dom.js';
import {showWrong} from './form.js';
import {loadPart} from './parts/loadPart.js';
import {patch} from './parts/patch.js';
import {refusals} from './refusals.js';

const names = ['name', 'phone', 'email', 'address'];

/** Errors with what can be done about what is wrong with the basket, as far as that can be had. */
export const withMends = async (errors) => (errors.some(({field}) => /^(lines|sales)\//.test(field))
  ? loadPart('fixes', () => import('./fixes.js')).then(({withFixes}) => withFixes(errors, basket.value), () => errors) : errors);

/** What keeps the `form` from being ordered, in a place of its own above the `button`. */
export function problemsOf({fields, by}, button) {
  const node = el('div.problems', {role: 'alert'});
  const refused = refusals(node);

  /** Not ready: the button shakes, and the first error has the focus. */
  function refuse() {
    button.classList.remove('shake');
    void button.offsetWidth;
    button.classList.add('shake');
    const first = fields.find((one) => one.isAsked && one.error);
    if (first) {
      first.focus();
      first.showWhole();
    } else node.querySelector('.warn, .changed')?.scrollIntoView({block: 'nearest'});
    say(first ? `${first.node.querySelector('legend, label').textContent}: ${first.error}` : node.innerText);
  }

  function warn(text, ...more) {
    patch(node, [el('p.warn', {'data-key': 'warning'}, text), more]);
    refuse();
  }

  return {
    node, refuse, warn,
    /** Whether there is anything, here or at a field. */
    get isAny() { return fields.some((one) => one.isAsked && one.error) || node.children.length > 0; },
    /** Shows what is wrong beside the fields. */
    show: (errors) => refused.show(errors.filter(({field}) => !by[field]?.isAsked), basket.value),
    /** Warns once, however often it is tried again. */
    warnOnce(text, ...more) { if (node.firstChild?.textContent !== text) warn(text, ...more); },
  };
}

/** {judge, show, quietly, end}. An answer sets the quote of what is paid. */
export function judgingOf(form, paying, problems) {
  let asked = 0, ended = false;

  /** Judges what is typed; errors show beside the fields that were left, or all of them. Null where something newer is judged. */
  async function judge({all = false} = {}) {
    if (!basket.value) return null;
    if (!form.fulfilment.isKnown) await form.fulfilment.load();
    // Another tab may have ordered it meanwhile.
    if (!basket.value) return null;
    asked += 1;
    const mine = asked;
    const body = {basketId: basket.value.id, ...form.body};
    for (const name of names) if (form.by[name].isAsked && (all || form.left.has(name))) body[name] ??= '';
    if (paying.shown !== null) Object.assign(body, paying.shown);
    const {body: answer} = await post('/v1/checkout/validate', body);
    return draw(answer, all, () => mine !== asked);
  }

  /** Draws an answer, unless a newer one was asked for meanwhile; null then. */
  async function draw(answer, all, isOutdated) {
    const wrong = await withMends(answer.errors ?? []);
    if (isOutdated() || ended) return null;
    const hidden = showWrong(form, answer, all);
    paying.quote = answer.quote;
    problems.show([...all ? hidden : [], ...wrong]);
    return answer;
  }

  /** Shows an answer that the screen did not ask for itself. An older question is not drawn any more. */
  function show(answer, {all}) {
    asked += 1;
    const mine = asked;
    return draw(answer, all, () => mine !== asked);
  }

  return {
    judge, show,
    quietly: () => judge().catch((problem) => {
      if (problem.code === undefined) throw problem;
    }),
    get isOver() { return ended; },
    end() { ended = true; },
  };
}
