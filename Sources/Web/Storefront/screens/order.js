// The bill, and where the order is now: its number, when it comes, its lines, and its state as it moves. The link can be shared; who has it
// sees the order, and the guest's details only on the device that ordered. Read next: follow.js.

import {ask, read} from '../api.js';
import {addItem, addSale} from '../basket.js';
import {el, fill, icon, say} from '../dom.js';
import {follow} from '../follow.js';
import {playIntro} from '../intro.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {tokenOf} from '../placed.js';
import {go, title} from '../router.js';
import {keep, kept} from '../store.js';
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

const bill = (order) => el('section.bill', {},
  el('h2', {}, 'The bill'),
  el('ul', {}, order.lines.map((line) => el('li', {}, el('span', {}, `${line.quantity} × ${line.title}`), el('span', {}, money(line.total, order.currency)))),
    order.sales.map((sale) => el('li', {}, el('span', {}, sale.title, el('small', {}, sale.items.map((item) => `${item.quantity} × ${item.title}`).join(', '))), el('span', {}, money(sale.total, order.currency))))),
  order.discount ? el('p', {}, el('span', {}, 'Before'), el('s', {}, money(order.subtotal, order.currency))) : null,
  order.discount ? el('p.saved', {}, el('span', {}, `Coupon ${order.coupon ?? ''}`), el('span', {}, money(-order.discount, order.currency))) : null,
  el('p.total', {}, el('span', {}, 'Total'), el('strong', {}, money(order.total, order.currency))));

const customer = ({name, phone, email, address, comment}) => el('section.customer', {}, el('h2', {}, 'Delivered to'),
  el('dl', {}, [['Name', name], ['Phone', phone], ['Email', email], ['Address', address], ['Comment', comment]]
    .filter(([, value]) => value).map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value)))));

/** What this order held, into the basket, as far as it is still to be had. */
async function orderAgain(order) {
  const missing = [];
  const attempt = (name, work) => work.catch((problem) => {
    if (problem.code === undefined || problem.passes) throw problem;
    if (problem.code !== 'sale_already_in_basket') missing.push(name);
  });
  for (const line of order.lines) await attempt(line.title, addItem(line.menuItemId, line.quantity));
  for (const sale of order.sales) await attempt(sale.title, addSale(sale.salesGroupId));
  go('#/basket');
  notice(missing.length ? `Not to be had today: ${missing.join(', ')}.` : 'It is all in the basket.', {isProblem: missing.length > 0});
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
      const draw = () => {
        const at = new Date(new Date(order.placedAt).getTime() + order.etaMinutes * 60_000);
        const isOpen = !ends[order.state] && order.state !== 'delivered';
        fill(state, progress(order));
        fill(due, isOpen ? `At your door in about ${order.etaMinutes} minutes, by ${new Intl.DateTimeFormat(undefined, {timeStyle: 'short'}).format(at)}.` : '');
        fill(actions,
          el('button.button', {type: 'button', onclick: (event) => doing(event.currentTarget, () => orderAgain(order))}, 'Order again'),
          token && order.actions.includes('cancel') ? el('button.button.plain', {type: 'button', onclick: (event) => doing(event.currentTarget, cancel)}, 'Cancel the order') : null,
          el('button.button.plain', {type: 'button', onclick: (event) => doing(event.currentTarget, share)}, 'Copy the link'),
          el('a.button.plain', {href: '#/'}, 'Back to the start'));
      };
      const cancel = async () => {
        order = (await ask('POST', `${path}/cancel`, {headers: {Authorization: `Bearer ${token}`}})).body;
        draw();
        say('The order is cancelled.');
      };
      const share = async () => {
        await navigator.clipboard.writeText(location.href).then(() => notice('The link is copied.'), () => notice(location.href));
      };
      fill(place, el('article.order', {},
        el('p.quiet', {}, isFresh ? 'Thank you! Your order is in.' : 'Your order'),
        el('h1', {tabindex: '-1'}, `Order ${order.number}`), due, state, actions,
        el('div.columns', {}, bill(order), order.customer ? customer(order.customer) : null)));
      title(`Order ${order.number}`, {silent: route.isFirst});
      draw();
      return follow(order, get, (next) => {
        order = next;
        draw();
      });
    };
  };
  const end = loading(place, route, () => fill(place, el('h1', {}, 'Your order'), el('p.quiet', {}, 'One moment…')), load);
  return () => {
    end();
    // From the bill to the start, the next guest comes in, so to speak.
    if (isFresh && (location.hash || '#/') === '#/') playIntro();
  };
}
