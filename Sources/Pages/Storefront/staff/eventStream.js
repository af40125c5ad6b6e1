// Server-sent events over fetch, because EventSource sends no Authorization header. It resumes after the last event id
// and reconnects within about a second. It drops a connection without heartbeats, or when the device is offline.

import {parseEventStream} from './eventStreamParser.js';

/** The maximum time in milliseconds until a response starts. A shorter `silence` takes precedence. */
const responseTimeout = 10_000;

/**
 * The delays before a reconnect in milliseconds, doubled after each failure. The jitter spreads clients that lost their
 * connections at once. The longest delay is short, because a shop has few staff pages and each waits for orders.
 */
const reconnectDelays = {first: 250, longest: 1_000, jitter: 500};

/**
 * Follows a stream until the returned function is called. `silence` is the longest time without data in milliseconds:
 * more than the server's heartbeat. `onEvent` gets (name, data), `onLive` whether the stream runs and {wasSilent},
 * `onRefused` the status of an error response; `onBeat` is called for each piece, heartbeats included.
 */
export function followStream(path, {
  silence = 40_000, headers = () => ({}), onEvent, onBeat = () => {}, onLive = () => {}, onRefused = () => {},
}) {
  let delay = reconnectDelays.first, lastId = null, wasSilent = false, isStopped = false;
  let connection = new AbortController();

  /** Hands a complete message on. Only then the stream may resume after its id. */
  function deliver({name, data, id}) {
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
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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
      await new Promise((resolve) => {
        const reconnect = () => { clearTimeout(timer); removeEventListener('online', reconnect); resolve(); };
        const timer = setTimeout(reconnect, delay + Math.random() * reconnectDelays.jitter);
        addEventListener('online', reconnect);
      });
      delay = Math.min(delay * 2, reconnectDelays.longest);
    }
  }

  void run();
  return () => {
    isStopped = true;
    connection.abort();
  };
}
