// The bill, and where the order is now: its number, when it comes, its lines, and its state as it moves. The link can be shared; who has it
// sees the order, and the guest's details only on the device that ordered. Read next: follow.js.

import {ask, read} from '../api.js';
import {addDish, addSale} from '../basket.js';
import {choiceOf, dishList} from '../chosen.js';
import {dueAt, now} from '../clock.js';
import {el, fill, icon, say} from '../dom.js';
import {follow} from '../follow.js';
import {playIntro} from '../intro.js';
import {doing, notice} from '../notice.js';
import {tokenOf} from '../placed.js';
import {question} from '../question.js';
import {go, title} from '../router.js';
import {keep, kept} from '../store.js';
import {totalRows} from '../totals.js';
import {loading} from './loading.js';

const steps = [
  ['placed', 'Placed', 'We have your order.'], ['accepted', 'Accepted', 'The kitchen has taken it on.'],
  ['preparing', 'Preparing', 'It is on the grill.'], ['on_the_way', 'On the way', 'The courier has it.'], ['delivered', 'Delivered', 'Enjoy your meal.'],
];
const ends = {
  cancelled: ['Cancelled', 'You have cancelled this order.'],
  rejected: ['Not accepted', 'We are sorry: the kitchen could not take this order.'],
};

function progress(order) {
  if (ends[order.state]) {
    const [name, text] = ends[order.state];
    return el('div.ended', {'data-state': order.state}, el('strong', {}, name), el('p', {}, text), order.rejectionReason ? el('p', {}, `“${order.rejectionReason}”`) : null);
  }
  const reached = steps.findIndex(([state]) => state === order.state);
  return el('ol.steps', {'data-state': order.state}, steps.map(([, name, text], index) => el(index < reached ? 'li.done' : index === reached ? 'li.now' : 'li', {
    'aria-current': index === reached ? 'step' : null,
  }, el('span.dot', {}, index <= reached ? icon('tick') : null), el('span', {}, name), index === reached ? el('small', {}, text) : null)));
}

const minutes = (many) => (many === 1 ? 'a minute' : many < 120 ? `${many} minutes` : `${Math.floor(many / 60)} hours`);

/** When it comes: what was promised for as long as that can be kept, and how late it is from then on. */
function promise(order) {
  const at = dueAt(order);
  const isToday = new Date(at).toDateString() === new Date(now()).toDateString();
  const clock = new Intl.DateTimeFormat(undefined, isToday ? {timeStyle: 'short'} : {dateStyle: 'medium', timeStyle: 'short'}).format(at);
  const left = (at - now()) / 60_000;
  if (left > 0) return {text: `At your door in about ${minutes(Math.max(1, Math.round(left)))}, by ${clock}.`, isLate: false};
  if (left > -3) return {text: `Any minute now: we promised it by ${clock}.`, isLate: true};
  return {text: `We are sorry: it is running late. It was promised by ${clock}, ${minutes(Math.floor(-left))} ago.`, isLate: true};
}

const bill = (order) => el('section.bill', {},
  el('h2', {}, 'The bill'),
  dishList(order), totalRows(order));

const customer = ({name, phone, email, address, comment}) => el('section.customer', {}, el('h2', {}, 'Delivered to'),
  el('dl', {}, [['Name', name], ['Phone', phone], ['Email', email], ['Address', address], ['Comment', comment]]
    .filter(([, value]) => value).map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value)))));

/** The units of a set, as they were. */
const unitsOf = (sale) => sale.items.flatMap(({menuItemId, note, quantity, options}) =>
  (note || options ? Array(quantity).fill({menuItemId, ...note ? {note} : {}, ...options ? {options: choiceOf(options)} : {}}) : []));

