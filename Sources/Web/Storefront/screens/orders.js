// The orders that were placed from this device.

import {el, fill} from '../dom.js';
import {placedOrders} from '../placed.js';
import {title} from '../router.js';

export function ordersScreen(place, route) {
  title('Your orders', {silent: route.isFirst});
  const orders = placedOrders();
  const when = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'short'});
  fill(place, el('h1', {}, 'Your orders'),
    orders.length
      ? el('ul.orders', {}, orders.map((order) => el('li', {}, el('a', {href: `#/orders/${order.id}`}, `Order ${order.number}`), el('span.quiet', {}, when.format(new Date(order.at))))))
      : el('p.empty', {}, 'Nothing was ordered from this device yet.'),
    orders.length ? null : el('p', {}, el('a.button.big', {href: '#/menu'}, 'See the menu')));
}
