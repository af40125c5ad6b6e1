// Server-sent events over fetch, because EventSource sends no Authorization header. It resumes after the last event id
// and reconnects within about a second. It drops a connection without heartbeats, or when the device is offline.

import {required} from '../parts/required.js';
import {parseEventStream} from './eventStreamParser.js';

/** @typedef {{wasSilent?: boolean}} StreamDetails Whether the stream ended because no data arrived. */
/**
 * @typedef {object} StreamOptions
 * @property {number} [silence] The longest time without data in milliseconds: more than the server's heartbeat.
 * @property {() => Record<string, string>} [headers]
 * @property {(name: string, data: unknown) => unknown} onEvent
 * @property {() => void} [onBeat] Called for each piece, heartbeats included.
 * @property {(isLive: boolean, details?: StreamDetails) => void} [onLive] Gets whether the stream runs.
 * @property {(status: number) => unknown} [onRefused] Gets the status of an error response.
 */

/** The maximum time in milliseconds until a response starts. A shorter `silence` takes precedence. */
const responseTimeout = 10_000;

/**
 * The delays before a reconnect in milliseconds, doubled after each failure. The jitter spreads clients that lost their
 * connections at once. The longest delay is short, because a shop has few staff pages and each waits for orders.
 */
const reconnectDelays = {first: 250, longest: 1_000, jitter: 500};

/**
 * Resolves after a time in milliseconds, or as soon as the device is online.
 * @type {(time: number) => Promise<void>}
 */
const sleepOrOnline = (time) => new Promise((resolve) => {
  const end = () => { clearTimeout(timer); removeEventListener('online', end); resolve(); };
  const timer = setTimeout(end, time);
  addEventListener('online', end);
});

/**
 * Follows a stream until the returned function is called.
 * @param {string} path
 * @param {StreamOptions} options
 */
export function followStream(path, {
  silence = 40_000, headers = () => ({}), onEvent, onBeat = () => {}, onLive = () => {}, onRefused = () => {},
}) {
  let delay = reconnectDelays.first, wasSilent = false, isStopped = false;
  /** @type {string | null} */
  let lastId = null;
  let connection = new AbortController();

  /**
   * Hands a complete message on. Only then the stream may resume after its id.
   * @param {import('./eventStreamParser.js').StreamMessage} message
   */
  function deliver(message) {
    const {name, data, id} = message;
    // In a microtask, so that an error in the data or of the subscriber does not end the stream.
    if (data !== null) queueMicrotask(() => isStopped || onEvent(name, JSON.parse(data)));
    if (id !== null) lastId = id;
  }

  async function connect() {
    connection = new AbortController();
    const disconnect = () => {
      wasSilent = true;
      connection.abort();
    };
    wasSilent = false;
    let timer = setTimeout(disconnect, Math.min(responseTimeout, silence));
    addEventListener('offline', disconnect);
    try {
      /** @type {Record<string, string>} */
      const resumption = lastId ? {'Last-Event-ID': lastId} : {};
      const response = await fetch(path, {
        headers: {Accept: 'text/event-stream', ...headers(), ...resumption},
        cache: 'no-store', signal: connection.signal,
      });
      if (!response.ok) return onRefused(response.status);
      clearTimeout(timer);
      timer = setTimeout(disconnect, silence);
      onLive(true);
      delay = reconnectDelays.first;
      const reader = required(response.body).pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const {value, done} = await reader.read();
        if (done) return undefined;
        clearTimeout(timer);
        timer = setTimeout(disconnect, silence);
        if (isStopped) return undefined;
        onBeat();
        const {messages, rest} = parseEventStream(text + value);
        text = rest;
        messages.forEach(deliver);
      }
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      removeEventListener('offline', disconnect);
      connection.abort();
    }
  }

  async function run() {
    while (!isStopped) {
      await connect();
      if (isStopped) return;
      onLive(false, {wasSilent});
      await sleepOrOnline(delay + Math.random() * reconnectDelays.jitter);
      delay = Math.min(delay * 2, reconnectDelays.longest);
    }
  }

  void run();
  return () => {
    isStopped = true;
    connection.abort();
  };
}
