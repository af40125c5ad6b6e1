// An answer that never ends by itself: server-sent events from any sequence, with heartbeats, until the server shuts down or the client goes or
// stops reading. Bounded: one event in the making. Used by the routes of orders, staff and errors.
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

extension Response {
    /// A stream of these events.
    /// - Parameters:
    ///   - events: The source, bounded by itself.
    ///   - heartbeat: How often a comment is sent, so that proxies keep the connection and a dead client is noticed.
    ///   - retry: After what time a client that lost the connection should come back. Random by default, because
    ///     clients that lose their connections at the same moment must not reconnect at the same moment.
    ///   - stop: Ends `events`; called when the stream has to end, from any thread, maybe more than once.
    package static func eventStream<Events: AsyncSequence & Sendable>(
        _ events: Events, _ context: WebContext, heartbeat: Duration,
        retry: Duration = .milliseconds(Int.random(in: 1_500...5_000)), stop: @escaping @Sendable () -> Void
    ) -> Response where Events.Element == ServerSentEvent, Events.Failure == Never {
        let channel = context.channel
        let body = Response.Body.stream { writer in
            channel.closeFuture.whenComplete { _ in stop() }
            // From here on a client that closes its side is gone, and so is the connection.
            channel.setOption(.allowRemoteHalfClosure, value: false).whenFailure { _ in stop() }
            try await writer.write(ByteBuffer(string: "retry: \(TimeAmount(retry).nanoseconds / 1_000_000)\n\n"))
            let heartbeats = beat(on: channel, every: TimeAmount(heartbeat))
            try await withGracefulShutdownHandler {
                for await event in events { try await writer.write(event.bytes) }
            } onGracefulShutdown: {
                endEventStream(on: channel, within: .seconds(2), stop: stop)
            }
            // Waited for, so that no heartbeat comes after the end.
            _ = try? await channel.eventLoop.submit { heartbeats.cancel() }.get()
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close"], body: body)
    }

    /// Ends a stream before its events do. A client that does not read holds up the last write: it has this much time
    /// to take what is there, then its connection is closed.
    static func endEventStream(on channel: any Channel, within time: TimeAmount, stop: () -> Void) {
        stop()
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    /// Sends heartbeats on the connection itself, between the events. While one waits to be taken, no other is sent: a
    /// client that reads slowly is kept, and ConnectionGuard ends the connection of a client that has stopped reading.
    private static func beat(on channel: any Channel, every time: TimeAmount) -> RepeatedTask {
        let comment = ByteBuffer(string: ": still here\n\n")
        let isTaken = NIOLoopBoundBox.makeBoxSendingValue(true, eventLoop: channel.eventLoop)
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: time, delay: time) { task in
            guard channel.isActive else { return task.cancel() }
            guard isTaken.value else { return }
            isTaken.value = false
            channel.writeAndFlush(HTTPResponsePart.body(comment)).whenSuccess { isTaken.value = true }
        }
    }
}
