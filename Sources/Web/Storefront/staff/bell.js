// What is heard: new orders until somebody accepts them, and a low alarm for as long as the page is not live, each again every four seconds; once, an
// order that enters the board in another state or becomes due, and that some were missed. The tab's title tells of new orders too, by turns.

import {loudness, play} from './sound.js';

const again = 4_000;
const sounds = {
  order: [{frequency: 880}, {frequency: 1175, begin: 0.25}],
  // Square, for a tablet's speaker has no low sine.
  silence: [{frequency: 220, wave: 'square'}, {frequency: 165, wave: 'square', begin: 0.4}],
  missed: [{frequency: 784}, {frequency: 587, begin: 0.25}, {frequency: 392, begin: 0.5}],
};
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

/** A sound that goes on until it is stopped. */
function repeated(name) {
  const ring = () => play(name, sounds[name]);
  let timer = 0;
  return {
    /** Plays it now, and then again and again. */
    start() {
      clearInterval(timer);
      timer = setInterval(ring, again);
      ring();
    },
    stop() { clearInterval(timer); },
  };
}

const [calling, alarm] = [repeated('order'), repeated('silence')];
let waiting = new Set(), isSilent = false;

const chime = () => play('order', sounds.order);

/** The title that tells of new orders, every other second; where nothing is to move, all the time. */
let isTold = false, own = document.title;
setInterval(() => {
  isTold = waiting.size > 0 && (isStill.matches || !isTold);
  const title = isTold ? `● ${waiting.size} new` : own;
  if (document.title !== title) document.title = title;
}, 1_000);

/** Where the sound's state stands. */
export const bell = () => loudness(chime);

/** How many chimes follow one another when orders enter together, and how long after one the next begins. */
const [mostChimes, chimeDistance] = [5, 700];

/** Rings for orders. Those of `numbers` ring again and again until they are left out, and once when they are new among
 *  them; those of `entered` ring once. Called when the page's title has just been written. */
export function ringFor(numbers, entered) {
  if (!document.title.startsWith('●')) own = document.title;
  const fresh = new Set([...entered, ...numbers.filter((number) => !waiting.has(number))]);
  waiting = new Set(numbers);
  if (waiting.size && fresh.size) calling.start();
  else if (fresh.size) chime();
  if (!waiting.size) calling.stop();
  for (let n = 1; n < Math.min(fresh.size, mostChimes); n += 1) setTimeout(chime, n * chimeDistance);
}

/** Some were rejected, for nobody accepted them in time. */
export const missed = () => play('missed', sounds.missed);

/** Whether orders may have come that nobody sees here. */
export function silence(is) {
  if (is === isSilent) return;
  isSilent = is;
  if (is) alarm.start();
  else alarm.stop();
}
