// New orders are heard until somebody accepts them: two tones that the browser makes itself, again every four seconds; and the tab's title takes
// turns. A browser plays nothing before somebody has tapped the page; until then that is said. Used by board.js.

import {el, fill} from '../dom.js';

let context = null, waiting = 0, timer = 0;
const isStill = matchMedia('(prefers-reduced-motion: reduce)');
const node = el('p.bell');

const isOn = () => context?.state === 'running';

/** The state of the sound in words, and the tap that allows it. */
function draw() {
  if (node.dataset.on === String(isOn())) return;
  node.dataset.on = String(isOn());
  fill(node, isOn() ? el('span.quiet', {}, 'Sound is on') : el('button.button.big', {type: 'button', onclick: allow}, 'Sound is off: tap to hear new orders'));
}

async function allow() {
  context ??= new AudioContext();
  context.onstatechange = draw;
  await context.resume();
  draw();
  ring();
}

function tone(frequency, begin) {
  const [sound, volume] = [context.createOscillator(), context.createGain()];
  sound.frequency.value = frequency;
  volume.gain.setValueAtTime(0.0001, begin);
  volume.gain.exponentialRampToValueAtTime(0.5, begin + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.45);
  sound.connect(volume).connect(context.destination);
  sound.start(begin);
  sound.stop(begin + 0.5);
}

/** Plays it, and tells what was played to whoever listens to the page. */
function ring() {
  if (!isOn()) return;
  tone(880, context.currentTime);
  tone(1175, context.currentTime + 0.25);
  node.dataset.rung = String(Number(node.dataset.rung ?? 0) + 1);
  document.dispatchEvent(new CustomEvent('rung', {detail: {waiting}}));
}

/** The title that tells of new orders, every other second; where nothing is to move, all the time. */
let isTold = false, own = document.title;
setInterval(() => {
  isTold = waiting > 0 && (isStill.matches || !isTold);
  const title = isTold ? `● ${waiting} new` : own;
  if (document.title !== title) document.title = title;
}, 1_000);

/** Where the sound's state stands. */
export const bell = () => {
  draw();
  return node;
};

/** So many orders wait for somebody to accept them; the page's title has just been written. */
export function waits(many) {
  if (!document.title.startsWith('●')) own = document.title;
  const isMore = many > waiting;
  waiting = many;
  if (isMore) {
    clearInterval(timer);
    timer = setInterval(ring, 4_000);
    ring();
  }
  if (!many) clearInterval(timer);
}
