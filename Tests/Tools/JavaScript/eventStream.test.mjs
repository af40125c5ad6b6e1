// staff/eventStream.js: server-sent events over fetch.

import assert from 'node:assert/strict';
import test from 'node:test';
import {installClock, settle} from './clock.mjs';
import {streamServer} from './fakeStream.mjs';
import {openPage} from './page.mjs';

const clock = installClock('2026-11-24T11:00:00Z');

/** Follows a stream: {connections, events, states, stop, …}. */
async function follow(options = {}, {status} = {}) {
  clock.clear();
  const {server, connections} = streamServer({status});
  const page = openPage({server});
  const {followStream} = await page.load('staff/eventStream.js');
  const followed = {page, connections, events: [], states: [], refused: [], beats: 0};
  followed.stop = followStream('/v1/staff/events', {
    silence: 4_500,
    onEvent: (...event) => followed.events.push(event),
    onBeat: () => { followed.beats += 1; },
    onLive: (...state) => followed.states.push(state),
    onRefused: (refusal) => followed.refused.push(refusal),
    ...options,
  });
  await settle();
  return followed;
}

/** The delay before the connection after the first failure, without its random part. */
const firstDelay = 250;
Math.random = () => 0;
const lastIdOf = (connection) => connection.request.headers['Last-Event-ID'];

const text = [
  ': a comment', 'id: 7', 'event: order_placed', 'data: {"number": "A1",', 'data: "title": "Käse €"}', '',
  'retry: 10', 'unknown: x', 'data', 'data:1', '', 'event: nothing', 'id: 8', '', 'data:  2', '', '',
];
const events = [['order_placed', {number: 'A1', title: 'Käse €'}], ['message', 1], ['message', 2]];

for (const [name, lineEnd] of [['"\\n"', '\n'], ['"\\r\\n"', '\r\n'], ['"\\r"', '\r']]) {
  test(`Events with lines that end with ${name} arrive, wherever the stream is cut in two`, async () => {
    const bytes = new TextEncoder().encode(text.join(lineEnd));
    const {connections: [connection], events: received, stop} = await follow();
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      received.length = 0;
      connection.send(bytes.slice(0, cut));
      await settle();
      connection.send(bytes.slice(cut));
      await settle();
      assert.deepEqual(received, events, `cut after ${cut} bytes`);
    }
    stop();
  });

  test(`Events with lines that end with ${name} arrive byte by byte`, async () => {
    const {connections: [connection], events: received, stop} = await follow();
    for (const byte of new TextEncoder().encode(text.join(lineEnd))) connection.send(new Uint8Array([byte]));
    await settle();
    assert.deepEqual(received, events);
    stop();
  });
}

test('A value keeps its colons, and its spaces except the first', async () => {
  const {connections: [connection], events: received, stop} = await follow();
  connection.send('event:  a:b\ndata: "x: y"\n\n');
  await settle();
  assert.deepEqual(received, [[' a:b', 'x: y']]);
  stop();
});

test('The stream resumes after the last complete event', async () => {
  const {connections, stop} = await follow();
  assert.equal(lastIdOf(connections[0]), undefined);
  connections[0].send('id: 1\ndata: 1\n\nid: 2\ndata: 2\n');
  await settle();
  connections[0].fail();
  await clock.advance(firstDelay);
  assert.equal(lastIdOf(connections[1]), '1');
  stop();
});

test('An event that a lost connection has cut off is not delivered with the next connection', async () => {
  const {connections, events: received, stop} = await follow();
  connections[0].send('id: 1\nevent: cut\ndata: 1\n');
  await settle();
  connections[0].fail();
  await clock.advance(firstDelay);
  connections[1].send('\ndata: 2\n\n');
  await settle();
  assert.deepEqual(received, [['message', 2]]);
  assert.equal(lastIdOf(connections[1]), undefined);
  stop();
});

test('An id without data is remembered, and an empty id forgets the last one', async () => {
  const {connections, stop} = await follow();
  connections[0].send('id: 5\n\n');
  await settle();
  connections[0].end();
  await clock.advance(firstDelay);
  assert.equal(lastIdOf(connections[1]), '5');
  connections[1].send('id\n\n');
  await settle();
  connections[1].end();
  await clock.advance(firstDelay);
  assert.equal(lastIdOf(connections[2]), undefined);
  stop();
});

test('The token is read again for each connection', async () => {
  let token = 'old';
  const {connections, stop} = await follow({headers: () => ({Authorization: token})});
  token = 'new';
  connections[0].end();
  await clock.advance(firstDelay);
  assert.deepEqual(connections.map(({request: {headers}}) => headers.Authorization), ['old', 'new']);
  assert.equal(connections[0].request.headers.Accept, 'text/event-stream');
  stop();
});

