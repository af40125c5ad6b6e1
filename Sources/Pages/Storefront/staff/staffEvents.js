// The event stream of orders and faults for this page. All tabs of the browser with the same token share one stream
// (sharedStream.js).

import {signOut, staffToken} from './authentication.js';
import {followSharedStream} from './sharedStream.js';

const subscribers = [];

/** Subscribes to events: `onEvent` gets (name, data), `onLive` whether the stream runs, as in eventStream.js.
 *  The event `list_changed` follows each connection, because events may have been missed before it. */
export const subscribeToStaffEvents = ({onEvent, onLive = () => {}}) => subscribers.push({onEvent, onLive});

export function startStaffEvents() {
  void followSharedStream('/v1/staff/events', staffToken(), {
    // Two of the server's heartbeats (staffHeartbeat in Sources/Web/WebConfiguration.swift) and half a second.
    silence: 4_500,
    headers: () => ({Authorization: `Bearer ${staffToken()}`}),
    onEvent: (...event) => subscribers.forEach(({onEvent}) => onEvent(...event)),
    onLive: (...state) => subscribers.forEach(({onLive}) => onLive(...state)),
    onRefused: (status) => status === 401 && signOut('This token is no longer valid. Please enter your new one.'),
  });
}
