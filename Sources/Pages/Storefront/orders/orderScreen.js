// An order: its number, state, promised time and bill. The link can be shared; the guest's details appear only on the
// device that ordered.

import {detailLabels, detailNames} from '../checkout/guestDetails.js';
import {ensureClockIsKnown, isKept, keepOrder, orderToken} from '../checkout/placedOrders.js';
import {dishList} from '../dish/dishList.js';
import {Problem, read, request} from '../parts/api.js';
import {askToConfirm} from '../parts/confirmation.js';
import {copyText} from '../parts/copyText.js';
import {announce, el, icon, replaceChildren} from '../parts/dom.js';
import {playIntro} from '../parts/introAnimation.js';
import {loadPart} from '../parts/loadPart.js';
import {patch} from '../parts/patch.js';
import {phoneLink} from '../parts/phoneLink.js';
import {setTitle} from '../parts/router.js';
import {loadScreen} from '../parts/screenLoading.js';
import {sessionValues} from '../parts/storage.js';
import {showZoneNote} from '../parts/timeZone.js';
import {runBusy, showToast} from '../parts/toast.js';
import {totalRows} from '../parts/totalRows.js';
import {t} from '../parts/translation.js';
import {arrivalMessage} from './arrivalMessage.js';
import {followOrder} from './followOrder.js';
import {orderAgain} from './orderAgain.js';
import {endStates, isInKitchen, orderSteps, stateText} from './orderStateTexts.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {`/v1/orders/${string}`} OrderPath */

/** @param {API.Order} order */
function progress(order) {
  if (endStates[order.state]) {
    const [name, text] = stateText(order);
    return el('div.ended', {'data-state': order.state}, el('strong', {}, name), el('p', {}, text),
      order.rejectionReason ? el('p', {}, `“${order.rejectionReason}”`) : null);
  }
  const reached = orderSteps.findIndex(([state]) => state === order.state);
  const list = el('ol.steps', {'data-state': order.state}, orderSteps.map(([state], index) => {
    const [name] = stateText(order, state);
    return el(index < reached ? 'li.done' : index === reached ? 'li.now' : 'li', {
      'data-key': state, 'aria-current': index === reached ? 'step' : null,
    },
      el('span.dot', {}, index <= reached ? icon('tick') : null), el('span', {}, name));
  }));
  // The text is below the list: between two steps it would move the later steps.
  return el('div.progress', {}, list, el('p', {}, stateText(order)[1]));
}

/** @param {API.Order} order */
const bill = (order) => el('section.bill', {},
  el('h2', {}, t('The bill')),
  dishList(order), totalRows(order));

/** @param {API.Order} options */
const customer = ({fulfilment, customer: details}) =>
  el('section.customer', {},
    el('h2', {}, fulfilment === 'pickup' ? t('Pickup by') : t('Delivery to')),
    el('dl', {}, detailNames.filter((name) => details?.[name]).map((name) =>
      el('div', {}, el('dt', {}, detailLabels[name]), el('dd', {}, details?.[name])))));

/**
 * The line above the heading: thanks for a fresh order, and the kitchen number, which only the guest sees. After the
 * kitchen states it has only the number.
 * @param {API.Order} order
 * @param {boolean} isFresh
 */
const headerText = ({dayNumber, state}, isFresh) => [
  isFresh && !endStates[state] && (state === 'placed' || !dayNumber) ? t('Thank you! We have received your order.')
    : '',
  dayNumber && isInKitchen(state) ? t('Kitchen number {number}', {number: dayNumber}) : '',
  dayNumber && !isInKitchen(state) ? t('Number {number}', {number: dayNumber}) : '',
].filter(Boolean).join(' ') || t('Your order');

/** The line with the promised time: {node, draw}. */
function dueLine() {
  const node = el('p.due');
  /** @param {API.Order} order */
  function draw(order) {
    const {text, isLate} = endStates[order.state] || order.state === 'delivered' ? {text: '', isLate: false}
      : arrivalMessage(order);
    if (node.textContent === text) return;
    // Announced once when the order becomes late, not every minute.
    if (isLate && node.textContent && !node.classList.contains('late')) announce(text);
    // Keeps the height, so that nothing below moves.
    if (!text) node.style.minHeight = `${node.offsetHeight}px`;
    node.textContent = text;
    node.classList.toggle('late', isLate);
  }
  return {node, draw};
}

async function share() {
  showToast(await copyText(location.href) ? t('Link copied.') : location.href);
}

/**
 * The actions of an order: order again and copy the link; on the device that ordered also keep and print.
 * @param {API.Order} order
 * @param {string | null} token
 * @param {{keepIt: () => unknown, receipt: () => unknown}} options
 */
function actionsOf(order, token, {keepIt, receipt}) {
  /** @param {string} key @param {() => unknown} work @param {string} words @param {string} [name] */
  const action = (key, work, words, name = 'button.button.plain') =>
    el(name, {type: 'button', 'data-key': key, onclick: (event) => runBusy(event.currentTarget, work)}, words);
  return [
    action('again', () => orderAgain(order), t('Order again'), 'button.button'),
    action('share', share, t('Copy the link')),
    token && !isKept(order.id) && action('keep', keepIt, t('Keep it on this device')),
    token && !endStates[order.state] && action('receipt', receipt, t('Print the receipt')),
    el('a.button.plain', {href: '#/'}, t('Back to the start page')),
  ];
}

