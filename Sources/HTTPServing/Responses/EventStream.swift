// A response of server-sent events with heartbeats. It lasts until the server shuts down, or the client disconnects or
// stops reading. At most one event is buffered. SSEKit and swift-openapi-runtime have neither limits nor heartbeats.
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

extension Response {
    /// Streams these events.
    /// - Parameters:
    ///   - events: The source, with its own bound.
    ///   - heartbeat: The interval of comments, which keep proxies from closing the connection and detect dead
    ///     clients.
    ///   - retry: When a disconnected client should reconnect. Random by default, so that clients disconnected
    ///     together do not reconnect together.
    ///   - stop: Ends `events`; called when the stream has to end, from any thread, possibly more than once.
    package static func eventStream<Events: AsyncSequence & Sendable>(
        _ events: Events, _ context: RequestContext, heartbeat: Duration,
        retry: Duration = .milliseconds(Int.random(in: 1_500...5_000)), stop: @escaping @Sendable () -> Void
    ) -> Response where Events.Element == ServerSentEvent, Events.Failure == Never {
        let channel = context.channel
        let body = Response.Body.stream { writer in
            channel.closeFuture.whenComplete { _ in stop() }
            // From here on, a client that closes its side is disconnected.
            channel.setOption(.allowRemoteHalfClosure, value: false).whenFailure { _ in stop() }
            try await writer.write(ByteBuffer(string: "retry: \(TimeAmount(retry).nanoseconds / 1_000_000)\n\n"))
            let heartbeats = startHeartbeats(on: channel, every: TimeAmount(heartbeat))
            try await withGracefulShutdownHandler {
                for await event in events { try await writer.write(event.bytes) }
            } onGracefulShutdown: {
                endEventStream(on: channel, within: .seconds(2), stop: stop)
            }
            // Waits until the heartbeats are cancelled, so that none follows the end of the body.
            _ = try? await channel.eventLoop.submit { heartbeats.cancel() }.get()
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close"],
            body: body)
    }

    /// Ends a stream before its events end. A client that does not read blocks the last write, so its connection is
    /// closed after this time.
    package static func endEventStream(of context: RequestContext, within time: Duration, stop: () -> Void) {
        endEventStream(on: context.channel, within: TimeAmount(time), stop: stop)
    }

    private static func endEventStream(on channel: any Channel, within time: TimeAmount, stop: () -> Void) {
        stop()
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    /// Sends heartbeats on the connection, one at a time, between events. A slow reader keeps its connection;
    /// ConnectionGuard closes the connection of a client that stopped reading.
    private static func startHeartbeats(on channel: any Channel, every time: TimeAmount) -> RepeatedTask {
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
