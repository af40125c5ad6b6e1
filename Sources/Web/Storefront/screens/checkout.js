// The checkout: each field is judged as it is left, the coupon as it is typed, and the order is sent with a key that makes it safe to send
// again: while the shop is out of reach it waits, and goes on by itself. What the guest typed is kept until it is ordered.
// Read next: attempt.js, form.js.

import {post} from '../api.js';
import {isOutlived, patience, send, settle, unanswered} from '../attempt.js';
import {basket, forget, refresh} from '../basket.js';
import {dishList} from '../chosen.js';
import {changeList, differences} from '../changes.js';
import {el, fill, icon, say} from '../dom.js';
import {field} from '../field.js';
import {fieldsOf} from '../form.js';
import {draft, forgetGuest, keepDraft, rememberGuest, rememberedGuest} from '../guest.js';
import {money} from '../money.js';
import {notice} from '../notice.js';
import {keepOrder, remember} from '../placed.js';
import {refusals} from '../refusals.js';
import {go, title} from '../router.js';
import {sentenceOf} from '../sentences.js';
import {kept, visit} from '../store.js';
import {tipIn} from '../tip.js';
import {totalRows} from '../totals.js';
import {waiting} from '../waiting.js';
import {wishes} from '../wishes.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

const names = ['name', 'phone', 'email', 'address'];

