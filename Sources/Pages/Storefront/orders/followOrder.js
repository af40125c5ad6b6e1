// Follows an order by its event stream, or by a poll every 4 s if the stream is refused. Another poll runs every 30 s,
// because a broken stream may not report an error. An event only says that the order changed: the order is read again.

/** @type {Set<API.OrderState>} */
const finalStates = new Set(['delivered', 'cancelled', 'rejected']);

/**
 * A key that changes when the guest sees a change of the order.
 * @param {API.Order} order
 */
const visibleStatus = ({state, readyAt, delayReason, dayNumber}) => `${state} ${readyAt} ${delayReason} ${dayNumber}`;

/**
 * Calls `onMove` when the state, the promised time, the delay or the kitchen number changes. With `hasStream: false` it
 * only polls every 30 s, and when the page becomes visible. Returns a function that stops.
 * @param {API.Order} order
 * @param {() => Promise<API.Order>} get
 * @param {(order: API.Order) => void} onMove
 * @param {{hasStream?: boolean}} options
 */
export function followOrder(order, get, onMove, {hasStream = true} = {}) {
  let state = order.state, shownStatus = visibleStatus(order), timer = 0, isEnded = false;
  /** @type {EventSource | null} */
  let stream = null;
  const slowPoll = setInterval(() => document.visibilityState === 'visible' && !finalStates.has(state) && readAgain(),
    30_000);

  async function readAgain() {
    try {
      const next = await get();
      if (isEnded || visibleStatus(next) === shownStatus) return;
      [state, shownStatus] = [next.state, visibleStatus(next)];
      onMove(next);
      if (finalStates.has(state)) stop();
    } catch {
      // The event of this change is not repeated, and the next event may come much later.
      if (!stream || isEnded) return;
      clearTimeout(timer);
      timer = setTimeout(readAgain, 4_000);
    }
  }

  function poll() {
    clearTimeout(timer);
    if (isEnded || finalStates.has(state)) return;
    timer = setTimeout(() => readAgain().then(poll), 4_000);
  }

  function listen() {
    if (!hasStream || stream || isEnded || finalStates.has(state)) return;
    stream = new EventSource(`/v1/orders/${order.id}/events`);
    stream.addEventListener('status', (event) => {
      const step = JSON.parse(event.data);
      if (step.state !== state || step.readyAt) void readAgain();
    });
    stream.addEventListener('open', () => clearTimeout(timer));
    stream.addEventListener('error', () => {
      if (stream?.readyState === EventSource.CLOSED) poll();
    });
  }

  function stop() {
    stream?.close();
    stream = null;
    clearTimeout(timer);
  }

  function onVisibilityChange() {
    if (document.visibilityState !== 'visible') return stop();
    void readAgain();
    listen();
  }

  document.addEventListener('visibilitychange', onVisibilityChange);
  listen();
  return () => {
    isEnded = true;
    clearInterval(slowPoll);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    stop();
  };
}
