// The shop's day in figures: orders, revenue, the hours and what sells. Read again after each order that comes or moves, two seconds later
// at the most, and every minute besides. Read next: chart.js.

import {el} from '../dom.js';
import {money} from '../money.js';
import {patch} from '../parts/patch.js';
import {hoursChart} from './chart.js';
import {retryAfter, watchReads} from './connection.js';
import {readStaff} from './door.js';
import {orders} from './orders.js';

const figure = (name, value, id) => el('div.figure', {'data-figure': id}, el('dt', {}, name), el('dd', {}, value));

function content(day) {
  const {orders: many, topItems} = day;
  const open = many.placed + many.accepted + many.preparing + many.on_the_way;
  const date = new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeZone: 'UTC'}).format(new Date(`${day.date}T00:00:00Z`));
  return [
    el('p.quiet', {}, `${date}, in the time zone ${day.timeZone.replaceAll('_', ' ')}`),
    el('dl.figures', {},
      figure('Orders', String(many.total), 'total'), figure('Revenue', day.revenues.map((one) => money(one.revenue, one)).join(' + '), 'revenue'),
      figure('Open now', String(open), 'open'), figure('Delivered', String(many.delivered), 'delivered'),
      figure('Cancelled', String(many.cancelled), 'cancelled'), figure('Rejected', String(many.rejected), 'rejected')),
    el('section', {'aria-labelledby': 'by-hour'}, el('h2', {id: 'by-hour'}, 'By hour'), hoursChart(day.ordersPerHour)),
    el('section', {'aria-labelledby': 'top'}, el('h2', {id: 'top'}, 'Top sellers'),
      topItems.length
        ? el('ol.top-items', {}, topItems.map((item) => el('li', {}, el('b', {}, `${item.quantity} ×`), el('span', {}, item.title), el('span.sum', {}, money(item.revenue, item)))))
        : el('p.quiet', {}, 'No sales yet today.')),
  ];
}

/** The tab. */
export function figures() {
  const place = el('div.day', {}, el('p.quiet', {}, 'One moment…'));
  const reads = watchReads('figures of today');
  let timer = 0, shown = null, isAsking = false;

  async function look() {
    if (isAsking) return;
    isAsking = true;
    let wait = 60_000;
    try {
      const problem = await reads.attempt(readFigures);
      if (problem && shown === null) patch(place, el('p.warn', {}, `${problem.detail} We keep trying.`));
      if (problem) wait = retryAfter;
    } finally {
      isAsking = false;
      soon(wait);
    }
  }

  async function readFigures() {
    const day = await readStaff('/v1/staff/today');
    const {asOf, ...rest} = day;
    const state = JSON.stringify(rest);
    if (state !== shown) patch(place, content(day));
    shown = state;
  }

  function soon(wait) {
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  }

  orders.watch(() => soon(500));
  look();
  return {title: 'Today', nodes: [place]};
}
