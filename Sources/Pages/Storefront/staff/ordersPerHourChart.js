// A bar chart of the orders per hour as SVG, with the same numbers in words for screen readers.

import {el} from '../parts/dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const [width, height, bottomMargin, topMargin, sideMargin] = [720, 220, 32, 30, 4];

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function svgElement(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

/** @param {number} hour */
const hourText = (hour) => `${String(hour).padStart(2, '0')}:00`;

/**
 * The numbers of the chart as a sentence.
 * @param {number[]} ordersPerHour
 */
function chartDescription(ordersPerHour) {
  const hours = ordersPerHour.flatMap((count, hour) => (count ? [`${hourText(hour)}: ${count}`] : []));
  return hours.length ? `Orders per hour. ${hours.join(', ')}.` : 'Orders per hour: none so far today.';
}

/**
 * The chart of 24 numbers.
 * @param {number[]} ordersPerHour
 */
export function ordersPerHourChart(ordersPerHour) {
  const maximum = Math.max(1, ...ordersPerHour);
  const step = (width - 2 * sideMargin) / ordersPerHour.length;
  const baseline = height - bottomMargin;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, class: 'chart', role: 'img',
    'aria-label': chartDescription(ordersPerHour),
  });
  svg.append(svgElement('line', {x1: 0, x2: width, y1: baseline, y2: baseline, class: 'ground'}));
  ordersPerHour.forEach((count, hour) => {
    const x = sideMargin + hour * step;
    const barHeight = Math.max(count ? 4 : 0, Math.round((count / maximum) * (baseline - topMargin)));
    if (count) {
      svg.append(svgElement('rect', {
        x: x + step * 0.14, y: baseline - barHeight, width: step * 0.72, height: barHeight, rx: 4,
        class: count === maximum ? 'amount most' : 'amount',
      }));
      svg.append(svgElement('text', {x: x + step / 2, y: baseline - barHeight - 7, class: 'value'}, String(count)));
    }
    if (hour % 3 === 0) {
      svg.append(svgElement('text', {x: x + step / 2, y: height - 8, class: 'hour'}, String(hour).padStart(2, '0')));
    }
  });
  const busiest = ordersPerHour.indexOf(Math.max(...ordersPerHour));
  const caption = ordersPerHour.some(Boolean)
    ? `Orders per hour; the busiest began at ${hourText(busiest)}.` : 'Orders per hour: none so far today.';
  return el('figure.hours', {}, svg, el('figcaption.quiet', {}, caption));
}
