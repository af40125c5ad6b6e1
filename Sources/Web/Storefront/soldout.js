// What is sold out, and when it can be had again, in words. Used wherever a dish or a set is offered, and by staff.

import {now} from './clock.js';

const time = new Intl.DateTimeFormat(undefined, {timeStyle: 'short'});
const day = new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short'});

/** "back at 17:00" today, "back tomorrow at 4:00", else with its date. */
function back(until) {
  const at = new Date(until);
  const isDay = (offset) => at.toDateString() === new Date(now() + offset * 86_400_000).toDateString();
  return isDay(0) ? `back at ${time.format(at)}` : isDay(1) ? `back tomorrow at ${time.format(at)}` : `back on ${day.format(at)} at ${time.format(at)}`;
}

/** Of things that are wanted together, each with its `unavailable`: the one of which there are too few says, else the one that comes back last. */
export function soldOut(...things) {
  const some = things.map((one) => one.unavailable?.available).filter((available) => available > 0);
  if (some.length) return `Only ${Math.min(...some)} left`;
  const untils = things.filter((one) => !one.isAvailable).map((one) => one.unavailable?.until);
  return untils.every(Boolean) && untils.length ? `Sold out, ${back(untils.sort().at(-1))}` : 'Sold out';
}

/** "3 left", where there are few enough to say so; null elsewhere. */
export const few = ({left}) => (left > 0 && left <= 10 ? `${left} left` : null);
