// One event stream for all tabs of a browser that use the same token, because a browser opens only six connections to a
// server. The tab that holds a Web Lock has the stream and broadcasts what comes; the next tab takes over when it is
// closed. Without Web Locks, or where the browser denies them, each visible tab has a stream of its own.

import {follow} from './stream.js';

/** A visible tab takes the lock from a tab that has been silent for so many times `silence`: the browser may have
 *  frozen that tab or slowed its timers down. The random part keeps two tabs from taking it from each other. */
const patience = () => 2 + Math.random();

const isVisible = () => document.visibilityState === 'visible';

/** Follows a stream with the options of `follow`, together with the other tabs that pass the same token. */
export async function followShared(path, token, options) {
  const name = await nameFor(path, token);
  if (name === null) followWhileVisible(path, options);
  else followTogether(path, name, options);
}

/** The name of the lock and of the channel, which must not reveal the token; null without the means to share. */
async function nameFor(path, token) {
  if (!navigator.locks || !globalThis.BroadcastChannel || !globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${path} ${token}`));
  return `welms.staff.${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function followWhileVisible(path, options) {
  let stop = null;
  const update = () => {
    if (isVisible()) stop ??= follow(path, options);
    else {
      stop?.();
      stop = null;
    }
  };
  document.addEventListener('visibilitychange', update);
  update();
}

function followTogether(path, name, {silence, onEvent, onLive, ...options}) {
  const channel = new BroadcastChannel(name);
  /** The stream of this tab: {isLive}; null while another tab has it. */
  let own = null;
  /** Of the tab that has the stream: whether it says that the stream runs. */
  let isLive = false, watchdog = 0, takeover = 0, queue = new AbortController();

  const send = (kind, content = []) => channel.postMessage({kind, content});

  /** Tells this tab; events before this one may have been missed if the stream was not live here. */
  function tellLive(next, ...more) {
    const isNew = next && !isLive;
    isLive = next;
    onLive(next, ...more);
    return isNew;
  }

  /** Something came from the tab that has the stream. */
  function heard() {
    clearTimeout(watchdog);
    clearTimeout(takeover);
    watchdog = setTimeout(() => tellLive(false, {wasSilent: true}), silence);
    takeover = setTimeout(takeOver, silence * patience());
  }

  channel.onmessage = ({data: {kind, content}}) => {
    if (own) {
      if (kind === 'hello') send(own.isLive ? 'beat' : 'down', own.isLive ? [] : [{}]);
      return;
    }
    if (kind === 'hello') return;
    heard();
    if (kind === 'down') tellLive(false, ...content);
    else if (kind === 'event') {
      const isNew = tellLive(true);
      onEvent(...content);
      if (isNew && content[0] !== 'list_changed') onEvent('list_changed', {});
    } else if (tellLive(true)) onEvent('list_changed', {});
  };

  function takeOver() {
    if (own || !isVisible()) return;
    queue.abort();
    lead({steal: true});
  }

  function waitForLock() {
    queue = new AbortController();
    lead({signal: queue.signal});
  }

  /** The browser denies locks, for example because it may not store anything. */
  function followAlone() {
    document.removeEventListener('visibilitychange', greet);
    channel.close();
    clearTimeout(watchdog);
    clearTimeout(takeover);
    followWhileVisible(path, {...options, silence, onEvent, onLive});
  }

  /** Has the stream for as long as this tab holds the lock: until it is closed, or another tab takes the lock. */
  async function lead(how) {
    let stop = () => {};
    try {
      await navigator.locks.request(name, how, () => new Promise(() => {
        clearTimeout(watchdog);
        clearTimeout(takeover);
        own = {isLive: false};
        stop = follow(path, {
          ...options, silence,
          onEvent: (...event) => {
            send('event', event);
            onEvent(...event);
          },
          onBeat: () => send('beat'),
          onLive: (next, ...more) => {
            own.isLive = next;
            send(next ? 'beat' : 'down', more);
            tellLive(next, ...more);
          },
        });
      }));
    } catch (error) {
      if (error.name !== 'AbortError') return followAlone();
      if (how.signal?.aborted) return undefined;
      // Another tab has taken the lock, and with it the stream.
      stop();
      own = null;
      heard();
      waitForLock();
    }
    return undefined;
  }

  const greet = () => isVisible() && !own && send('hello');
  document.addEventListener('visibilitychange', greet);
  send('hello');
  heard();
  waitForLock();
}
