// Follows an order: by its event stream while the page is looked at, and by asking every few seconds where there is none. With a stream it
// asks now and then too, for one that has died on the way may not say so. Each event says that the order has moved; the order itself is
// read again. Used by screens/order.js and underway.js.

const over = new Set(['delivered', 'cancelled', 'rejected']);

/** What a guest sees of an order's course. */
const course = ({state, readyAt, delayReason, dayNumber}) => `${state} ${readyAt} ${delayReason} ${dayNumber}`;

/** Calls back with the order whenever its state is another, or what is promised, or what the kitchen calls it. One without a stream is only asked
 *  now and then, and when the page is looked at again. Returns what ends it. */
export function follow(order, get, onMove, {hasStream = true} = {}) {
  let state = order.state, shown = course(order), stream = null, timer = 0, ended = false;
  const slowly = setInterval(() => document.visibilityState === 'visible' && !over.has(state) && look(), 30_000);

  async function look() {
    try {
      const next = await get();
      if (ended || course(next) === shown) return;
      [state, shown] = [next.state, course(next)];
      onMove(next);
      if (over.has(state)) stop();
    } catch {
      // No other event may come for long, and the one that came is not sent again.
      if (!stream || ended) return;
      clearTimeout(timer);
      timer = setTimeout(look, 4_000);
    }
  }

  function poll() {
    clearTimeout(timer);
    if (ended || over.has(state)) return;
    timer = setTimeout(() => look().then(poll), 4_000);
  }

  function listen() {
    if (!hasStream || stream || ended || over.has(state)) return;
    stream = new EventSource(`/v1/orders/${order.id}/events`);
    stream.addEventListener('status', (event) => {
      const step = JSON.parse(event.data);
      if (step.state !== state || step.readyAt) look();
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

  function seen() {
    if (document.visibilityState !== 'visible') return stop();
    look();
    listen();
  }

  document.addEventListener('visibilitychange', seen);
  listen();
  return () => {
    ended = true;
    clearInterval(slowly);
    document.removeEventListener('visibilitychange', seen);
    stop();
  };
}
