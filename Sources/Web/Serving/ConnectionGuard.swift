// Guards one connection against requests that never become whole, a head or a body that trickles, against a head that is no HTTP, and
// against a client that does not read its answers or has nothing to ask. It stands between the HTTP codec and RequestReader, because an idle
// timeout (NIO's IdleStateHandler) starts anew with each part. A request that arrives in one piece costs a few assignments here and no timer.
// Read next: ConnectionLife.swift, the states.
import Glibc
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Answers 408, 400, 431 or 501 as problems and closes; otherwise passes everything on.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long a client may go on sending to us after a refusal before the connection is cut: it has to read the answer first, and a
    /// connection that is closed with bytes unread is reset, which loses the answer.
    private static let lingering = TimeAmount.seconds(1)
    /// What is left to a half-sent request once the server shuts down.
    private static let shutdownDeadline = TimeAmount.seconds(2)

    private let deadline: TimeAmount
    private let fileDeadline: TimeAmount
    private let idleTimeout: TimeAmount
    private let metrics: RequestMetrics
    private let logger: Logger
    /// The end of the pipeline at the socket, below TLS.
    fileprivate var bottom: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// Of a client that does not read.
    private var stallTimer: Scheduled<Void>?
    /// Looks whether nothing has happened for a while. It runs all the time and is not moved with each request.
    private var idleTimer: Scheduled<Void>?
    private var lastActive = NIODeadline.now()
    private(set) var life = ConnectionLife.open
    private var isReadingRequest = false
    private var isReadingFile = false
    /// Whether bytes have come since the last look, of which FirstByte tells, and whether the codec has made a part of them.
    fileprivate var hasBytes = false
    private var hasPart = false
    private var isResponding = false
    private var responsesOwed = 0

    /// - Parameters:
    ///   - deadline: In what time a whole request must have arrived.
    ///   - fileDeadline: The same for one that brings a file.
    ///   - idleTimeout: After what time without a request the connection is closed.
    init(deadline: TimeAmount, fileDeadline: TimeAmount, idleTimeout: TimeAmount, metrics: RequestMetrics, logger: Logger) {
        (self.deadline, self.fileDeadline, self.idleTimeout) = (deadline, fileDeadline, idleTimeout)
        (self.metrics, self.logger) = (metrics, logger)
    }

    /// A whole answer goes out past this handler; it ends the connection where that has to end and no other is owed.
    /// - Returns: Whether it is.
    func countAnswer() -> Bool {
        responsesOwed -= 1
        lastActive = .now()
        return life.endsWithLastAnswer && responsesOwed == 0
    }

    /// The request that is arriving brings a file: from now on it has the time for that.
    func waitsForFile() {
        isReadingFile = true
        stopTimer()
    }

    /// Kept when the kernel has all that was written so far, and fails when the connection ends before. Nil: it has ended.
    func drain() -> EventLoopFuture<Void>? {
        guard let bottom else { return nil }
        let drained = bottom.eventLoop.makePromise(of: Void.self)
        bottom.writeAndFlush(NIOAny(ByteBuffer()), promise: drained)
        return drained.futureResult
    }

    /// Ends the connection now; TLS would wait for the client's farewell for five seconds.
    func cut() { bottom?.close(promise: nil) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { askWhetherIdle(context, in: idleTimeout) }
        do {
            try context.pipeline.syncOperations.addHandler(FirstByte(of: self), position: .first)
        } catch {
            // The connection has gone already.
            context.close(promise: nil)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        lastActive = .now()
        askWhetherIdle(context, in: idleTimeout)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard life.isReading else { return }
        hasPart = true
        switch unwrapInboundIn(data) {
        case .head:
            (isReadingRequest, isReadingFile) = (true, false)
            responsesOwed += 1
        case .body: break
        case .end:
            isReadingRequest = false
            stopTimer()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard life.isReading else { return context.read() }
        lastActive = .now()
        // Bytes without a part are a head that is not whole.
        if isReadingRequest || hasBytes && !hasPart, timer == nil { startTimer(context, isReadingFile ? fileDeadline : deadline) }
        (hasBytes, hasPart) = (false, false)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stallTimer?.cancel()
        stallTimer = nil
        if !context.channel.isWritable {
            stallTimer = context.eventLoop.assumeIsolated().scheduleTask(in: deadline) { self.abandon(context) }
        }
        context.fireChannelWritabilityChanged()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard life != .refused else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): isResponding = head.status.kind != .informational
        case .body: break
        case .end:
            isResponding = false
            if countAnswer() {
                context.writeAndFlush(data, promise: promise)
                return context.close(promise: nil)
            }
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is IOError, is ChannelError: context.fireErrorCaught(error)
        // No answer can be read where TLS has failed.
        case is NIOSSLError, is BoringSSLError: context.close(promise: nil)
        case HTTPParserError.headerOverflow: refuse(context, .headersTooLarge)
        case RequestHeadFault.transferCoding: refuse(context, .unknownTransferCoding)
        default: refuse(context, .malformedRequest)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            // All others end by themselves.
            guard life == .open else { return }
            life = .ending
            guard responsesOwed > 0 else {
                // The last answer may not be out yet, and who is owed another one by then is closed with that.
                guard let drained = drain() else { return }
                return drained.assumeIsolated().whenComplete { _ in
                    if self.responsesOwed == 0 { context.close(promise: nil) }
                }
            }
            if isReadingRequest {
                stopTimer()
                startTimer(context, min(deadline, Self.shutdownDeadline))
            }
            return
        }
        if life == .refused, case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stopTimers() }

    /// Ends the connection with a reset: the end of one whose window is shut stands behind megabytes that the kernel would keep for minutes.
    private func abandon(_ context: ChannelHandlerContext) {
        let reset = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        guard let reset else { return context.close(promise: nil) }
        reset.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func startTimer(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.timer = nil
            // Who is still owed an answer may have sent half of the next request with it.
            guard self.isReadingRequest || self.responsesOwed == 0 else { return self.startTimer(context, time) }
            self.refuse(context, .requestTimeout)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func stopTimers() {
        stopTimer()
        stallTimer?.cancel()
        idleTimer?.cancel()
    }

    /// Who is owed an answer is not idle, however long it takes.
    private func askWhetherIdle(_ context: ChannelHandlerContext, in time: TimeAmount) {
        idleTimer?.cancel()
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            if self.responsesOwed > 0, !self.isReadingRequest { return self.askWhetherIdle(context, in: self.idleTimeout) }
            let rest = self.lastActive + self.idleTimeout - .now()
            if rest > .zero { self.askWhetherIdle(context, in: rest) } else { context.close(promise: nil) }
        }
    }

    /// Answers if nobody waits for an answer but this request, and nothing of that is out yet; closes in any case. Whole requests before it are
    /// answered first, and theirs is no refusal: they are done.
    private func refuse(_ context: ChannelHandlerContext, _ problem: Problem) {
        guard life.isReading else { return }
        stopTimer()
        guard responsesOwed <= (isReadingRequest ? 1 : 0) else {
            if isReadingRequest { responsesOwed -= 1 }
            (isReadingRequest, life) = (false, .finishing)
            return
        }
        life = .refused
        guard !isResponding, responsesOwed == (isReadingRequest ? 1 : 0) else { return context.close(promise: nil) }
        let request = WebContext(channel: context.channel, logger: logger)
        var (head, body) = ProblemResponse.render(problem, request.id)
        head.headerFields[.requestID] = "\(request.id)"
        metrics.refused(problem)
        if request.isDebugging {
            request.logger.debug("Refused", metadata: ["status": "\(problem.status.code)", "code": "\(problem.code)"])
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let loop = context.eventLoop.assumeIsolated()
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        context.read()
        timer = loop.scheduleTask(in: Self.lingering) { context.close(promise: nil) }
    }
}

/// Tells the guard of bytes before the codec has made anything of them. It stands first on the connection.
private final class FirstByte: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ConnectionGuard

    init(of connection: ConnectionGuard) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { connection.bottom = context }
    func handlerRemoved(context: ChannelHandlerContext) { connection.bottom = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.hasBytes = true
        context.fireChannelRead(data)
    }
}
