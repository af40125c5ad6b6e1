// The basket: single dishes and sets apart, plus, minus, remove, and what it all costs. Each change is the server's answer, drawn anew;
// the focus stays on the button that was pressed, or goes to the heading when its line is gone.

import {basket, clearBasket, decrement, increment, refresh, removeItem, removeSale} from '../basket.js';
import {el, fill, icon} from '../dom.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {prices} from '../prices.js';
import {title} from '../router.js';

const tool = (name, label, key, work, disabled = false) => el('button.round', {
  type: 'button', 'aria-label': label, 'data-key': key, 'aria-disabled': disabled ? 'true' : null,
  onclick: (event) => !disabled && doing(event.currentTarget, work),
}, icon(name));

function line(entry, currency) {
  const {menuItemId: id, title: name, quantity} = entry;
  return el('li.line', {'data-line': id},
    el('div.what', {},
      el('a', {href: `#/items/${id}`}, name),
      prices(entry.unitPrice, entry.regularUnitPrice, currency),
      entry.previousUnitPrice == null ? null : el('p.warn', {}, `The price has changed: ${money(entry.previousUnitPrice, currency)} → ${money(entry.unitPrice, currency)}`),
      entry.isAvailable ? null : el('p.warn', {}, 'Sold out: please take it out of the basket.')),
    el('div.steps', {role: 'group', 'aria-label': `How many ${name}`},
      tool('minus', `One ${name} less`, `minus ${id}`, () => decrement(id)),
      el('span.quantity', {}, el('span.unseen', {}, 'Quantity '), String(quantity)),
      tool('plus', `One ${name} more`, `plus ${id}`, () => increment(id), quantity >= 99)),
    el('strong.sum', {}, money(entry.total, currency)),
    tool('bin', `Remove ${name}`, `bin ${id}`, async () => {
      await removeItem(id);
      notice(`${name} is out of the basket.`);
    }));
}

function set(entry, currency) {
  return el('li.line.set', {'data-set': entry.salesGroupId},
    el('div.what', {},
      el('a', {href: `#/sales/${entry.salesGroupId}`}, entry.title),
      el('ul', {}, entry.items.map((item) => el('li', {}, `${item.quantity} × ${item.title}`))),
      entry.isAvailable ? null : el('p.warn', {}, 'Something in this set is sold out: please take it out.')),
    el('strong.sum', {}, money(entry.total, currency)),
    tool('bin', `Remove ${entry.title}`, `bin set ${entry.salesGroupId}`, async () => {
      await removeSale(entry.salesGroupId);
      notice(`${entry.title} is out of the basket.`);
    }));
}

function content(now) {
  if (!now || now.totalCount === 0) {
    return [
      el('p.empty', {}, 'Nothing in it yet. A basket likes company.'),
      el('p', {}, el('a.button.big', {href: '#/menu'}, 'See the menu')),
    ];
  }
  const {currency} = now;
  return [
    now.lines.length ? el('section', {'aria-labelledby': 'dishes'}, el('h2', {id: 'dishes'}, 'Dishes'),
      el('ul.lines', {}, now.lines.map((entry) => line(entry, currency)))) : null,
    now.sales.length ? el('section', {'aria-labelledby': 'sets'}, el('h2', {id: 'sets'}, 'Sets'),
      el('ul.lines', {}, now.sales.map((entry) => set(entry, currency)))) : null,
    el('div.totals', {},
      el('p.total', {}, el('span', {}, 'Total'), el('strong', {id: 'total'}, money(now.total, currency))),
      el('div.row', {},
        el('a.button.big', {href: '#/checkout'}, 'To the checkout'),
        el('button.button.plain', {type: 'button', 'data-key': 'clear', onclick: (event) => doing(event.currentTarget, async () => {
          await clearBasket();
          notice('The basket is empty.');
        })}, 'Empty the basket'))),
  ];
}

export function basketScreen(place, route) {
  title('Basket', {silent: route.isFirst});
  const heading = el('h1', {tabindex: '-1'}, 'Your basket');
  const body = el('div.basket');
  fill(place, heading, body);
  const draw = () => {
    const key = body.contains(document.activeElement) ? document.activeElement.dataset.key ?? '' : null;
    fill(body, content(basket.value));
    if (key === null) return;
    (body.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? heading).focus({preventScroll: true});
  };
  if (basket.value) draw();
  else body.append(el('p.quiet', {}, 'One moment…'));
  refresh().then(draw, (problem) => {
    if (!basket.value) fill(body, el('p.warn', {role: 'alert'}, `${problem.detail ?? 'Something went wrong.'} Your basket is kept.`));
  });
  return basket.watch(draw);
}
