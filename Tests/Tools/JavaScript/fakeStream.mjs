// An event stream of the server, and what tabs of a browser share: locks and channels.

/** A server with one event stream: {server, connections}. Each connection has send, end, fail and its request. */
export function streamServer({status = () => 200} = {}) {
  const connections = [];
  return {connections, server(_path, request) {
    const connection = {request, isOpen: true};
    const body = new ReadableStream({start(controller) {
      const close = (action) => () => {
        if (connection.isOpen) action();
        connection.isOpen = false;
      };
      Object.assign(connection, {
        send: (text) => controller.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : text),
        end: close(() => controller.close()),
        fail: close(() => controller.error(new TypeError('The connection was lost.'))),
      });
      request.signal.addEventListener('abort', connection.fail);
    }});
    connections.push(connection);
    return {ok: status() === 200, status: status(), body};
  }};
}

/** The Web Locks of a browser. With `isDenied` each request fails. */
export function fakeLocks({isDenied = false} = {}) {
  /** The request that has each lock, by name, and the requests that wait for it. */
  const [held, waiting] = [new Map(), new Map()];
  const queueOf = (name) => waiting.get(name) ?? waiting.set(name, []).get(name);

  function grant(name, request) {
    held.set(name, request);
    const release = (settle) => (value) => {
      if (held.get(name) === request) {
        held.delete(name);
        const next = queueOf(name).shift();
        if (next) grant(name, next);
      }
      settle(value);
    };
    Promise.resolve({name}).then(request.callback).then(release(request.resolve), release(request.reject));
  }

  return {request: (name, {signal, steal = false, ifAvailable = false}, callback) => new Promise((resolve, reject) => {
    const abortError = () => new DOMException('The request was aborted.', 'AbortError');
    const request = {callback, resolve, reject};
    if (isDenied) return reject(new DOMException('Locks are denied.', 'SecurityError'));
    if (steal) held.get(name)?.reject(abortError());
    if (steal || !held.has(name)) return grant(name, request);
    if (ifAvailable) return resolve(callback(null));
    queueOf(name).push(request);
    signal?.addEventListener('abort', () => {
      const index = queueOf(name).indexOf(request);
      if (index < 0) return;
      queueOf(name).splice(index, 1);
      reject(abortError());
    });
    return undefined;
  })};
}

/** A BroadcastChannel within this process. */
export function fakeChannels() {
  const all = new Set();
  return class {
    constructor(name) {
      this.name = name;
      all.add(this);
    }
    postMessage(data) {
      if (!all.has(this)) throw new DOMException('The channel is closed.', 'InvalidStateError');
      for (const other of all) if (other !== this && other.name === this.name) {
        Promise.resolve(structuredClone(data)).then((copy) => other.onmessage?.({data: copy}));
      }
    }
    close() { all.delete(this); }
  };
}
