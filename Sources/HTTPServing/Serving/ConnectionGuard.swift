// Protects one connection against incomplete, slow or malformed requests, and against clients that do not read or stay
// idle. It has its own timers behind the HTTP codec, because NIO's IdleStateHandler restarts its timer with every
// received part. A request that arrives in one piece starts no timer.
import Glibc
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Responds to such requests with 408, 400, 431 or 501 and closes the connection. Passes all other parts on.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long a refused client may still send before the connection closes. Closing with unread bytes resets the
    /// connection, which loses the response.
    private static let lingering = TimeAmount.seconds(1)
    /// The time in which an incomplete request must arrive after the shutdown has begun.
    private static let shutdownDeadline = TimeAmount.seconds(2)

    private let headDeadline: TimeAmount
    private let idleTimeout: TimeAmount
    private let progressWindow: TimeAmount
    private let progressMinimum: Int
    private let metrics: RequestMetrics
    private let problems: ProblemWriter
    private let logger: Logger
    /// The handler context next to the socket, below TLS. Set by FirstByte.
    var socketContext: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// Checks periodically whether the client is idle or reads too slowly. Requests do not reschedule it.
    private var checkTimer: Scheduled<Void>?
    /// Whether the next check was moved forward because the channel's write buffer is full.
    private var isCheckedSoon = false
    /// The output that was pending at the last check; nil for none.
    private var waitingOutput: WaitingOutput?
    private var lastActive = NIODeadline.now()
    private(set) var state = ConnectionState.open
    private var isReadingRequest = false
    /// The received bytes of the current body.
    private var bodyBytes = 0
    /// Whether the rest of the body is discarded because its request was already refused.
    private var isDiscarding = false
    /// Whether bytes arrived since the last read-complete event, and whether the codec produced a part.
    var hasBytes = false
    private var hasPart = false
    private var isResponding = false
    private var pendingResponses = 0

    init(limits: ConnectionLimits, metrics: RequestMetrics, problems: ProblemWriter, logger: Logger) {
        (headDeadline, idleTimeout) = (TimeAmount(limits.requestDeadline), TimeAmount(limits.idleTimeout))
        (progressWindow, progressMinimum) = (TimeAmount(limits.progressWindow), limits.progressMinimum)
        (self.metrics, self.problems, self.logger) = (metrics, problems, logger)
    }

    /// Records a complete response that bypasses this handler.
    /// - Returns: Whether the connection has to close after it, because no other response is pending.
    func recordResponse() -> Bool {
        pendingResponses -= 1
        lastActive = .now()
        return state.closesAfterLastResponse && pendingResponses == 0
    }

    /// Discards the rest of a body whose request was refused. The rest has a deadline, because no size limit ends it.
    func discardBody() {
        isDiscarding = true
        stopTimer()
    }

    /// Succeeds when the kernel has accepted all bytes written so far, and fails if the connection ends before. Nil if
    /// the connection has already ended.
    func drain() -> EventLoopFuture<Void>? {
        guard let socketContext else { return nil }
        let drained = socketContext.eventLoop.makePromise(of: Void.self)
        socketContext.writeAndFlush(NIOAny(ByteBuffer()), promise: drained)
        return drained.futureResult
    }

    /// Closes the connection immediately; TLS would wait five seconds for the client's close.
    func closeImmediately() { socketContext?.close(promise: nil) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { scheduleCheck(context, in: min(idleTimeout, progressWindow)) }
        do {
            try context.pipeline.syncOperations.addHandler(FirstByte(of: self), position: .first)
        } catch {
            // The connection has already ended.
            context.close(promise: nil)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        lastActive = .now()
        scheduleCheck(context, in: min(idleTimeout, progressWindow))
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state.isReading else { return }
        hasPart = true
        switch unwrapInboundIn(data) {
        case .head:
            stopTimer()
            (isReadingRequest, isDiscarding, bodyBytes) = (true, false, 0)
            pendingResponses += 1
        case .body(let part): bodyBytes += part.readableBytes
        case .end:
            isReadingRequest = false
            stopTimer()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard state.isReading else { return context.read() }
        lastActive = .now()
        if timer == nil {
            // Bytes that produced no part belong to an incomplete head.
            if isReadingRequest {
                startBodyTimer(context)
            } else if hasBytes, !hasPart {
                startTimer(context, headDeadline)
            }
        }
        (hasBytes, hasPart) = (false, false)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Clients take most large responses within milliseconds, and then this early check finds no pending output.
        if !context.channel.isWritable, waitingOutput == nil, !isCheckedSoon {
            isCheckedSoon = true
            scheduleCheck(context, in: .nanoseconds(progressWindow.nanoseconds / 10))
        }
        context.fireChannelWritabilityChanged()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .refused else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): isResponding = head.status.kind != .informational
        case .body: break
        case .end:
            isResponding = false
            if recordResponse() {
                context.writeAndFlush(data, promise: promise)
                return context.close(promise: nil)
            }
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is IOError, is ChannelError: context.fireErrorCaught(error)
        // The client cannot read a response after TLS has failed.
        case is NIOSSLError, is BoringSSLError: context.close(promise: nil)
        case HTTPParserError.headerOverflow: refuse(context, .headersTooLarge)
        case RequestHeadError.transferCoding: refuse(context, .unknownTransferCoding)
        default: refuse(context, .malformedRequest)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            // In all other states the connection already closes by itself.
            guard state == .open else { return }
            state = .ending
            guard pendingResponses > 0 else {
                // The last response may still be in the buffer. If another request arrives before that response is
                // sent, the other request's response closes the connection.
                guard let drained = drain() else { return }
                return drained.assumeIsolated().whenComplete { _ in
                    if self.pendingResponses == 0 { context.close(promise: nil) }
                }
            }
            if isReadingRequest {
                stopTimer()
                startTimer(context, min(headDeadline, Self.shutdownDeadline))
            }
            return
        }
        if state == .refused, case ChannelEvent.inputClosed? = event as? ChannelEvent {
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimers()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stopTimers() }

    /// Resets the connection. A regular close first sends the pending bytes. If the receive window is closed, the
    /// kernel would keep megabytes of them for minutes.
    private func resetConnection(_ context: ChannelHandlerContext) {
        let reset = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        guard let reset else { return context.close(promise: nil) }
        reset.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func startTimer(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.timer = nil
            // While a response is pending, an incomplete head may be half of the client's next request: wait longer.
            guard self.isReadingRequest || self.pendingResponses == 0 else { return self.startTimer(context, time) }
            self.refuse(context, .requestTimeout)
        }
    }

    /// A body has no deadline but must make progress. Slow clients may take their time, and clients that send single
    /// bytes are refused.
    private func startBodyTimer(_ context: ChannelHandlerContext) {
        if state == .ending { return startTimer(context, min(headDeadline, Self.shutdownDeadline)) }
        if isDiscarding { return startTimer(context, headDeadline) }
        let before = bodyBytes
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: progressWindow) {
            self.timer = nil
            guard self.bodyBytes - before < self.progressMinimum else { return self.startBodyTimer(context) }
            self.refuse(context, .requestTimeout)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func stopTimers() {
        stopTimer()
        checkTimer?.cancel()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext, in time: TimeAmount) {
        checkTimer?.cancel()
        checkTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.check(context) }
    }

    private func check(_ context: ChannelHandlerContext) {
        isCheckedSoon = false
        let bytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard bytes > 0 else {
            waitingOutput = nil
            return checkIdle(context)
        }
        let waiting = WaitingOutput(bytes: bytes, of: context.channel)
        if let before = waitingOutput, !waiting.hasProgress(since: before, of: progressMinimum) {
            return resetConnection(context)
        }
        waitingOutput = waiting
        drain()?.assumeIsolated().whenSuccess { waiting.isFlushed = true }
        scheduleCheck(context, in: progressWindow)
    }

    /// A client that waits for a response is not idle, however long the response takes.
    private func checkIdle(_ context: ChannelHandlerContext) {
        let isWaiting = pendingResponses > 0 && !isReadingRequest
        let rest = isWaiting ? idleTimeout : lastActive + idleTimeout - .now()
        guard rest > .zero else { return context.close(promise: nil) }
        scheduleCheck(context, in: min(rest, progressWindow))
    }

    /// Refuses the current request and closes the connection. If responses to earlier requests are pending, sends only
    /// those and counts no refusal. If a part of another response was sent, closes the connection at once.
    private func refuse(_ context: ChannelHandlerContext, _ problem: Problem) {
        guard state.isReading else { return }
        stopTimer()
        guard pendingResponses <= (isReadingRequest ? 1 : 0) else {
            if isReadingRequest { pendingResponses -= 1 }
            (isReadingRequest, state) = (false, .finishing)
            return
        }
        state = .refused
        guard !isResponding, pendingResponses == (isReadingRequest ? 1 : 0) else { return context.close(promise: nil) }
        let request = RequestContext(channel: context.channel, logger: logger)
        var (head, body) = problems.render(problem, request.id)
        head.headerFields[.requestID] = "\(request.id)"
        metrics.recordProblem(problem)
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