/**
 * Cancels an order and returns its new state. If that fails, `show` gets the order that `get` reads.
 * @param {{path: OrderPath, token: string | null, get: () => Promise<API.Order>}} options
 * @param {(order: API.Order) => void} show
 * @returns {Promise<API.Order>}
 */
async function cancel({path, token, get}, show) {
  try {
    return (await request('POST', `${path}/cancel`, {headers: {Authorization: `Bearer ${token}`}})).body;
  } catch (problem) {
    if (!(problem instanceof Problem) || (!problem.isTransient && problem.status !== 409)) throw problem;
    // Reads the order: the outcome is unknown, or the order can no longer be cancelled.
    const current = await get();
    show(current);
    if (current.state !== 'cancelled') throw problem;
    return current;
  }
}

/**
 * Shows an order and follows it. Returns a function that stops.
 * @param {HTMLElement} container
 * @param {API.Order} order
 * @param {{path: OrderPath, token: string | null, get: () => Promise<API.Order>, isFresh: boolean}} options
 */
function showOrder(container, order, {path, token, get, isFresh}) {
  const header = el('p.quiet', {'aria-live': 'polite'});
  const state = el('div.state', {'aria-live': 'polite'});
  const due = dueLine();
  const delay = el('p.delay', {'aria-live': 'polite'});
  const actions = el('div.row.actions');
  const leaving = el('div.row.leaving');
  const help = el('p.quiet');
  const zone = el('p.quiet', {hidden: true});
  showZoneNote(zone);
  let removePrint = () => {};
  /**
   * Aborting it closes the open question about cancelling; null if no question is open.
   * @type {AbortController | null}
   */
  let question = null;

  /** @param {API.Order} next */
  function draw(next) {
    order = next;
    if (question && !order.actions.includes('cancel')) {
      question.abort();
      showToast(t('The order can’t be cancelled here any more.'), {isProblem: true});
    }
    const name = headerText(order, isFresh);
    if (header.textContent !== name) {
      // Keeps the height, so that nothing below moves: the thanks may take two lines.
      header.style.minHeight = `${header.offsetHeight}px`;
      header.textContent = name;
    }
    patch(state, progress(order));
    due.draw(order);
    const reason = order.delayReason && !endStates[order.state] && order.state !== 'delivered'
      ? t('Your order is delayed: “{reason}”', {reason: order.delayReason}) : '';
    if (delay.textContent !== reason) delay.textContent = reason;
    patch(actions, actionsOf(order, token, {keepIt, receipt}));
    patch(leaving, token && order.actions.includes('cancel')
      ? el('button.button.plain', {type: 'button', onclick: (event) => askToCancel(event.currentTarget)},
        t('Cancel the order')) : null);
  }

  /** @param {HTMLElement} button */
  async function askToCancel(button) {
    question = new AbortController();
    const isSure = await askToConfirm(t('Cancel order {number}?', order),
      t('The kitchen has not accepted your order yet. A cancelled order can’t be restored.'),
      {yes: t('Cancel the order'), no: t('Keep it'), signal: question.signal});
    question = null;
    if (!isSure) return;
    await runBusy(button, async () => {
      draw(await cancel({path, token, get}, draw));
      // The pressed button has disappeared.
      container.querySelector('h1')?.focus({preventScroll: true});
      announce(t('The order is cancelled.'));
    });
  }

  async function receipt() {
    const {removeReceipt, printReceipt} = await loadPart('orders/receipt', () => import('./receipt.js'));
    removePrint = removeReceipt;
    await printReceipt(path, token);
  }

  async function keepIt() {
    keepOrder(order.id);
    // The button disappears, and the focus moves to the other buttons.
    draw(order);
    showToast(t('You’ll find it under “Your orders” from now on.'));
  }

  replaceChildren(container, el('article.order', {},
    header, el('h1', {tabindex: '-1'}, t('Order {number}', order)), due.node, zone, delay, state, actions,
    el('div.columns', {}, bill(order), order.customer ? customer(order) : null), leaving, help));
  draw(order);
  // The phone number is below everything else, so that nothing moves when it loads.
  read('/v1/shop')
    .then(({phone}) => phone && replaceChildren(help, t('Is something wrong?'), ' ', phoneLink(phone)), () => {});
  const clock = setInterval(() => due.draw(order), 1_000);
  const end = followOrder(order, get, draw);
  return () => {
    clearInterval(clock);
    question?.abort();
    end();
    removePrint();
  };
}

/** @param {HTMLElement} container @param {Route} route */
export function orderScreen(container, route) {
  setTitle(t('Your order'), {silent: route.isFirst});
  /** @type {string | null} */
  let token = null;
  /** @type {OrderPath} */
  const path = `/v1/orders/${route.id}`;
  const isFresh = sessionValues.load('fresh') === route.id;
  sessionValues.save('fresh', null);
  const get = () =>
    read(path, {token}).catch((problem) => (problem.status === 401 ? read(path) : Promise.reject(problem)));
  const drawWaiting = () =>
    replaceChildren(container, el('h1', {}, t('Your order')), el('p.quiet', {}, t('One moment…')));
  const end = loadScreen(container, route, drawWaiting, async () => {
    await ensureClockIsKnown();
    token = orderToken(route.id);
    const order = await get();
    return () => {
      setTitle(t('Order {number}', order), {silent: route.isFirst});
      return showOrder(container, order, {path, token, get, isFresh});
    };
  });
  return () => {
    end();
    // After an order the start page plays the animation again, as for a new guest.
    if (isFresh && (location.hash || '#/') === '#/') playIntro();
  };
}
