// One event stream for all tabs of a browser that use the same token, because a browser opens only six connections to a
// server. The tab that holds a Web Lock has the stream and broadcasts its events; when it closes, the next tab takes
// over. Without Web Locks, or where the browser denies them, each visible tab has a stream of its own.

import {followStream} from './eventStream.js';

/** @typedef {import('./eventStream.js').StreamDetails} StreamDetails */
/** @typedef {import('./eventStream.js').StreamOptions} StreamOptions */
/** @typedef {StreamOptions & Required<Pick<StreamOptions, 'silence' | 'onLive'>>} SharedStreamOptions */
/**
 * A message between tabs. `hello` asks for the state of the stream, which `beat` and `down` tell.
 * @typedef {{kind: 'hello' | 'beat', content: []} | {kind: 'down', content: [details?: StreamDetails]}
 *   | {kind: 'event', content: [name: string, data: unknown]}} TabMessage
 */

/**
 * A visible tab takes the lock from a tab that has been silent for this multiple of `silence`: the browser may have
 * frozen that tab or slowed its timers down. The random part prevents that two tabs take the lock from each other.
 */
const takeoverFactor = () => 2 + Math.random();

const isVisible = () => document.visibilityState === 'visible';

/**
 * Follows a stream, together with the other tabs that pass the same token.
 * @param {string} path
 * @param {string | null} token
 * @param {SharedStreamOptions} options
 */
export async function followSharedStream(path, token, options) {
  const name = await channelName(path, token);
  if (name === null) followWhileVisible(path, options);
  else followTogether(path, name, options);
}

/**
 * The name of the lock and of the channel: a digest, which does not reveal the token. Null if tabs can't share.
 * @param {string} path
 * @param {string | null} token
 */
async function channelName(path, token) {
  if (!navigator.locks || !globalThis.BroadcastChannel || !globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${path} ${token}`));
  return `welms.staff.${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** @param {string} path @param {StreamOptions} options */
function followWhileVisible(path, options) {
  /** @type {(() => void) | null} */
  let stop = null;
  const update = () => {
    if (isVisible()) stop ??= followStream(path, options);
    else {
      stop?.();
      stop = null;
    }
  };
  document.addEventListener('visibilitychange', update);
  update();
}

/** @param {string} path @param {string} name @param {SharedStreamOptions} options */
function followTogether(path, name, {silence, onEvent, onLive, ...options}) {
  const channel = new BroadcastChannel(name);
  /**
   * The stream of this tab; null while another tab has it.
   * @type {{isLive: boolean} | null}
   */
  let ownStream = null;
  /** Whether the tab that has the stream reports that it runs. */
  let isLive = false;
  let silenceTimer = 0, takeoverTimer = 0, lockRequest = new AbortController();

  /** @param {TabMessage['kind']} kind @param {TabMessage['content']} [content] */
  const send = (kind, content = []) => channel.postMessage({kind, content});

  /**
   * Reports the state in this tab. Returns whether the stream has just become live: earlier events may have been
   * missed.
   * @param {boolean} next
   * @param {StreamDetails} [details]
   */
  function setLive(next, details) {
    const hasBecomeLive = next && !isLive;
    isLive = next;
    onLive(next, details);
    return hasBecomeLive;
  }

  /** Restarts the timers, because the tab that has the stream has sent something. */
  function restartTimers() {
    clearTimeout(silenceTimer);
    clearTimeout(takeoverTimer);
    silenceTimer = setTimeout(() => setLive(false, {wasSilent: true}), silence);
    takeoverTimer = setTimeout(takeOver, silence * takeoverFactor());
  }

  /** @param {MessageEvent<TabMessage>} message */
  channel.onmessage = ({data}) => {
    const {kind, content} = data;
    if (ownStream) {
      if (kind === 'hello') send(ownStream.isLive ? 'beat' : 'down', ownStream.isLive ? [] : [{}]);
      return;
    }
    if (kind === 'hello') return;
    restartTimers();
    if (kind === 'down') setLive(false, content[0]);
    else if (kind === 'event') {
      const hasBecomeLive = setLive(true);
      onEvent(...content);
      if (hasBecomeLive && content[0] !== 'list_changed') onEvent('list_changed', {});
    } else if (setLive(true)) onEvent('list_changed', {});
  };

  function takeOver() {
    if (ownStream || !isVisible()) return;
    lockRequest.abort();
    void lead({steal: true});
  }

  function waitForLock() {
    lockRequest = new AbortController();
    void lead({signal: lockRequest.signal});
  }

  /**
   * Follows the stream without other tabs, because the browser denies locks, for example if it may not store anything.
   */
  function followAlone() {
    document.removeEventListener('visibilitychange', sendHello);
    channel.close();
    clearTimeout(silenceTimer);
    clearTimeout(takeoverTimer);
    followWhileVisible(path, {...options, silence, onEvent, onLive});
  }

  /**
   * Requests the lock, and follows the stream until this tab closes or another tab takes the lock.
   * @param {LockOptions} lockOptions
   */
  async function lead(lockOptions) {
    let stop = () => {};
    try {
      await navigator.locks.request(name, lockOptions, () => new Promise(() => {
        clearTimeout(silenceTimer);
        clearTimeout(takeoverTimer);
        ownStream = {isLive: false};
        stop = followStream(path, {
          ...options, silence,
          onEvent: (eventName, data) => {
            send('event', [eventName, data]);
            onEvent(eventName, data);
          },
          onBeat: () => send('beat'),
          onLive: (next, details) => {
            if (!ownStream) return;
            ownStream.isLive = next;
            if (next) send('beat');
            else send('down', [details]);
            setLive(next, details);
          },
        });
      }));
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) return followAlone();
      if (lockOptions.signal?.aborted) return undefined;
      // Another tab has taken the lock, and with it the stream.
      stop();
      ownStream = null;
      restartTimers();
      waitForLock();
    }
    return undefined;
  }

  const sendHello = () => isVisible() && !ownStream && send('hello');
  document.addEventListener('visibilitychange', sendHello);
  send('hello');
  restartTimers();
  waitForLock();
}
