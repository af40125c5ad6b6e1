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

    private let headDeadline: TimeAmount
    private let idleTimeout: TimeAmount
    private let progressWindow: TimeAmount
    private let progressMinimum: Int
    private let metrics: RequestMetrics
    private let logger: Logger
    /// The end of the pipeline at the socket, below TLS.
    fileprivate var bottom: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// Checks whether the connection is idle, or its client takes too little of its answers. It runs all the time and
    /// is not moved with each request.
    private var checkTimer: Scheduled<Void>?
    /// Whether the check was moved forward, because more waits to be taken than fits into the channel's buffer.
    private var isCheckedSoon = false
    /// What waited to be taken at the last check; nil: nothing.
    private var waitingOutput: WaitingOutput?
    private var lastActive = NIODeadline.now()
    private(set) var life = ConnectionLife.open
    private var isReadingRequest = false
    /// How much of the body that is arriving has come.
    private var bodyBytes = 0
    /// Whether the rest of the body is passed over, because its request was refused already.
    private var isDiscarding = false
    /// Whether bytes have come since the last look, of which FirstByte tells, and whether the codec has made a part of them.
    fileprivate var hasBytes = false
    private var hasPart = false
    private var isResponding = false
    private var responsesOwed = 0

    init(limits: ConnectionLimits, metrics: RequestMetrics, logger: Logger) {
        (headDeadline, idleTimeout) = (TimeAmount(limits.requestDeadline), TimeAmount(limits.idleTimeout))
        (progressWindow, progressMinimum) = (TimeAmount(limits.progressWindow), limits.progressMinimum)
        (self.metrics, self.logger) = (metrics, logger)
    }

    /// A whole answer goes out past this handler; it ends the connection where that has to end and no other is owed.
    /// - Returns: Whether it is.
    func countAnswer() -> Bool {
        responsesOwed -= 1
        lastActive = .now()
        return life.endsWithLastAnswer && responsesOwed == 0
    }

    /// The request that is arriving is refused before its body has come. The rest of the body has a deadline, because
    /// no limit of size ends it.
    func discardsBody() {
        isDiscarding = true
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
        if context.channel.isActive { scheduleCheck(context, in: min(idleTimeout, progressWindow)) }
        do {
            try context.pipeline.syncOperations.addHandler(FirstByte(of: self), position: .first)
        } catch {
            // The connection has gone already.
            context.close(promise: nil)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        lastActive = .now()
        scheduleCheck(context, in: min(idleTimeout, progressWindow))
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard life.isReading else { return }
        hasPart = true
        switch unwrapInboundIn(data) {
        case .head:
            stopTimer()
            (isReadingRequest, isDiscarding, bodyBytes) = (true, false, 0)
            responsesOwed += 1
        case .body(let part): bodyBytes += part.readableBytes
        case .end:
            isReadingRequest = false
            stopTimer()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard life.isReading else { return context.read() }
        lastActive = .now()
        if timer == nil {
            // Bytes without a part are a head that is not whole.
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
        // Most answers that do not fit are taken within milliseconds, and then this check finds nothing that waits.
        if !context.channel.isWritable, waitingOutput == nil, !isCheckedSoon {
            isCheckedSoon = true
            scheduleCheck(context, in: .nanoseconds(progressWindow.nanoseconds / 10))
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
                startTimer(context, min(headDeadline, Self.shutdownDeadline))
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

    /// A body has no deadline, but it has to make progress: slow clients send it in the time that they need, and those
    /// that send a byte now and then are refused.
    private func startBodyTimer(_ context: ChannelHandlerContext) {
        if life == .ending { return startTimer(context, min(headDeadline, Self.shutdownDeadline)) }
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
        let waiting = WaitingOutput(bytes: bytes, acknowledged: Self.acknowledgedBytes(context))
        if let before = waitingOutput, !waiting.hasProgress(since: before, of: progressMinimum) {
            return abandon(context)
        }
        waitingOutput = waiting
        drain()?.assumeIsolated().whenSuccess { waiting.isTaken = true }
        scheduleCheck(context, in: progressWindow)
    }

    /// A client that waits for an answer is not idle, however long the answer takes.
    private func checkIdle(_ context: ChannelHandlerContext) {
        let isOwed = responsesOwed > 0 && !isReadingRequest
        let rest = isOwed ? idleTimeout : lastActive + idleTimeout - .now()
        guard rest > .zero else { return context.close(promise: nil) }
        scheduleCheck(context, in: min(rest, progressWindow))
    }

    /// How many bytes the client's side has acknowledged since the connection began; nil if the kernel does not say.
    ///
    /// The kernel's buffer says less: with megabytes in it, it takes more only each time when a third of it is free,
    /// which a slow reader needs minutes for.
    private static func acknowledgedBytes(_ context: ChannelHandlerContext) -> UInt64? {
        guard let socket = context.channel as? any SocketOptionProvider else { return nil }
        var bytes: UInt64?
        let info: EventLoopFuture<TCPInfo> = socket.unsafeGetSocketOption(level: .tcp, name: .tcp_info)
        // On the connection's event loop it is there at once.
        info.assumeIsolated().whenSuccess { bytes = $0.acknowledgedBytes }
        return bytes
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

/// Output that the kernel has not taken.
private final class WaitingOutput {
    let bytes: Int
    let acknowledged: UInt64?
    /// Whether all of it was taken since.
    var isTaken = false

    init(bytes: Int, acknowledged: UInt64?) { (self.bytes, self.acknowledged) = (bytes, acknowledged) }

    /// Whether the client has taken so many bytes since then, or all that waited.
    func hasProgress(since before: WaitingOutput, of minimum: Int) -> Bool {
        if before.isTaken || before.bytes - bytes >= minimum { return true }
        guard let acknowledged, let past = before.acknowledged else { return false }
        return acknowledged >= past + UInt64(minimum)
    }
}

/// The beginning of `struct tcp_info` of linux/tcp.h, up to `tcpi_bytes_acked`. glibc's struct of that name is shorter.
private struct TCPInfo: Sendable {
    private typealias Words = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
    )

    private let words: Words

    var acknowledgedBytes: UInt64 { words.15 }
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
