// Orders per hour as bars, drawn by hand, with the same in words for those who don't see it. Used by figures.js.

import {el} from '../dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const [width, height, foot, head, side] = [720, 220, 32, 30, 4];

function draw(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

const hour = (index) => `${String(index).padStart(2, '0')}:00`;

/** What the bars say, as a sentence. */
export function chartWords(perHour) {
  const some = perHour.flatMap((many, index) => (many ? [`${hour(index)}: ${many}`] : []));
  return some.length ? `Orders per hour. ${some.join(', ')}.` : 'Orders per hour: none so far today.';
}

/** The chart of 24 numbers. */
export function hoursChart(perHour) {
  const most = Math.max(1, ...perHour);
  const step = (width - 2 * side) / perHour.length;
  const room = height - foot - head;
  const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, width, height, class: 'chart', role: 'img', 'aria-label': chartWords(perHour)});
  svg.append(draw('line', {x1: 0, x2: width, y1: height - foot, y2: height - foot, class: 'ground'}));
  perHour.forEach((many, index) => {
    const x = side + index * step;
    const tall = Math.max(many ? 4 : 0, Math.round((many / most) * room));
    if (many) {
      svg.append(draw('rect', {x: x + step * 0.14, y: height - foot - tall, width: step * 0.72, height: tall, rx: 4, class: many === most ? 'amount most' : 'amount'}));
      svg.append(draw('text', {x: x + step / 2, y: height - foot - tall - 7, class: 'value'}, String(many)));
    }
    if (index % 3 === 0) svg.append(draw('text', {x: x + step / 2, y: height - 8, class: 'hour'}, String(index).padStart(2, '0')));
  });
  const busiest = perHour.indexOf(Math.max(...perHour));
  return el('figure.hours', {}, svg,
    el('figcaption.quiet', {}, perHour.some(Boolean) ? `Orders per hour; the busiest began at ${hour(busiest)}.` : 'Orders per hour: none so far today.'));
}