export function checkoutScreen(place, route) {
  title(t('Checkout'), {silent: route.isFirst});
  const {tip: typed, ...form} = draft();
  const fields = fieldsOf({...rememberedGuest(), ...form, ...unanswered()?.body, tip: typed});
  const by = Object.fromEntries(fields.map((one) => [one.name, one]));
  // What came with the guest is judged at once.
  const left = new Set(by.coupon.value ? ['coupon'] : []);
  by.birthday.node.hidden = !by.birthday.value;
  const wish = wishes(by, {basketId: () => basket.value?.id ?? kept('basket'), changed: (name) => {
    left.add(name);
    keepDraft(values());
    quietly();
  }});
  const totals = el('div.totals', {'aria-live': 'polite'});
  const remembering = field('remember', t('Keep my details and my orders on this device'), {type: 'checkbox', optional: true});
  remembering.value = rememberedGuest() !== null;
  remembering.input.addEventListener('change', () => remembering.value || forgetGuest());
  const paying = el('p.quiet');
  const problems = el('div.problems', {role: 'alert'});
  const refused = refusals(problems);
  const button = el('button.button.big', {type: 'submit'}, t('Order'));
  const dishes = el('div.dishes');
  const node = el('form.checkout', {novalidate: true, onsubmit: submit, 'data-waiting': ''}, el('div.fields', {}, wish.node, fields.slice(3).map((one) => one.node), remembering.node), el('div.paying', {}, dishes, totals, paying, problems, el('div.row', {}, button)));
  let quote = null, asked = 0, timer = 0, ended = false, shown = null;
  /** That the order goes on when the shop may be there again. */
  const wait = waiting(goOn);

  const values = () => Object.fromEntries(fields.filter(({isAsked}) => isAsked).map((one) => [one.name, one.value]).filter(([, value]) => value));

  const tip = () => tipIn(by.tip.input.value, quote ?? basket.value);
  const sent = () => ({...values(), tip: tip() ?? undefined});
  by.tip.wrong = () => (tip() === null ? t('Please write an amount, in digits, or leave it out.') : null);
  /** What is wrong with a field: what the page sees itself, or what the server has answered. */
  const wrongIn = (one, {fields: judged, errors = []}) => (judged[one.name]?.code ? {field: one.name, ...judged[one.name]} : errors.find(({field}) => field === one.name));

  /** The birthday is asked of nobody but who has a coupon for it. */
  const askBirthday = (isWanted) => { by.birthday.node.hidden = !isWanted && !by.birthday.value; };

  /** What is ordered, and whether it is for adults only. */
  function drawDishes() {
    const now = basket.value;
    const {minimumAge} = now ?? {};
    by.ageConfirmed.node.hidden = !minimumAge;
    by.ageConfirmed.rename(t('I am {age} or older', {age: minimumAge}));
    if (now) fill(dishes, el('details', {open: now.lines.length + now.sales.length <= 6}, el('summary', {}, t('What you order ({count})', {count: now.totalCount})), dishList(now)));
  }

  function drawTotals() {
    paying.textContent = by.fulfilment.chosen === 'pickup' ? t('You pay in cash when you fetch it.') : t('You pay in cash at your door.');
    // The basket's total stands there until the quote has come, so that nothing moves.
    if (!quote) return fill(totals, basket.value ? el('p.total', {}, el('span', {}, t('Total')), el('strong', {}, money(basket.value.total, basket.value))) : null);
    const {total, currency} = quote;
    shown = {expectedTotal: total, currency};
    wish.show(quote);
    fill(totals,
      totalRows(quote),
      quote.conditions?.length ? el('p.quiet', {}, t('Whether you have used this coupon before is looked at when you order.')) : null);
    button.textContent = `${t('Order')} · ${money(total, quote)}`;
  }

  /** Judges what is typed; errors show beside the fields that were left, or all of them. */
  async function judge({all = false} = {}) {
    if (!basket.value) return null;
    if (!wish.isKnown) await wish.load();
    asked += 1;
    const mine = asked;
    const body = {basketId: basket.value.id, ...sent()};
    for (const name of names) if (by[name].isAsked && (all || left.has(name))) body[name] ??= '';
    if (shown !== null) Object.assign(body, shown);
    const {body: answer} = await post('/v1/checkout/validate', body);
    const wrong = await withMends(answer.errors ?? []);
    if (mine !== asked || ended) return null;
    const needsBirthday = answer.fields.coupon?.code === 'coupon_needs_birthday';
    askBirthday(needsBirthday);
    const hidden = [];
    for (const one of fields) {
      const error = wrongIn(one, answer);
      if (error && !one.isAsked) hidden.push({...error, field: one.name});
      const message = one.wrong?.() ?? (error && sentenceOf(error, answer.quote));
      if (all || left.has(one.name)) one.showError(message, error?.params?.alternatives);
      else if (!message) one.showError(null);
    }
    // What is said of the field that is being typed in may lie behind the tabs.
    if (!all) fields.find((one) => one.error && one.node.contains(document.activeElement))?.showWhole();
    if (needsBirthday) by.birthday.showError(t('Please tell us the day for this coupon.'));
    quote = answer.quote;
    drawTotals();
    drawProblems([...all ? hidden : [], ...wrong]);
    return answer;
  }

  /** With what can be done about what is wrong with the basket, as far as that can be had. */
  const withMends = (errors) => (errors.some(({field}) => /^(lines|sales)\//.test(field))
    ? import('../mends.js').then(({mended}) => mended(errors, basket.value), () => errors) : errors);

  /** What is wrong beside the fields. */
  const drawProblems = (errors) => refused.show(errors.filter(({field}) => !by[field]?.isAsked), basket.value);

  const quietly = (options) => judge(options).catch((problem) => {
    if (problem.code === undefined) throw problem;
  });

  for (const one of fields.filter(({input}) => input)) {
    one.input.addEventListener('blur', () => {
      if (!one.value && !left.has(one.name) && (!one.input.required || one.input.type === 'checkbox')) return;
      left.add(one.name);
      quietly();
    });
    one.input.addEventListener('input', () => {
      keepDraft(values());
      clearTimeout(timer);
      // What changes the total is judged as it is typed; another field that has an error, as it is mended.
      if (one.name === 'coupon' || one.name === 'birthday') left.add('coupon');
      else if (one.name === 'tip' || one.name === 'ageConfirmed') left.add(one.name);
      else if (one.name !== 'postcode' && !one.error) return;
      timer = setTimeout(quietly, 300);
    });
  }

  /** Not ready: the button shakes, and the first error has the focus. */
  function refuse() {
    button.classList.remove('shake');
    void button.offsetWidth;
    button.classList.add('shake');
    const first = fields.find((one) => one.isAsked && one.error);
    if (first) {
      first.focus();
      first.showWhole();
    } else problems.querySelector('.warn, .changed')?.scrollIntoView({block: 'nearest'});
    say(first ? `${first.node.querySelector('legend, label').textContent}: ${first.error}` : problems.innerText);
  }

  function submit(event) {
    event.preventDefault();
    return order();
  }

  async function order() {
    if (unanswered()) return resume();
    if (button.getAttribute('aria-busy') === 'true') return undefined;
    button.setAttribute('aria-busy', 'true');
    clearTimeout(timer);
    try {
      for (const one of fields) left.add(one.name);
      const before = quote;
      const answer = await judge({all: true});
      // Something was typed meanwhile, which is judged now.
      if (!answer) return wait.lasts === null ? undefined : wait.start();
      wait.stop();
      const isWrong = fields.some((one) => one.isAsked && one.error) || problems.children.length || !quote;
      if (isWrong) return refuse();
      if (before && (quote.total !== before.total || quote.currency !== before.currency)) {
        // The guest's own coupon or tip, sent before its total was seen, is no change of price.
        const why = quote.currency === before.currency && quote.subtotal === before.subtotal ? t('What you have added changes the total. Please look, and order if it is right.') : undefined;
        return changed(differences(before, quote), why);
      }
      await placeOrder({basketId: basket.value.id, ...sent(), expectedTotal: quote.total, currency: quote.currency, expectedTotals: quote.totals});
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      if (problem.passes) return waitToOrder(problem);
      fill(problems, el('p.warn', {}, `${problem.detail} ${t('Nothing was ordered yet.')}`));
      refuse();
    } finally {
      button.removeAttribute('aria-busy');
    }
    return undefined;
  }

  function goOn() {
    if (unanswered() || wait.lasts < patience) return order();
    wait.stop();
    return tell(t('Nothing was ordered, and we have stopped trying. Please order again if you still want to.'));
  }

  /** Says it once, however often it is tried again. */
  function tell(text, ...more) {
    if (problems.firstChild?.textContent === text) return;
    fill(problems, el('p.warn', {}, text), more);
    refuse();
  }

  /** Not sent yet: it is, as soon as somebody is there who takes it. */
  function waitToOrder(problem) {
    wait.start(problem.retryAfter);
    tell(`${problem.detail} ${t('Nothing was ordered yet. We send your order as soon as it can be taken.')}`,
      el('p.row', {}, el('button.button.plain', {type: 'button', onclick: () => { wait.stop(); fill(problems); }}, t('Don’t send it'))));
  }

  async function placeOrder(body) {
    try {
      if (wait.lasts === null) fill(problems);
      const order = await send(body, {onRetry: () => wait.lasts === null && fill(problems, el('p.quiet', {}, t('No answer yet. We ask again; you will not be charged twice.')))});
      wait.stop();
      remember(order);
      forget();
      keepDraft(null);
      if (remembering.value) {
        rememberGuest(body);
        keepOrder(order.id);
      }
      visit.keep('fresh', order.id);
      go(`#/orders/${order.id}`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      await answerTo(problem);
    }
  }

  async function answerTo(problem) {
    if (unanswered()) return waitForAnswer(problem);
    reopen();
    if (problem.body.orderId) {
      settle();
      forget();
      notice(t('This basket is an order already. Here it is.'));
      return go(`#/orders/${problem.body.orderId}`);
    }
    switch (problem.code) {
      case 'price_changed':
        quote = problem.body.quote;
        drawTotals();
        return changed(problem.body.changes);
      case 'validation_failed': {
        askBirthday(problem.errors.some(({code}) => code === 'coupon_needs_birthday'));
        for (const error of problem.errors) by[error.field]?.showError(sentenceOf(error, quote), error.params?.alternatives);
        const wrong = await withMends(problem.errors);
        if (ended) return undefined;
        drawProblems(wrong);
        return refuse();
      }
      case 'basket_not_found':
        forget();
        notice(t('This basket is gone. Please start a new one.'), {isProblem: true});
        return go('#/basket');
      default:
        fill(problems, el('p.warn', {}, `${problem.detail} ${t('Nothing was ordered.')}`));
        return refuse();
    }
  }

  /** The price is another now: old → new, and the guest is asked again. */
  function changed(changes, why = t('A price has changed since you looked. Nothing was ordered; please look again and order if it is still right.')) {
    fill(problems, el('div.changed', {}, el('p', {}, why), changeList(changes, quote)));
    drawTotals();
    refresh().catch(() => {});
    refuse();
  }

  /** Sent, and nothing came back: it may be ordered. Only the same attempt can tell. */
  function waitForAnswer(problem) {
    for (const one of fields) one.disabled = true;
    button.textContent = t('Ask again now');
    wait.start(problem.retryAfter);
    tell(`${problem.detail} ${t('We don’t know yet whether your order has arrived. We ask again by ourselves: it can’t be ordered twice.')}`);
  }

  /** There is nothing to wait for any more: the form is the guest's again. */
  function reopen() {
    wait.stop();
    for (const one of fields) one.disabled = false;
    button.textContent = t('Order');
    drawTotals();
  }

  /** Sends the unanswered attempt again, unless it has waited for so long that it is to be asked about. */
  async function resume() {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      if (unanswered() && await isOutlived()) {
        reopen();
        await judge();
        tell(t('Your order did not reach us when you sent it. Please look at it, and order again if it is still right.'));
      } else if (unanswered()) await placeOrder(unanswered().body);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      waitForAnswer(problem);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function draw() {
    const heading = el('h1', {tabindex: '-1'}, t('Checkout'));
    if (!unanswered() && !basket.value?.totalCount) {
      wait.stop();
      return fill(place, heading, nothingYet(t('There is nothing to order yet.')));
    }
    const hasFocus = place.contains(document.activeElement);
    fill(place, el('a.back', {href: '#/basket'}, icon('back'), t('Basket')), heading, node);
    if (hasFocus) heading.focus();
    drawDishes();
    drawTotals();
    if (!unanswered()) return quietly().finally(() => delete node.dataset.waiting);
    delete node.dataset.waiting;
    return resume();
  }

  fill(place, el('h1', {}, t('Checkout')), el('p.quiet', {}, t('One moment…')));
  // What comes next, also for who is without a network then.
  import('./order.js').catch(() => {});
  let version = basket.value?.version;
  Promise.all([refresh().catch(() => {}), kept('basket') ? wish.load().catch(() => {}) : null]).then(async () => {
    version = basket.value?.version;
    // What can't be had is told from the first, so that nothing moves.
    const {lines = [], sales = []} = basket.value ?? {};
    if ([...lines, ...sales].some((one) => !one.isAvailable) && !unanswered()) await quietly();
    return ended || draw();
  });
  // Another tab changed the basket: its total is shown anew, and asked about when it is ordered.
  const stop = basket.watch((now) => {
    if (ended || now?.version === version || button.getAttribute('aria-busy') === 'true') return;
    version = now?.version;
    if (now?.totalCount) {
      drawDishes();
      quietly();
    }
    else if (!unanswered()) draw();
  });
  return () => {
    ended = true;
    clearTimeout(timer);
    wait.end();
    stop();
  };
}
