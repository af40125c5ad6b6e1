// Reports the tests to results.py, one line per test: `ok` or `FAIL`, the seconds, the file and the test's name.

import path from 'node:path';

export default async function* report(events) {
  const counts = {ok: 0, FAIL: 0};
  for await (const {type, data} of events) {
    // What a test file prints, for example the reason why it cannot be loaded.
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const suite = path.basename(data.file ?? data.name, '.test.mjs');
    // Node.js reports a file itself too. Only a failure counts: for example, the file cannot be loaded.
    const isFile = data.name.endsWith('.test.mjs');
    if (isFile && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed')) continue;
    const word = type === 'test:pass' && !data.skip && !data.todo ? 'ok' : 'FAIL';
    counts[word] += 1;
    if (word === 'FAIL') {
      const error = data.details.error;
      yield `FAILURE of ${suite}: ${data.name}\n${error?.cause?.stack ?? error?.stack ?? error}\n`;
    }
    yield `${word} ${(data.details.duration_ms / 1_000).toFixed(2)} s  ${suite}: ${data.name}\n`;
  }
  yield `${counts.ok} passed, ${counts.FAIL} failed\n`;
}
