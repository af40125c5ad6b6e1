// The event stream of orders and faults for this page. All tabs of the browser with the same token share one stream
// (sharedStream.js).

import {signOut, staffToken} from './authentication.js';
import {followSharedStream} from './sharedStream.js';

/** @typedef {import('./eventStream.js').StreamDetails} StreamDetails */
/** @typedef {[name: 'placed' | 'moved', data: API.OrderEvent]} OrderMessage */
/** @typedef {[name: 'fault' | 'recovery', data: API.ErrorEvent]} FaultMessage */
/** @typedef {[name: 'list_changed' | 'missed', data: object]} MissedMessage Events that were not delivered. */
/** @typedef {OrderMessage | FaultMessage | MissedMessage} StaffMessage */
/**
 * @typedef {object} Subscriber
 * @property {(...message: StaffMessage) => unknown} onEvent
 * @property {(isLive: boolean, details?: StreamDetails) => void} [onLive]
 */

/** @type {Array<Required<Subscriber>>} */
const subscribers = [];

/**
 * Subscribes to events. The event `list_changed` follows each connection, because events may have been missed before
 * it.
 * @param {Subscriber} subscriber
 */
export const subscribeToStaffEvents = ({onEvent, onLive = () => {}}) => subscribers.push({onEvent, onLive});

export function startStaffEvents() {
  void followSharedStream('/v1/staff/events', staffToken(), {
    // Two of the server's heartbeats (staffHeartbeat in Sources/Web/WebConfiguration.swift) and half a second.
    silence: 4_500,
    headers: () => ({Authorization: `Bearer ${staffToken()}`}),
    onEvent: (name, data) => {
      const message = /** @type {StaffMessage} */ ([name, data]);
      subscribers.forEach(({onEvent}) => onEvent(...message));
    },
    onLive: (isLive, details) => subscribers.forEach(({onLive}) => onLive(isLive, details)),
    onRefused: (status) => status === 401 && signOut('This token is no longer valid. Please enter your new one.'),
  });
}
