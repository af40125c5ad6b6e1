// Assembles complete requests, delivers them one at a time, and sends the responses. It is the last handler of the
// pipeline and runs on the connection's event loop.
import DequeModule
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Turns a connection's parts into requests.
final class RequestReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The head of the current request. Nil between requests, and while the rest of a request that was delivered
    /// early is discarded.
    private var head: HTTPRequest?
    private var body = ByteBuffer()
    /// Whether the client waits for 100 Continue before sending its body (RFC 9110, section 10.1.1).
    private var expectsContinue = false
    /// Complete requests that wait for the response to an earlier request.
    private var queuedRequests: Deque<Request> = []
    private var waiting: UnsafeContinuation<Request?, Never>?
    private var context: ChannelHandlerContext?
    private var hasDeferredRead = false
    private var isClosed = false
    private let connection: ConnectionGuard
    private let writer: CompleteResponseWriter
    /// The byte limit of the current body.
    private var limit = Request.bodyLimit
    private let extendedBodyLimit: (HTTPRequest, NetworkAddress?) -> Int

    /// - Parameter extendedBodyLimit: The limit for requests to routes that accept larger bodies.
    init(
        on connection: ConnectionGuard, answeringBy writer: CompleteResponseWriter,
        extendedBodyLimit: @escaping (HTTPRequest, NetworkAddress?) -> Int
    ) {
        (self.connection, self.writer, self.extendedBodyLimit) = (connection, writer, extendedBodyLimit)
    }

    /// The next request. Nil if the input has ended, or if the shutdown has cancelled the task.
    func next() async -> Request? {
        if Task.isCancelled { return nil }
        if let request = queuedRequests.popFirst() {
            if hasDeferredRead, queuedRequests.isEmpty {
                hasDeferredRead = false
                context?.read()
            }
            return request
        }
        if isClosed { return nil }
        return await withUnsafeContinuation {
            waiting = $0
            sendContinue()
        }
    }

    /// Sends a response. Returns when it is written, or for a stream at its end, which closes the connection. Throws
    /// when the client has disconnected.
    func send(_ response: Response) async throws {
        guard let context, connection.state != .refused else { throw ChannelError.ioOnClosedChannel }
        let channel = context.channel
        if case .stream(let write) = response.body {
            context.write(
                wrapOutboundOut(.head(HTTPResponse(status: response.status, headerFields: response.headers))),
                promise: nil)
            try await write(StreamWriter(channel: channel))
            try await channel.writeAndFlush(HTTPResponsePart.end(nil)).get()
            return channel.close(promise: nil)
        }
        let isLast = connection.recordResponse()
        if channel.isWritable, !isLast { return writer.write(response, promise: nil) }
        // A client that sends requests without reading gets its next response only after taking this one.
        let written = channel.eventLoop.makePromise(of: Void.self)
        writer.write(response, promise: written)
        try await written.futureResult.get()
        if isLast { channel.close(promise: nil) }
    }

    /// See ``ConnectionGuard``.
    func drain() -> EventLoopFuture<Void>? { connection.drain() }

    /// See ``ConnectionGuard``.
    func closeImmediately() { connection.closeImmediately() }

    // MARK: - The pipeline

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            body = ByteBuffer()
            self.head = head
            limit = Request.bodyLimit
            // A declared length beyond the limit is rejected before any byte of the body is read.
            let declared = head.headerFields.value(of: .contentLength).flatMap { Int($0) }
            if let declared, !isWithinLimit(for: declared, head) {
                connection.discardBody()
                return deliver()
            }
            expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue" && head.hasBody
            sendContinue()
        case .body(var part):
            expectsContinue = false
            guard let head else { return }
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
            if !isWithinLimit(for: body.readableBytes, head) {
                connection.discardBody()
                deliver()
            }
        case .end:
            deliver()
        }
    }

    func read(context: ChannelHandlerContext) {
        // Stops reading while complete requests wait, because a client may pipeline any number of them.
        if queuedRequests.isEmpty { context.read() } else { hasDeferredRead = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end()
        context.close(promise: nil)
    }

    /// Sends 100 Continue when the request is next; earlier, it could be confused with responses to preceding
    /// requests.
    private func sendContinue() {
        guard expectsContinue, waiting != nil, let context else { return }
        expectsContinue = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    /// Whether a body may have this many bytes.
    private func isWithinLimit(for bytes: Int, _ head: HTTPRequest) -> Bool {
        if bytes > limit, limit == Request.bodyLimit {
            limit = extendedBodyLimit(head, NetworkAddress(context?.channel.remoteAddress))
        }
        return bytes <= limit
    }

    private func deliver() {
        expectsContinue = false
        guard let head = head.take() else { return }
        let request = Request(head: head, body: body)
        body = ByteBuffer()
        if let waiting = waiting.take() { waiting.resume(returning: request) } else { queuedRequests.append(request) }
    }

    private func end() {
        isClosed = true
        waiting.take()?.resume(returning: nil)
    }
}

extension HTTPRequest {
    /// Whether a body follows, independent of the method (RFC 9112, section 6.3).
    fileprivate var hasBody: Bool {
        headerFields.contains(.transferEncoding) || headerFields[.contentLength].map { $0 != "0" } ?? false
    }
}