test('Each failed connection doubles the delay, up to a second, and a response resets it', async () => {
  let status = 503;
  const {connections, states, stop} = await follow({}, {status: () => status});
  for (const [count, delay] of [[1, 250], [2, 500], [3, 1_000], [4, 1_000], [5, 1_000]]) {
    assert.equal(connections.length, count);
    await clock.advance(delay - 1);
    assert.equal(connections.length, count, `before ${delay} ms`);
    await clock.advance(1);
  }
  status = 200;
  await clock.advance(1_000);
  assert.deepEqual(states.at(-1), [true]);
  const {length} = connections;
  connections.at(-1).end();
  await clock.advance(250);
  assert.equal(connections.length, length + 1);
  stop();
});

test('The delay has a random part of at most half a second', async () => {
  Math.random = () => 0.5;
  const {connections, stop} = await follow();
  connections[0].end();
  await clock.advance(499);
  assert.equal(connections.length, 1);
  await clock.advance(1);
  assert.equal(connections.length, 2);
  stop();
  Math.random = () => 0;
});

test('The page learns that the stream runs, and that the connection was lost', async () => {
  const {connections, states, stop} = await follow();
  assert.deepEqual(states, [[true]]);
  connections[0].fail();
  await settle();
  assert.deepEqual(states, [[true], [false, {wasSilent: false}]]);
  stop();
});

test('A connection without data is dropped after the silence, and a heartbeat prolongs it', async () => {
  const followed = await follow();
  await clock.advance(4_000);
  followed.connections[0].send(': heartbeat\n\n');
  await clock.advance(4_499);
  assert.equal(followed.beats, 1);
  assert.deepEqual(followed.states, [[true]]);
  await clock.advance(1);
  assert.deepEqual(followed.states, [[true], [false, {wasSilent: true}]]);
  assert.equal(followed.connections[0].isOpen, false);
  followed.stop();
});

test('A response that does not start is dropped after the silence', async () => {
  const page = openPage({server: (_path, {signal}) =>
    new Promise((_resolve, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); })});
  const {followStream} = await page.load('staff/eventStream.js');
  const states = [];
  const stop = followStream('/v1/staff/events',
    {silence: 4_500, onEvent: () => {}, onLive: (...state) => states.push(state)});
  await clock.advance(4_499);
  assert.deepEqual(states, []);
  await clock.advance(1);
  assert.deepEqual(states, [[false, {wasSilent: true}]]);
  stop();
});

test('The connection is dropped when the device goes offline, and made again at once when it is online', async () => {
  const {page, connections, states, stop} = await follow();
  page.dispatch('offline');
  await settle();
  assert.deepEqual(states.at(-1), [false, {wasSilent: true}]);
  page.dispatch('online');
  await settle();
  assert.equal(connections.length, 2);
  stop();
});

test('A refused connection reports its status, and is tried again', async () => {
  const {connections, refused, states, stop} = await follow({}, {status: () => 401});
  assert.deepEqual(refused, [401]);
  assert.deepEqual(states, [[false, {wasSilent: false}]]);
  await clock.advance(firstDelay);
  assert.equal(connections.length, 2);
  stop();
});

test('An error of the subscriber does not end the stream', async () => {
  const errors = [], {queueMicrotask} = globalThis;
  globalThis.queueMicrotask = (action) => { Promise.resolve().then(action).catch((error) => errors.push(error)); };
  const received = [];
  const {connections, stop} = await follow({onEvent(name, data) {
    if (data === 1) throw new Error('The subscriber failed.');
    received.push(data);
  }});
  connections[0].send('data: 1\n\ndata: no JSON\n\ndata: 2\n\n');
  await settle();
  globalThis.queueMicrotask = queueMicrotask;
  assert.deepEqual([received, errors.length, connections.length], [[2], 2, 1]);
  stop();
});

test('A subscriber that stops the stream gets no further event of the same piece', async () => {
  const received = [];
  const {connections, stop} = await follow({onEvent(name, data) {
    received.push(data);
    stop();
  }});
  connections[0].send('data: 1\n\ndata: 2\n\n');
  await settle();
  assert.deepEqual(received, [1]);
});

test('A stopped stream closes its connection at once', async () => {
  const {connections, stop} = await follow();
  stop();
  await settle();
  assert.equal(connections[0].isOpen, false);
});

test('A stopped stream delivers nothing more and makes no other connection', async () => {
  const {connections, events: received, stop} = await follow();
  connections[0].send('data: 1\n\n');
  await settle();
  connections[0].send('data: 2\n\n');
  stop();
  await clock.advance(10_000);
  assert.deepEqual(received, [['message', 1]]);
  assert.equal(connections.length, 1);
});
