// The events of orders and faults for this page: one stream for all tabs of the browser that use the same token
// (shared-stream.js). The parts of the page listen to it.

import {leave, token} from './door.js';
import {followShared} from './shared-stream.js';

const listeners = [];

/** Registers a listener: `onEvent` has (name, data), `onLive` is told whether the stream runs, as in stream.js. The
 *  event `list_changed` comes after each connection: anything may have changed before it. */
export const listen = ({onEvent, onLive = () => {}}) => listeners.push({onEvent, onLive});

export function startEvents() {
  followShared('/v1/staff/events', token(), {
    // Two of the server's heartbeats (staffHeartbeat in Sources/Web/WebConfiguration.swift), and half a second on the way.
    silence: 4_500,
    headers: () => ({Authorization: `Bearer ${token()}`}),
    onEvent: (...event) => listeners.forEach(({onEvent}) => onEvent(...event)),
    onLive: (...state) => listeners.forEach(({onLive}) => onLive(...state)),
    onRefused: (status) => status === 401 && leave('This token is no longer valid. Please enter your new one.'),
  });
}