/** What this order held, into the basket, as far as it is still to be had. */
async function orderAgain(order) {
  const missing = [];
  const attempt = (name, work) => work.catch((problem) => {
    if (problem.code === undefined || problem.passes) throw problem;
    if (problem.code !== 'sale_already_in_basket') missing.push(name);
  });
  for (const line of order.lines) await attempt(line.title, addDish(line, line.quantity));
  for (const sale of order.sales) await attempt(sale.title, addSale(sale.salesGroupId, unitsOf(sale)));
  go('#/basket');
  const others = missing.length > 3 ? ` and ${missing.length - 2} more` : '';
  notice(missing.length ? `Not to be had today: ${missing.slice(0, others ? 2 : 3).join(', ')}${others}.` : 'It is all in the basket.', {isProblem: missing.length > 0});
}

export function orderScreen(place, route) {
  title('Your order', {silent: route.isFirst});
  const token = tokenOf(route.id);
  const path = `/v1/orders/${route.id}`;
  const isFresh = kept('fresh') === route.id;
  keep('fresh', null);
  const get = () => read(path, {token}).catch((problem) => (problem.status === 401 ? read(path) : Promise.reject(problem)));

  const load = async () => {
    let order = await get();
    return () => {
      const state = el('div.state', {'aria-live': 'polite'});
      const due = el('p.due');
      const actions = el('div.row.actions');
      const leaving = el('div.row.leaving');
      const draw = () => {
        fill(state, progress(order));
        drawDue();
        fill(actions,
          el('button.button', {type: 'button', onclick: (event) => doing(event.currentTarget, () => orderAgain(order))}, 'Order again'),
          el('button.button.plain', {type: 'button', onclick: (event) => doing(event.currentTarget, share)}, 'Copy the link'),
          el('a.button.plain', {href: '#/'}, 'Back to the start'));
        fill(leaving, token && order.actions.includes('cancel')
          ? el('button.button.plain', {type: 'button', onclick: (event) => askToCancel(event.currentTarget)}, 'Cancel the order') : null);
      };
      const drawDue = () => {
        const {text, isLate} = ends[order.state] || order.state === 'delivered' ? {text: '', isLate: false} : promise(order);
        if (due.textContent === text) return;
        // It is told aloud when it becomes late, and not with each minute.
        if (isLate && due.textContent && !due.classList.contains('late')) say(text);
        due.textContent = text;
        due.classList.toggle('late', isLate);
      };
      const askToCancel = async (button) => {
        const isSure = await question(`Cancel order ${order.number}?`, 'The kitchen has not taken it on yet. A cancelled order can’t be taken up again.', {yes: 'Cancel the order', no: 'Keep it'});
        if (isSure) await doing(button, cancel);
      };
      const cancel = async () => {
        try {
          order = (await ask('POST', `${path}/cancel`, {headers: {Authorization: `Bearer ${token}`}})).body;
        } catch (problem) {
          if (!problem.passes && problem.status !== 409) throw problem;
          // Nobody knows, or it is too late: the order itself tells.
          order = await get();
          draw();
          if (order.state !== 'cancelled') throw problem;
        }
        draw();
        // The button that was pressed is gone.
        place.querySelector('h1').focus({preventScroll: true});
        say('The order is cancelled.');
      };
      const share = async () => {
        await navigator.clipboard.writeText(location.href).then(() => notice('The link is copied.'), () => notice(location.href));
      };
      fill(place, el('article.order', {},
        el('p.quiet', {}, isFresh ? 'Thank you! Your order is in.' : 'Your order'),
        el('h1', {tabindex: '-1'}, `Order ${order.number}`), due, state, actions,
        el('div.columns', {}, bill(order), order.customer ? customer(order.customer) : null), leaving));
      title(`Order ${order.number}`, {silent: route.isFirst});
      draw();
      const clock = setInterval(drawDue, 1_000);
      const end = follow(order, get, (next) => {
        order = next;
        draw();
      });
      return () => {
        clearInterval(clock);
        end();
      };
    };
  };
  const end = loading(place, route, () => fill(place, el('h1', {}, 'Your order'), el('p.quiet', {}, 'One moment…')), load);
  return () => {
    end();
    // From the bill to the start, the next guest comes in, so to speak.
    if (isFresh && (location.hash || '#/') === '#/') playIntro();
  };
}
