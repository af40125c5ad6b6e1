// Gathers the parts of a connection's requests, hands them over whole and one at a time, and sends the answers: the end of the pipeline, on the
// connection's event loop like the task that asks it. Made by HTTPConnections. Read next: ConnectionGuard.swift, which refuses what is no HTTP.
import DequeModule
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Where a connection's bytes have become requests.
final class RequestReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Of the request that is arriving; nil between two, and while the rest of one that was handed over early is passed over.
    private var head: HTTPRequest?
    private var body = ByteBuffer()
    /// Whether the client holds its body back until it is told to go on (RFC 9110, section 10.1.1).
    private var asksFirst = false
    /// Whole requests whose turn has not come.
    private var arrived: Deque<Request> = []
    private var waiting: UnsafeContinuation<Request?, Never>?
    private var context: ChannelHandlerContext?
    private var holdsRead = false
    private var isOver = false
    private let connection: ConnectionGuard
    private let writer: AnswerWriter
    /// How much may come of the body that is arriving.
    private var limit = Request.bodyLimit
    private let largerLimit: (HTTPRequest, SocketAddress?) -> Int

    /// - Parameter largerLimit: How much a request may bring that brings more than most may.
    init(
        on connection: ConnectionGuard, answeringBy writer: AnswerWriter,
        largerLimit: @escaping (HTTPRequest, SocketAddress?) -> Int
    ) {
        (self.connection, self.writer, self.largerLimit) = (connection, writer, largerLimit)
    }

    /// The next request; nil when there will be none, or none is to be answered any more.
    func next() async -> Request? {
        if Task.isCancelled { return nil }
        if let request = arrived.popFirst() {
            if holdsRead, arrived.isEmpty {
                holdsRead = false
                context?.read()
            }
            return request
        }
        if isOver { return nil }
        return await withUnsafeContinuation {
            waiting = $0
            goOn()
        }
    }

    /// Sends an answer. Returns when it is on its way, or for a stream at its end, which is the connection's too; throws when the client is gone.
    func send(_ response: Response) async throws {
        guard let context, connection.life != .refused else { throw ChannelError.ioOnClosedChannel }
        let channel = context.channel
        if case .stream(let write) = response.body {
            context.write(wrapOutboundOut(.head(HTTPResponse(status: response.status, headerFields: response.headers))), promise: nil)
            try await write(StreamWriter(channel: channel))
            try await channel.writeAndFlush(HTTPResponsePart.end(nil)).get()
            return channel.close(promise: nil)
        }
        let isLast = connection.countAnswer()
        if channel.isWritable, !isLast { return writer.write(response, promise: nil) }
        // A client that asks and asks, and does not read, gets its next answer when it has taken this one.
        let written = channel.eventLoop.makePromise(of: Void.self)
        writer.write(response, promise: written)
        try await written.futureResult.get()
        if isLast { channel.close(promise: nil) }
    }

    /// See ``ConnectionGuard``.
    func drain() -> EventLoopFuture<Void>? { connection.drain() }

    /// See ``ConnectionGuard``.
    func cut() { connection.cut() }

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
            // Refused before a byte of it is taken.
            let declared = head.headerFields.value(of: .contentLength).flatMap { Int($0) }
            if let declared, !hasRoom(for: declared, head) {
                connection.discardsBody()
                return handOver()
            }
            asksFirst = head.headerFields[.expect]?.lowercased() == "100-continue" && head.hasBody
            goOn()
        case .body(var part):
            asksFirst = false
            guard let head else { return }
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
            if !hasRoom(for: body.readableBytes, head) {
                connection.discardsBody()
                handOver()
            }
        case .end:
            handOver()
        }
    }

    func read(context: ChannelHandlerContext) {
        // A client may send ahead, but not without bounds.
        if arrived.isEmpty { context.read() } else { holdsRead = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end()
        context.close(promise: nil)
    }

    /// Lets the client send its body when its turn has come: before, the answers to what it asked earlier would be mixed up with this one.
    private func goOn() {
        guard asksFirst, waiting != nil, let context else { return }
        asksFirst = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    /// Whether a body may have so many bytes.
    private func hasRoom(for bytes: Int, _ head: HTTPRequest) -> Bool {
        if bytes > limit, limit == Request.bodyLimit {
            limit = largerLimit(head, context?.channel.remoteAddress)
        }
        return bytes <= limit
    }

    private func handOver() {
        asksFirst = false
        guard let head = head.take() else { return }
        let request = Request(head: head, body: body)
        body = ByteBuffer()
        if let waiting = waiting.take() { waiting.resume(returning: request) } else { arrived.append(request) }
    }

    private func end() {
        isOver = true
        waiting.take()?.resume(returning: nil)
    }
}

extension HTTPRequest {
    /// Whether a body follows, whatever the method (RFC 9112, section 6.3).
    fileprivate var hasBody: Bool {
        headerFields.contains(.transferEncoding) || headerFields[.contentLength].map { $0 != "0" } ?? false
    }
}
