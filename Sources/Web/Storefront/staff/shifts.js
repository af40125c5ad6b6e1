// The hours of one day, changed by staff: a dialog with a line for each shift. Used by shop.js.

import {el, icon} from '../dom.js';
import {askStaff, readStaff} from './door.js';
import {mayOverwrite} from './overwrite.js';

const minutesOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const textOf = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
/** What a clock shows: "02:00" for "26:00". */
const onClock = (text) => textOf(minutesOf(text) % 1440);

/** A shift in words: "18:00–02:00 next day, pickup". */
export const shiftText = ({opens, closes, fulfilment}) =>
  `${opens}–${closes === '24:00' ? closes : onClock(closes)}${minutesOf(closes) > 1440 ? ' next day' : ''}${fulfilment ? `, ${fulfilment}` : ''}`;

/** The shifts of both ways, those that both have as one. */
export function together(shifts) {
  const isLike = (one) => (other) => one.opens === other.opens && one.closes === other.closes && one.fulfilment !== other.fulfilment;
  return shifts.filter((one) => one.fulfilment !== 'pickup' || !shifts.some(isLike(one)))
    .map((one) => (shifts.some(isLike(one)) ? {...one, fulfilment: null} : one));
}

/** What staff read of a refusal: the rule, and how it is kept. */
export const told = (problem) => problem.errors[0]?.message ?? [problem.detail, problem.body.hint].filter(Boolean).join(' ');

/** Asks for the shifts of a date; `done` has the shop as it is then. */
export function askShifts(date, shifts, done) {
  const list = el('ul');
  const error = el('p.error', {role: 'alert'});
  const save = el('button.button', {type: 'submit'}, 'Save');
  const another = el('button.button.plain', {type: 'button', onclick: () => line({opens: '18:00', closes: '22:00', fulfilment: null}).querySelector('input').focus()}, 'Another shift');
  const dialog = el('dialog.asking.shifts', {'aria-labelledby': 'shifts', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'shifts'}, 'Open today'), el('p.hint', {}, 'In the shop’s time zone. A closing time before the opening time is on the next day.'), list, error,
      el('div.row', {}, save, another, el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  function line({opens, closes, fulfilment}) {
    const kind = el('select', {'aria-label': 'For'}, [['', 'Delivery and pickup'], ['delivery', 'Delivery'], ['pickup', 'Pickup']]
      .map(([value, text]) => el('option', {value, selected: value === (fulfilment ?? '')}, text)));
    const node = el('li.shift', {},
      el('input', {type: 'time', 'aria-label': 'Opens', value: opens}), el('input', {type: 'time', 'aria-label': 'Closes', value: onClock(closes)}), kind,
      el('button.round', {type: 'button', 'aria-label': 'Remove this shift', onclick: () => {
        node.remove();
        another.focus();
      }}, icon('bin')));
    list.append(node);
    return node;
  }

  const typed = () => [...list.children].map((node) => {
    const [opens, closes, fulfilment] = [...node.querySelectorAll('input, select')].map(({value}) => value);
    const isNextDay = opens && closes && minutesOf(closes) <= minutesOf(opens);
    return {opens, closes: isNextDay ? textOf(minutesOf(closes) + 1440) : closes, fulfilment: fulfilment || null};
  });

  async function submit(event) {
    event.preventDefault();
    if (save.getAttribute('aria-busy') === 'true') return;
    const wanted = typed();
    if (!wanted.length) return refuse('To close for the day, use the button “Closed today”.');
    if (wanted.some(({opens, closes}) => !opens || !closes)) return refuse('Each shift needs an opening and a closing time, such as 18:00 and 22:00.');
    save.setAttribute('aria-busy', 'true');
    try {
      const now = await readStaff('/v1/staff/shop');
      const theirs = together(now.hours);
      const isChanged = now.today === date && JSON.stringify(theirs) !== JSON.stringify(shifts);
      const words = theirs.length ? `Open today: ${theirs.map(shiftText).join('; ')}.` : 'Closed today.';
      if (!await mayOverwrite(isChanged, words)) return dialog.close();
      done(await askStaff('PUT', `/v1/staff/hours/${date}`, {shifts: wanted}));
      dialog.close();
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(told(problem));
    } finally {
      save.removeAttribute('aria-busy');
    }
    return undefined;
  }

  function refuse(why) {
    error.textContent = why;
    list.querySelector('input')?.focus();
  }

  for (const shift of shifts.length ? shifts : [{opens: '11:00', closes: '22:00', fulfilment: null}]) line(shift);
  document.body.append(dialog);
  dialog.showModal();
  list.querySelector('input').focus();
}
