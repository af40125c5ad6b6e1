// The Today tab: orders, revenue, orders per hour and top sellers of the business day.
// Reloads 500 ms after the orders change, and every minute.

import {el} from '../parts/dom.js';
import {money} from '../parts/money.js';
import {patch} from '../parts/patch.js';
import {readAsStaff} from './authentication.js';
import {boardOrders} from './boardOrders.js';
import {monitorReads, retryDelay} from './connectionBanner.js';
import {ordersPerHourChart} from './ordersPerHourChart.js';
import {openStates} from './orderStates.js';

/** @param {string} label @param {string} value @param {string} id */
const figure = (label, value, id) => el('div.figure', {'data-figure': id}, el('dt', {}, label), el('dd', {}, value));

/** @param {API.Today} day */
function content(day) {
  const {orders: counts, topItems} = day;
  const openCount = openStates.reduce((sum, state) => sum + counts[state], 0);
  const date = new Intl.DateTimeFormat(undefined, {dateStyle: 'full', timeZone: 'UTC'})
    .format(new Date(`${day.date}T00:00:00Z`));
  const revenue = day.revenues.map((sum) => money(sum.revenue, sum)).join(' + ');
  /** @param {API.Today['topItems'][number]} item */
  const topItem = (item) => el('li', {}, el('b', {}, `${item.quantity} ×`),
    el('span', {}, item.title), el('span.sum', {}, money(item.revenue, item)));
  return [
    el('p.quiet', {}, `${date}, in the time zone ${day.timeZone.replaceAll('_', ' ')}`),
    el('dl.figures', {},
      figure('Orders', String(counts.total), 'total'), figure('Revenue', revenue, 'revenue'),
      figure('Open now', String(openCount), 'open'), figure('Delivered', String(counts.delivered), 'delivered'),
      figure('Cancelled', String(counts.cancelled), 'cancelled'),
      figure('Rejected', String(counts.rejected), 'rejected')),
    el('section', {'aria-labelledby': 'by-hour'},
      el('h2', {id: 'by-hour'}, 'By hour'), ordersPerHourChart(day.ordersPerHour)),
    el('section', {'aria-labelledby': 'top'}, el('h2', {id: 'top'}, 'Top sellers'),
      topItems.length
        ? el('ol.top-items', {}, topItems.map(topItem))
        : el('p.quiet', {}, 'No sales yet today.')),
  ];
}

/** The Today tab. */
export function todayTab() {
  const node = el('div.day', {}, el('p.quiet', {}, 'One moment…'));
  const reads = monitorReads('figures of today');
  let timer = 0, isReading = false;
  /** @type {string | null} */
  let shownState = null;

  async function update() {
    if (isReading) return;
    isReading = true;
    let delay = 60_000;
    try {
      const problem = await reads.attempt(readFigures);
      if (problem && shownState === null) patch(node, el('p.warn', {}, `${problem.detail} We keep trying.`));
      if (problem) delay = retryDelay;
    } finally {
      isReading = false;
      updateIn(delay);
    }
  }

  async function readFigures() {
    const day = await readAsStaff('/v1/staff/today');
    const {asOf, ...rest} = day;
    const state = JSON.stringify(rest);
    if (state !== shownState) patch(node, content(day));
    shownState = state;
  }

  /** @param {number} delay */
  function updateIn(delay) {
    clearTimeout(timer);
    timer = setTimeout(update, delay);
  }

  boardOrders.watch(() => updateIn(500));
  void update();
  return {title: 'Today', nodes: [node]};
}
