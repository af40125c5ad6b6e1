// The sounds of the page. Two repeat every four seconds: new orders until they are accepted, and an alarm while new
// orders may be missing. Other arrivals and missed orders sound once. The tab's title alternates while orders are new.

import {playTones, soundControls} from './soundPlayer.js';

const repeatInterval = 4_000;
/** @typedef {'order' | 'silence' | 'missed'} SoundName */
/** @type {Record<SoundName, import('./soundPlayer.js').Tone[]>} */
const sounds = {
  order: [{frequency: 880}, {frequency: 1175, begin: 0.25}],
  // A square wave, because a tablet's speaker does not play a low sine.
  silence: [{frequency: 220, wave: 'square'}, {frequency: 165, wave: 'square', begin: 0.4}],
  missed: [{frequency: 784}, {frequency: 587, begin: 0.25}, {frequency: 392, begin: 0.5}],
};
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * A sound that repeats until it is stopped.
 * @param {SoundName} name
 */
function repeatingSound(name) {
  const ring = () => playTones(name, sounds[name]);
  let timer = 0;
  return {
    /** Plays the sound now and after each interval. */
    start() {
      clearInterval(timer);
      timer = setInterval(ring, repeatInterval);
      ring();
    },
    stop() { clearInterval(timer); },
  };
}

const [orderRing, alarm] = [repeatingSound('order'), repeatingSound('silence')];
/**
 * The numbers of the orders that ring.
 * @type {Set<string>}
 */
let waiting = new Set();
let isAlarmOn = false;

const chime = () => playTones('order', sounds.order);

/** Shows the number of new orders in the title every other second, or permanently if reduced motion is preferred. */
let isCountShown = false, normalTitle = document.title;
setInterval(() => {
  isCountShown = waiting.size > 0 && (reducedMotion.matches || !isCountShown);
  const title = isCountShown ? `● ${waiting.size} new` : normalTitle;
  if (document.title !== title) document.title = title;
}, 1_000);

/** The controls of the sound, with the order chime as the test sound. */
export const orderSoundControls = () => soundControls(chime);

/** The maximum number of chimes for orders that enter together, and the milliseconds between two chimes. */
const [maximumChimes, chimeDistance] = [5, 700];

/**
 * Rings for orders: for those in `numbers` until a later call omits them, and for those in `entered` once. Call it
 * directly after setting the page's title.
 * @param {string[]} numbers
 * @param {string[]} entered
 */
export function ringForOrders(numbers, entered) {
  if (!document.title.startsWith('●')) normalTitle = document.title;
  const fresh = new Set([...entered, ...numbers.filter((number) => !waiting.has(number))]);
  waiting = new Set(numbers);
  if (waiting.size && fresh.size) orderRing.start();
  else if (fresh.size) chime();
  if (!waiting.size) orderRing.stop();
  for (let n = 1; n < Math.min(fresh.size, maximumChimes); n += 1) setTimeout(chime, n * chimeDistance);
}

/** Plays the sound of orders that were rejected because they were not accepted in time. */
export const playMissedSound = () => playTones('missed', sounds.missed);

/**
 * Turns the alarm on or off. It sounds while new orders may be missing on the page.
 * @param {boolean} isOn
 */
export function setAlarm(isOn) {
  if (isOn === isAlarmOn) return;
  isAlarmOn = isOn;
  if (isOn) alarm.start();
  else alarm.stop();
}
