// The bill, and where the order is now: its number, when it comes, its lines, and its state as it moves. The link can be shared; who has it
// sees the order, and the guest's details only on the device that ordered. Read next: follow.js.

import {ask, read} from '../api.js';
import {dishList} from '../chosen.js';
import {el, fill, icon, say} from '../dom.js';
import {promise} from '../due.js';
import {follow} from '../follow.js';
import {playIntro} from '../intro.js';
import {doing, notice} from '../notice.js';
import {copyText} from '../parts/copyText.js';
import {loadPart} from '../parts/loadPart.js';
import {patch} from '../parts/patch.js';
import {showZoneNote} from '../parts/timeZone.js';
import {phoneLink} from '../phone.js';
import {checkClock, isKept, keepOrder, tokenOf} from '../placed.js';
import {question} from '../question.js';
import {orderAgain} from '../reorder.js';
import {title} from '../router.js';
import {ends, steps, stateWords} from '../states.js';
import {visit} from '../store.js';
import {totalRows} from '../totals.js';
import {t} from '../words.js';
import {loading} from './loading.js';

function progress(order) {
  if (ends[order.state]) {
    const [name, text] = stateWords(order);
    return el('div.ended', {'data-state': order.state}, el('strong', {}, name), el('p', {}, text), order.rejectionReason ? el('p', {}, `“${order.rejectionReason}”`) : null);
  }
  const reached = steps.findIndex(([state]) => state === order.state);
  const list = el('ol.steps', {'data-state': order.state}, steps.map(([state], index) => {
    const [name] = stateWords(order, state);
    return el(index < reached ? 'li.done' : index === reached ? 'li.now' : 'li', {
      'data-key': state, 'aria-current': index === reached ? 'step' : null,
    },
      el('span.dot', {}, index <= reached ? icon('tick') : null), el('span', {}, name));
  }));
  // Below the list: a text between two steps would move those after it.
  return el('div.progress', {}, list, el('p', {}, stateWords(order)[1]));
}

const bill = (order) => el('section.bill', {},
  el('h2', {}, t('The bill')),
  dishList(order), totalRows(order));

const customer = ({fulfilment, customer: {name, phone, email, address, postcode, comment}}) => el('section.customer', {},
  el('h2', {}, fulfilment === 'pickup' ? t('Pickup by') : t('Delivery to')),
  el('dl', {}, [[t('Name'), name], [t('Phone'), phone], [t('Email'), email], [t('Address'), address], [t('Postcode'), postcode], [t('Comment'), comment]]
    .filter(([, value]) => value).map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value)))));

/** The states in which the kitchen works with the order. */
const inKitchen = new Set(['placed', 'accepted', 'preparing']);

/** The line above an order: thanks to the guest who has just placed it, and the number of the day, which only the
 *  guest sees. An order that has left the kitchen, or was rejected, only has its number. */
const nameOf = ({dayNumber, state}, isFresh) => [
  isFresh && !ends[state] && (state === 'placed' || !dayNumber) ? t('Thank you! We have received your order.') : '',
  dayNumber && inKitchen.has(state) ? t('Kitchen number {number}', {number: dayNumber}) : '',
  dayNumber && !inKitchen.has(state) ? t('Number {number}', {number: dayNumber}) : '',
].filter(Boolean).join(' ') || t('Your order');

/** The line that says when it comes: {node, draw}. */
function dueLine() {
  const node = el('p.due');
  return {node, draw(order) {
    const {text, isLate} = ends[order.state] || order.state === 'delivered' ? {text: '', isLate: false} : promise(order);
    if (node.textContent === text) return;
    // It is told aloud when it becomes late, and not with each minute.
    if (isLate && node.textContent && !node.classList.contains('late')) say(text);
    // Nothing below moves up.
    if (!text) node.style.minHeight = `${node.offsetHeight}px`;
    node.textContent = text;
    node.classList.toggle('late', isLate);
  }};
}

async function share() {
  notice(await copyText(location.href) ? t('Link copied.') : location.href);
}

/** What can be done with an order: again, its link, and on the device that ordered to keep it and to print its receipt. */
function actionsOf(order, token, {keepIt, receipt}) {
  const action = (key, work, words, name = 'button.button.plain') =>
    el(name, {type: 'button', 'data-key': key, onclick: (event) => doing(event.currentTarget, work)}, words);
  return [
    action('again', () => orderAgain(order), t('Order again'), 'button.button'),
    action('share', share, t('Copy the link')),
    token && !isKept(order.id) && action('keep', keepIt, t('Keep it on this device')),
    token && !ends[order.state] && action('receipt', receipt, t('Print the receipt')),
    el('a.button.plain', {href: '#/'}, t('Back to the start page')),
  ];
}

