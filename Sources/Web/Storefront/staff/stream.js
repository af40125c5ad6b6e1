// Server-sent events by fetch, for EventSource sends no Authorization header. Resumes with the Last-Event-ID it has seen, tries again within a second
// or so, and gives up a connection that has not even sent its heartbeat, or a device that is offline.

/** How long an answer may take to begin, where events may not be silent for less. */
const beginning = 10_000;

/** How long the page waits before it tries again, in milliseconds: twice as long after each failure, and some more by chance, so that those that were
 *  parted at one moment do not all come back at one. It never gets long, as it would for guests: a shop has few pages of staff, and each waits for orders. */
const waits = {first: 250, longest: 1_000, byChance: 500};

/** Reads events from a stream's text as it comes in pieces; `onId` is told each id, `onEvent` each event. */
function reading(onEvent, onId) {
  let rest = '', name = '', data = [];
  return (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        // In a turn of its own: what goes wrong there is no fault of the stream.
        if (data.length) queueMicrotask(onEvent.bind(null, name || 'message', JSON.parse(data.join('\n'))));
        [name, data] = ['', []];
      } else if (line.startsWith('id:')) onId(line.slice(3).trimStart());
      else if (line.startsWith('event:')) name = line.slice(6).trimStart();
      else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
    }
  };
}

/** Follows a stream until the page goes, or the function that it returns is called. `silence` is for how many milliseconds nothing may come: some more than the server's heartbeat.
 *  `onEvent` has (name, data); `onLive` is told whether it runs, and whether it ended in silence; `onRefused` the status of an answer that is none;
 *  `onBeat` is called with each piece that comes, heartbeats included. */
export function follow(path, {silence = 40_000, headers = () => ({}), onEvent, onBeat = () => {}, onLive = () => {}, onRefused = () => {}}) {
  let wait = waits.first, lastId = null, wasSilent = false, isStopped = false, stop = new AbortController();
  const tell = (...event) => isStopped || onEvent(...event);

  async function once() {
    stop = new AbortController();
    const giveUp = () => {
      wasSilent = true;
      stop.abort();
    };
    wasSilent = false;
    let timer = setTimeout(giveUp, Math.min(beginning, silence));
    addEventListener('offline', giveUp);
    try {
      const resume = lastId === null ? {} : {'Last-Event-ID': lastId};
      const response = await fetch(path, {headers: {Accept: 'text/event-stream', ...headers(), ...resume}, cache: 'no-store', signal: stop.signal});
      if (!response.ok) return onRefused(response.status);
      clearTimeout(timer);
      timer = setTimeout(giveUp, silence);
      onLive(true);
      wait = waits.first;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const take = reading(tell, (id) => { lastId = id; });
      for (;;) {
        const {value, done} = await reader.read();
        if (done) return undefined;
        clearTimeout(timer);
        timer = setTimeout(giveUp, silence);
        if (isStopped) return undefined;
        onBeat();
        take(value);
      }
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      removeEventListener('offline', giveUp);
      stop.abort();
    }
  }

  async function run() {
    while (!isStopped) {
      await once();
      if (isStopped) return;
      onLive(false, {wasSilent});
      await new Promise((done) => {
        const goOn = () => { clearTimeout(timer); removeEventListener('online', goOn); done(); };
        const timer = setTimeout(goOn, wait + Math.random() * waits.byChance);
        addEventListener('online', goOn);
      });
      wait = Math.min(wait * 2, waits.longest);
    }
  }

  run();
  return () => {
    isStopped = true;
    stop.abort();
  };
}
