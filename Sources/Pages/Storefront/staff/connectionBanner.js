// Shows in the banner that the orders are not live or that a read fails, and sounds the alarm.

import {Problem} from '../parts/api.js';
import {replaceChildren} from '../parts/dom.js';
import {setAlarm} from './boardSounds.js';

/**
 * For how many milliseconds the stream may be down before the banner says so. Most streams return earlier after a
 * restart of the server.
 */
const streamTolerance = 1_500;
/** How many milliseconds a read may take, and how many reads in a row may fail, before the banner says so. */
const readTolerance = 3_000;
const maximumReadFailures = 2;

/** After how many milliseconds a read that failed is repeated. */
export const retryDelay = 1_000;

const streamText = () => (navigator.onLine === false
  ? 'This device is offline: new orders may be missing here.'
  : 'Not connected: new orders may be missing here. We keep trying.');

/** @type {HTMLElement | null} */
let banner = null;
let streamTimer = 0, isStreamDown = false;
/**
 * The failing read monitors, each with the name that the banner uses for its data.
 * @type {Map<object, string>}
 */
const failingReads = new Map();

function readText() {
  const names = [...new Set(failingReads.values())];
  if (!names.length) return '';
  if (names.includes('orders')) return 'The orders can’t be loaded: some may be missing here. We keep trying.';
  return `The ${names.join(' and the ')} can’t be loaded: what you see may be out of date. We keep trying.`;
}

function update() {
  const text = isStreamDown ? streamText() : readText();
  // Written only if it changes, because screen readers announce each write.
  if (banner && banner.textContent !== text) replaceChildren(banner, text);
  banner?.classList.toggle('shown', Boolean(text));
  setAlarm(Boolean(text));
}

/** @param {boolean} isDown */
function setStreamDown(isDown) {
  clearTimeout(streamTimer);
  streamTimer = 0;
  isStreamDown = isDown;
  update();
}

/**
 * Shows the banner in this node.
 * @param {HTMLElement} node
 */
export function startConnectionBanner(node) {
  banner = node;
  update();
}

/**
 * Reports whether the event stream runs. With `wasSilent` the banner appears at once, because the stream has already
 * waited for data.
 * @param {boolean} isLive
 * @param {import('./eventStream.js').StreamDetails} details
 */
export function reportStreamState(isLive, {wasSilent = false} = {}) {
  if (isLive) setStreamDown(false);
  else if (wasSilent || isStreamDown) setStreamDown(true);
  else streamTimer ||= setTimeout(() => setStreamDown(true), streamTolerance);
}

/**
 * Monitors the reads of one part of the page; the banner calls it `name`. Call `begin` when a read is needed. Call
 * `end` after each attempt, with true if it succeeded.
 * @param {string} name
 */
export function monitorReads(name) {
  const monitor = {};
  let timer = 0, failureCount = 0;

  function reportFailure() {
    failingReads.set(monitor, name);
    update();
  }

  function begin() { timer ||= setTimeout(reportFailure, readTolerance); }

  /** @param {boolean} isSuccess */
  function end(isSuccess) {
    if (!isSuccess) {
      failureCount += 1;
      if (failureCount >= maximumReadFailures) reportFailure();
      return;
    }
    clearTimeout(timer);
    [timer, failureCount] = [0, 0];
    failingReads.delete(monitor);
    update();
  }

  return Object.assign(monitor, {
    begin, end,
    /** Whether the last attempt failed; then the read is repeated even while the page is hidden. */
    isFailing: () => failureCount > 0,
    /**
     * Makes one attempt; returns the problem, or null if it succeeded.
     * @param {() => unknown} work
     */
    async attempt(work) {
      begin();
      try {
        await work();
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        end(false);
        return problem;
      }
      end(true);
      return null;
    },
  });
}
