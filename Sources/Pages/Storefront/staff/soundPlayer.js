// Plays tones that the browser generates, at the volume that the member has chosen.
// A browser plays nothing before the first tap; until then the page says that the sound is off.

import {el, replaceChildren} from '../parts/dom.js';
import {loadValue, saveValue} from '../parts/storage.js';

/** The volumes: the peak gain of a tone, and the label. */
const volumes = {
  quiet: {gain: 0.15, text: 'Quiet'},
  middle: {gain: 0.5, text: 'Medium'},
  loud: {gain: 1, text: 'Loud'},
};
const storageName = 'staff.volume';
/** @typedef {keyof typeof volumes} Volume */
/** @typedef {{frequency: number, wave?: OscillatorType, begin?: number}} Tone In hertz and seconds. */

/** @type {(name: string) => name is Volume} */
const isVolume = (name) => Object.hasOwn(volumes, name);

const storedVolume = loadValue(storageName);
/** @type {Volume} */
let selectedVolume = isVolume(storedVolume) ? storedVolume : 'middle';
/** @type {AudioContext | null} */
let context = null;

const isSoundOn = () => context?.state === 'running';

/** @param {AudioContext} audio @param {Tone} tone */
function playTone(audio, {frequency, wave = 'sine', begin = 0}) {
  const [oscillator, gain, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + begin];
  oscillator.type = wave;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(volumes[selectedVolume].gain, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.45);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.5);
}

/**
 * Plays tones. The document's event `rung` reports the sound.
 * @param {string} sound
 * @param {Tone[]} tones
 */
export function playTones(sound, tones) {
  if (!context || !isSoundOn()) return;
  for (const tone of tones) playTone(context, tone);
  document.dispatchEvent(new CustomEvent('rung', {detail: {sound}}));
}

/**
 * The controls of the sound: a button that turns it on, then the choice of the volume. `playSample` plays a sound as an
 * example.
 * @param {() => void} playSample
 */
export function soundControls(playSample) {
  const node = el('div.bell');
  const volume = el('select', {'aria-label': 'Volume', onchange: ({currentTarget}) => {
    if (!isVolume(currentTarget.value)) return;
    selectedVolume = currentTarget.value;
    saveValue(storageName, selectedVolume);
    playSample();
  }}, Object.entries(volumes).map(([value, {text}]) =>
    el('option', {value, selected: value === selectedVolume}, text)));
  const settings = el('details', {}, el('summary', {}, 'Sound is on'),
    el('div.row', {}, volume, el('button.button.plain', {type: 'button', onclick: playSample}, 'Test sound')));

  function update() {
    if (node.dataset.on === String(isSoundOn())) return;
    node.dataset.on = String(isSoundOn());
    const turnOn = () =>
      el('button.button.big', {type: 'button', onclick: enable}, 'Sound is off: tap to hear new orders');
    replaceChildren(node, isSoundOn() ? settings : turnOn());
  }

  async function enable() {
    context ??= new AudioContext();
    context.onstatechange = update;
    await context.resume();
    update();
    playSample();
  }

  update();
  return node;
}
