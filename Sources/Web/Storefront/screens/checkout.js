// The checkout: each field is judged as it is left, the coupon as it is typed, and the order is sent with a key that makes it safe to send
// again: while the shop is out of reach it waits, and goes on by itself. What the guest typed is kept until it is ordered.
// Read next: attempt.js, form.js.

import {post} from '../api.js';
import {isOutlived, patience, send, settle, unanswered} from '../attempt.js';
import {basket, forget, refresh} from '../basket.js';
import {dishList} from '../chosen.js';
import {changeList, differences} from '../changes.js';
import {el, fill, icon, say} from '../dom.js';
import {fieldsOf} from '../form.js';
import {money} from '../money.js';
import {notice} from '../notice.js';
import {remember} from '../placed.js';
import {refusals} from '../refusals.js';
import {go, title} from '../router.js';
import {keep, kept} from '../store.js';
import {tipIn, wrongTip} from '../tip.js';
import {totalRows} from '../totals.js';
import {waiting} from '../waiting.js';

const names = ['name', 'phone', 'email', 'address'];

export function checkoutScreen(place, route) {
  title('Checkout', {silent: route.isFirst});
  const fields = fieldsOf(kept('form', {}));
  const by = Object.fromEntries(fields.map((one) => [one.name, one]));
  const left = new Set();
  const totals = el('div.totals', {'aria-live': 'polite'});
  const problems = el('div.problems', {role: 'alert'});
  const button = el('button.button.big', {type: 'submit'}, 'Order');
  const dishes = el('div.dishes');
  const form = el('form.checkout', {novalidate: true, onsubmit: submit}, el('div.fields', {}, fields.map((one) => one.node)), el('div.paying', {}, dishes, totals, problems, el('div.row', {}, button)));
  let quote = null, asked = 0, timer = 0, ended = false, shown = null;
  /** That the order goes on when the shop may be there again. */
  const wait = waiting(goOn);

  const values = () => Object.fromEntries(fields.filter(({node}) => !node.hidden).map((one) => [one.name, one.value]).filter(([, value]) => value));

  const tip = () => tipIn(by.tip.input.value, quote ?? basket.value);
  const sent = () => ({...values(), tip: tip() ?? undefined});

  /** What is ordered, and whether it is for adults only. */
  function drawDishes() {
    const now = basket.value;
    const {minimumAge} = now ?? {};
    by.ageConfirmed.node.hidden = !minimumAge;
    by.ageConfirmed.rename(`I am ${minimumAge} or older`);
    if (now) fill(dishes, el('details', {open: now.lines.length + now.sales.length <= 6}, el('summary', {}, `What you order (${now.totalCount})`), dishList(now)));
  }

  function drawTotals() {
    // The basket's total stands there until the quote has come, so that nothing moves.
    if (!quote) return fill(totals, basket.value ? el('p.total', {}, el('span', {}, 'Total'), el('strong', {}, money(basket.value.total, basket.value))) : null);
    const {total, currency} = quote;
    shown = {expectedTotal: total, currency};
    fill(totals,
      totalRows(quote),
      quote.conditions?.length ? el('p.quiet', {}, 'Whether you have used this coupon before is looked at when you order.') : null);
    button.textContent = `Order · ${money(total, quote)}`;
  }

  /** Judges what is typed; errors show beside the fields that were left, or all of them. */
  async function judge({all = false} = {}) {
    if (!basket.value) return null;
    asked += 1;
    const mine = asked;
    const body = {basketId: basket.value.id, ...sent()};
    for (const name of names) if (all || left.has(name)) body[name] ??= '';
    if (shown !== null) Object.assign(body, shown);
    const {body: answer} = await post('/v1/checkout/validate', body);
    if (mine !== asked || ended) return null;
    for (const one of fields) {
      const message = one.name === 'tip' ? wrongTip(tip(), answer) : (answer.fields[one.name] ?? answer.errors?.find(({field: path}) => path === one.name))?.message;
      if (all || left.has(one.name)) one.showError(message);
      else if (!message) one.showError(null);
    }
    // What is said of the field that is being typed in may lie behind the tabs.
    if (!all) fields.find((one) => one.error && one.input === document.activeElement)?.showWhole();
    if (answer.fields.coupon?.code === 'coupon_needs_birthday') by.birthday.showError('Please tell us the day for this coupon.');
    quote = answer.quote;
    drawTotals();
    drawProblems(answer.errors ?? []);
    return answer;
  }

  /** What is wrong beside the fields. */
  const drawProblems = (errors) => fill(problems, refusals(errors.filter((error) => !by[error.field]), basket.value));

  const quietly = (options) => judge(options).catch((problem) => {
    if (problem.code === undefined) throw problem;
  });

  for (const one of fields) {
    one.input.addEventListener('blur', () => {
      if (!one.value && !left.has(one.name) && (!one.input.required || one.input.type === 'checkbox')) return;
      left.add(one.name);
      quietly();
    });
    one.input.addEventListener('input', () => {
      keep('form', values());
      clearTimeout(timer);
      // What changes the total is judged as it is typed; another field that has an error, as it is mended.
      if (one.name === 'coupon' || one.name === 'birthday') left.add('coupon');
      else if (one.name === 'tip' || one.name === 'ageConfirmed') left.add(one.name);
      else if (!one.error) return;
      timer = setTimeout(quietly, 300);
    });
  }

  /** Not ready: the button shakes, and the first error has the focus. */
  function refuse() {
    button.classList.remove('shake');
    void button.offsetWidth;
    button.classList.add('shake');
    const first = fields.find((one) => one.error);
    if (first) {
      first.input.focus({preventScroll: true});
      first.showWhole();
    } else problems.querySelector('.warn, .changed')?.scrollIntoView({block: 'nearest'});
    say(first ? `${first.node.querySelector('label').textContent}: ${first.error}` : problems.textContent);
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
      const isWrong = fields.some((one) => one.error) || problems.children.length || !quote;
      if (isWrong) return refuse();
      if (before && (quote.total !== before.total || quote.currency !== before.currency)) {
        // The guest's own coupon or tip, sent before its total was seen, is no change of price.
        const why = quote.currency === before.currency && quote.subtotal === before.subtotal ? 'What you have added changes the total. Please look, and order if it is right.' : undefined;
        return changed(differences(before, quote), why);
      }
      await placeOrder({basketId: basket.value.id, ...sent(), expectedTotal: quote.total, currency: quote.currency, expectedTotals: quote.totals});
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      if (problem.passes) return waitToOrder(problem);
      fill(problems, el('p.warn', {}, `${problem.detail} Nothing was ordered yet.`));
      refuse();
    } finally {
      button.removeAttribute('aria-busy');
    }
    return undefined;
  }

  function goOn() {
    if (unanswered() || wait.lasts < patience) return order();
    wait.stop();
    return tell('Nothing was ordered, and we have stopped trying. Please order again if you still want to.');
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
    tell(`${problem.detail} Nothing was ordered yet. We send your order as soon as it can be taken.`,
      el('p.row', {}, el('button.button.plain', {type: 'button', onclick: () => { wait.stop(); fill(problems); }}, 'Don’t send it')));
  }

  async function placeOrder(body) {
    try {
      if (wait.lasts === null) fill(problems);
      const order = await send(body, {onRetry: () => wait.lasts === null && fill(problems, el('p.quiet', {}, 'No answer yet. We ask again; you will not be charged twice.'))});
      wait.stop();
      remember(order);
      forget();
      keep('form', null);
      keep('fresh', order.id);
      go(`#/orders/${order.id}`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      answerTo(problem);
    }
  }

  function answerTo(problem) {
    if (unanswered()) return waitForAnswer(problem);
    reopen();
    if (problem.body.orderId) {
      settle();
      forget();
      notice('This basket is an order already. Here it is.');
      return go(`#/orders/${problem.body.orderId}`);
    }
    switch (problem.code) {
      case 'price_changed':
        quote = problem.body.quote;
        drawTotals();
        return changed(problem.body.changes);
      case 'validation_failed':
        for (const error of problem.errors) by[error.field]?.showError(error.message);
        drawProblems(problem.errors);
        return refuse();
      case 'basket_not_found':
        forget();
        notice('This basket is gone. Please start a new one.', {isProblem: true});
        return go('#/basket');
      default:
        fill(problems, el('p.warn', {}, `${problem.detail} Nothing was ordered.`));
        return refuse();
    }
  }

  /** The price is another now: old → new, and the guest is asked again. */
  function changed(changes, why = 'A price has changed since you looked. Nothing was ordered; please look again and order if it is still right.') {
    fill(problems, el('div.changed', {}, el('p', {}, why), changeList(changes, quote)));
    drawTotals();
    refresh().catch(() => {});
    refuse();
  }

  /** Sent, and nothing came back: it may be ordered. Only the same attempt can tell. */
  function waitForAnswer(problem) {
    for (const one of fields) one.input.disabled = true;
    button.textContent = 'Ask again now';
    wait.start(problem.retryAfter);
    tell(`${problem.detail} We don’t know yet whether your order has arrived. We ask again by ourselves: it can’t be ordered twice.`);
  }

  /** There is nothing to wait for any more: the form is the guest's again. */
  function reopen() {
    wait.stop();
    for (const one of fields) one.input.disabled = false;
    button.textContent = 'Order';
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
        tell('Your order did not reach us when you sent it. Please look at it, and order again if it is still right.');
      } else if (unanswered()) await placeOrder(unanswered().body);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      waitForAnswer(problem);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function draw() {
    const heading = el('h1', {tabindex: '-1'}, 'Checkout');
    if (!unanswered() && !basket.value?.totalCount) {
      wait.stop();
      return fill(place, heading, el('p.empty', {}, 'There is nothing to order yet.'), el('p', {}, el('a.button.big', {href: '#/menu'}, 'See the menu')));
    }
    const hasFocus = place.contains(document.activeElement);
    fill(place, el('a.back', {href: '#/basket'}, icon('back'), 'Basket'), heading, form);
    if (hasFocus) heading.focus();
    drawDishes();
    drawTotals();
    if (!unanswered()) return quietly();
    for (const one of fields) one.value = (one.name === 'tip' ? kept('form', {}) : unanswered().body)[one.name];
    return resume();
  }

  fill(place, el('h1', {}, 'Checkout'), el('p.quiet', {}, 'One moment…'));
  let version = basket.value?.version;
  refresh().catch(() => {}).then(() => { version = basket.value?.version; return ended || draw(); });
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
