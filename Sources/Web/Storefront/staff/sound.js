// What this page plays: tones that the browser makes itself, as loud as somebody has chosen. A browser plays nothing before somebody has tapped the
// page; until then that is said. Used by bell.js.

import {el, fill} from '../dom.js';
import {keep, kept} from '../store.js';

/** How loud a tone gets, and what that is called. */
const volumes = {quiet: {most: 0.15, text: 'Quiet'}, middle: {most: 0.5, text: 'Medium'}, loud: {most: 1, text: 'Loud'}};
const name = 'staff.volume';
let chosen = volumes[kept(name)] ? kept(name) : 'middle';
let context = null;

const isOn = () => context?.state === 'running';

function tone({frequency, wave = 'sine', begin = 0}) {
  const [sound, volume, at] = [context.createOscillator(), context.createGain(), context.currentTime + begin];
  sound.type = wave;
  sound.frequency.value = frequency;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(volumes[chosen].most, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.45);
  sound.connect(volume).connect(context.destination);
  sound.start(at);
  sound.stop(at + 0.5);
}

/** Plays tones, each {frequency in hertz, wave, begin in seconds}, and tells what was played to whoever listens to the page. */
export function play(sound, tones) {
  if (!isOn()) return;
  tones.forEach(tone);
  document.dispatchEvent(new CustomEvent('rung', {detail: {sound}}));
}

/** The state of the sound in words, the tap that allows it, and then how loud it is; `trial` plays something. */
export function loudness(trial) {
  const node = el('div.bell');
  const volume = el('select', {'aria-label': 'Volume', onchange: () => {
    chosen = volume.value;
    keep(name, chosen);
    trial();
  }}, Object.entries(volumes).map(([value, {text}]) => el('option', {value, selected: value === chosen}, text)));
  const on = el('details', {}, el('summary', {}, 'Sound is on'),
    el('div.row', {}, volume, el('button.button.plain', {type: 'button', onclick: trial}, 'Test sound')));

  function draw() {
    if (node.dataset.on === String(isOn())) return;
    node.dataset.on = String(isOn());
    fill(node, isOn() ? on : el('button.button.big', {type: 'button', onclick: allow}, 'Sound is off: tap to hear new orders'));
  }

  async function allow() {
    context ??= new AudioContext();
    context.onstatechange = draw;
    await context.resume();
    draw();
    trial();
  }

  draw();
  return node;
}