/** Cancels the order of a path, and returns it as it is then; where it can't be cancelled, `show` is given what `get` has read. */
async function cancel({path, token, get}, show) {
  try {
    return (await ask('POST', `${path}/cancel`, {headers: {Authorization: `Bearer ${token}`}})).body;
  } catch (problem) {
    if (!problem.passes && problem.status !== 409) throw problem;
    // Nobody knows, or it is too late: the order itself tells.
    const now = await get();
    show(now);
    if (now.state !== 'cancelled') throw problem;
    return now;
  }
}

/** Shows an order that was read, and follows it. Returns what ends that. */
function showOrder(place, order, {path, token, get, isFresh}) {
  const whose = el('p.quiet', {'aria-live': 'polite'});
  const state = el('div.state', {'aria-live': 'polite'});
  const due = dueLine();
  const delay = el('p.delay', {'aria-live': 'polite'});
  const actions = el('div.row.actions');
  const leaving = el('div.row.leaving');
  const help = el('p.quiet');
  const zone = el('p.quiet', {hidden: true});
  showZoneNote(zone);
  let drop = () => {};
  /** Closes the question whether to cancel the order; null while it is not asked. */
  let asking = null;

  function draw(next) {
    order = next;
    if (asking && !order.actions.includes('cancel')) {
      asking.abort();
      notice(t('The order can’t be cancelled here any more.'), {isProblem: true});
    }
    const name = nameOf(order, isFresh);
    if (whose.textContent !== name) {
      // Nothing below moves up: thanks may take two lines, and the number one.
      whose.style.minHeight = `${whose.offsetHeight}px`;
      whose.textContent = name;
    }
    patch(state, progress(order));
    due.draw(order);
    const why = order.delayReason && !ends[order.state] && order.state !== 'delivered' ? t('Your order is delayed: “{reason}”', {reason: order.delayReason}) : '';
    if (delay.textContent !== why) delay.textContent = why;
    patch(actions, actionsOf(order, token, {keepIt, receipt}));
    patch(leaving, token && order.actions.includes('cancel')
      ? el('button.button.plain', {type: 'button', onclick: (event) => askToCancel(event.currentTarget)}, t('Cancel the order')) : null);
  }

  async function askToCancel(button) {
    asking = new AbortController();
    const isSure = await question(t('Cancel order {number}?', order),
      t('The kitchen has not accepted your order yet. A cancelled order can’t be restored.'),
      {yes: t('Cancel the order'), no: t('Keep it'), signal: asking.signal});
    asking = null;
    if (!isSure) return;
    await doing(button, async () => {
      draw(await cancel({path, token, get}, draw));
      // The button that was pressed is gone.
      place.querySelector('h1').focus({preventScroll: true});
      say(t('The order is cancelled.'));
    });
  }

  async function receipt() {
    const {clear, print} = await loadPart('receipt', () => import('../receipt.js'));
    drop = clear;
    await print(path, token);
  }

  async function keepIt() {
    keepOrder(order.id);
    // The button goes, and the focus stays with the other ones.
    draw(order);
    notice(t('You’ll find it under “Your orders” from now on.'));
  }

  fill(place, el('article.order', {},
    whose, el('h1', {tabindex: '-1'}, t('Order {number}', order)), due.node, zone, delay, state, actions,
    el('div.columns', {}, bill(order), order.customer ? customer(order) : null), leaving, help));
  draw(order);
  // Whom to ask: below all else, so that nothing moves when it comes.
  read('/v1/shop').then(({phone}) => phone && fill(help, t('Is something wrong?'), ' ', phoneLink(phone)), () => {});
  const clock = setInterval(() => due.draw(order), 1_000);
  const end = follow(order, get, draw);
  return () => {
    clearInterval(clock);
    asking?.abort();
    end();
    drop();
  };
}

export function orderScreen(place, route) {
  title(t('Your order'), {silent: route.isFirst});
  let token = null;
  const path = `/v1/orders/${route.id}`;
  const isFresh = visit.kept('fresh') === route.id;
  visit.keep('fresh', null);
  const get = () => read(path, {token}).catch((problem) => (problem.status === 401 ? read(path) : Promise.reject(problem)));
  const end = loading(place, route, () => fill(place, el('h1', {}, t('Your order')), el('p.quiet', {}, t('One moment…'))), async () => {
    await checkClock();
    token = tokenOf(route.id);
    const order = await get();
    return () => {
      title(t('Order {number}', order), {silent: route.isFirst});
      return showOrder(place, order, {path, token, get, isFresh});
    };
  });
  return () => {
    end();
    // From the bill to the start, the next guest comes in, so to speak.
    if (isFresh && (location.hash || '#/') === '#/') playIntro();
  };
}
