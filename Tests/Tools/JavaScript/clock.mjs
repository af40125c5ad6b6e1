// A clock that a test moves: Date.now, performance.now and the timers.

const realImmediate = setImmediate;

/** Lets all pending promises settle. */
export async function settle() {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => realImmediate(resolve));
}

/**
 * Replaces the clock and the timers of this process. `now` is the time of day, in milliseconds or as text. Returns
 * {now, advance, set, clear}.
 */
export function installClock(now) {
  let time = new Date(now).getTime(), lastId = 0;
  const begin = time;
  /** By id: {at, callback, interval}. */
  const timers = new Map();
  const start = (callback, delay, interval, values) => {
    lastId += 1;
    timers.set(lastId, {at: time + Math.max(0, Number(delay) || 0), callback: () => callback(...values), interval});
    return lastId;
  };
  const stop = (id) => { timers.delete(id); };
  Date.now = () => time;
  Object.defineProperty(performance, 'now', {value: () => time - begin, configurable: true});
  Object.assign(globalThis, {
    setTimeout: (callback, delay, ...values) => start(callback, delay, null, values),
    setInterval: (callback, delay, ...values) => start(callback, delay, delay, values),
    clearTimeout: stop, clearInterval: stop,
  });

  return {
    now: () => time,
    /** Sets the time without running timers, as if the device had slept. */
    set(next) { time = new Date(next).getTime(); },
    /** Removes all timers: the pages of earlier tests do nothing more. */
    clear() { timers.clear(); },
    /** Moves the time, and runs the timers that become due, in their order. */
    async advance(milliseconds) {
      const end = time + milliseconds;
      await settle();
      for (;;) {
        const due = [...timers].filter(([, {at}]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
        if (!due) break;
        const [id, timer] = due;
        time = Math.max(time, timer.at);
        if (timer.interval === null) timers.delete(id);
        else timer.at += timer.interval;
        timer.callback();
        await settle();
      }
      time = end;
    },
  };
}
