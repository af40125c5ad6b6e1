// Shows in the banner that the orders are not live, or that something can't be read, and sounds the alarm.

import {fill} from '../dom.js';
import {silence} from './bell.js';

/** The server ends streams when it restarts; most are back before anybody has read a word. */
const streamPatience = 1_500;
/** How long a read may take, and how many reads in a row may fail, before the banner says so. */
const readPatience = 3_000;
const readFailures = 2;

/** After how many milliseconds a read that failed is repeated. */
export const retryAfter = 1_000;

const streamWords = () => (navigator.onLine === false
  ? 'This device is offline: new orders may be missing here.'
  : 'Not connected: new orders may be missing here. We keep trying.');

let banner = null, streamTimer = 0, isDown = false;
/** The readers that fail, each with the name of what it reads. */
const unread = new Map();

function readWords() {
  const names = [...new Set(unread.values())];
  if (!names.length) return '';
  if (names.includes('orders')) return 'The orders can’t be loaded: some may be missing here. We keep trying.';
  return `The ${names.join(' and the ')} can’t be loaded: what you see may be out of date. We keep trying.`;
}

function show() {
  const text = isDown ? streamWords() : readWords();
  // Written only if it changes, because what is written is read aloud.
  if (banner && banner.textContent !== text) fill(banner, text);
  banner?.classList.toggle('shown', Boolean(text));
  silence(Boolean(text));
}

function setDown(next) {
  clearTimeout(streamTimer);
  streamTimer = 0;
  isDown = next;
  show();
}

/** Shows the banner in this node. */
export function startBanner(node) {
  banner = node;
  show();
}

/** Called when the stream runs, and after each attempt that failed, with whether it ended in silence, which was waited
 *  for already. */
export function live(isLive, {wasSilent = false} = {}) {
  if (isLive) setDown(false);
  else if (wasSilent || isDown) setDown(true);
  else streamTimer ||= setTimeout(() => setDown(true), streamPatience);
}

/** Watches the reads of one part of the page; `name` is what the banner calls it. `began` is called when something has
 *  to be read, `ended` after each attempt, with whether it succeeded. */
export function watchReads(name) {
  const reader = {};
  let timer = 0, failures = 0;

  function fail() {
    unread.set(reader, name);
    show();
  }

  function began() { timer ||= setTimeout(fail, readPatience); }

  function ended(isRead) {
    if (!isRead) {
      failures += 1;
      if (failures >= readFailures) fail();
      return;
    }
    clearTimeout(timer);
    [timer, failures] = [0, 0];
    unread.delete(reader);
    show();
  }

  return Object.assign(reader, {
    began, ended,
    /** Whether the last attempt failed: then the read is repeated even if nobody sees the page. */
    isFailing: () => failures > 0,
    /** Makes one attempt; returns the problem, or null if it succeeded. */
    async attempt(work) {
      began();
      try {
        await work();
      } catch (problem) {
        if (problem.code === undefined) throw problem;
        ended(false);
        return problem;
      }
      ended(true);
      return null;
    },
  });
}
