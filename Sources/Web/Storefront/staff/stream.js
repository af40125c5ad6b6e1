// Server-sent events by fetch, for EventSource sends no Authorization header. Resumes with the Last-Event-ID it has seen, waits a little
// longer after each failure, and gives up a connection that has not even sent its heartbeat. Used by orders.js and faults.js.

const silence = 40_000;

/** Follows a stream until the page goes. `onEvent` has (name, data); `onLive` is told whether it runs; `onRefused` the status of an answer
 *  that is none. */
export function follow(path, {headers = () => ({}), onEvent, onLive = () => {}, onRefused = () => {}}) {
  let wait = 1_000, lastId = null;

  async function once() {
    const stop = new AbortController();
    let timer = setTimeout(() => stop.abort(), silence);
    try {
      const resume = lastId === null ? {} : {'Last-Event-ID': lastId};
      const response = await fetch(path, {headers: {Accept: 'text/event-stream', ...headers(), ...resume}, cache: 'no-store', signal: stop.signal});
      if (!response.ok) return onRefused(response.status);
      onLive(true);
      wait = 1_000;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '', name = '', data = [];
      for (;;) {
        const {value, done} = await reader.read();
        if (done) return undefined;
        clearTimeout(timer);
        timer = setTimeout(() => stop.abort(), silence);
        const lines = (rest + value).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          if (line === '') {
            // In a turn of its own: what goes wrong there is no fault of the stream.
            if (data.length) queueMicrotask(onEvent.bind(null, name || 'message', JSON.parse(data.join('\n'))));
            [name, data] = ['', []];
          } else if (line.startsWith('id:')) lastId = line.slice(3).trimStart();
          else if (line.startsWith('event:')) name = line.slice(6).trimStart();
          else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
        }
      }
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  async function run() {
    for (;;) {
      await once();
      onLive(false);
      await new Promise((done) => {
        const goOn = () => { clearTimeout(timer); removeEventListener('online', goOn); done(); };
        const timer = setTimeout(goOn, wait);
        addEventListener('online', goOn);
      });
      wait = Math.min(wait * 2, 15_000);
    }
  }

  run();
}
