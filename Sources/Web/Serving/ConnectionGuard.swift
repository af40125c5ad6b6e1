// Guards one connection against requests that never become whole: a body that trickles, a head that is no HTTP.
// It stands between the HTTP codec and Hummingbird, because an idle timeout starts anew with each byte and Hummingbird's own
// 400 has no body. A request that arrives in one piece costs a few assignments here and no timer.

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Answers 408, 400 or 431 as problems and closes; otherwise passes everything on.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long a client may go on sending to us after a refusal before the connection is cut: it has to read the answer first, and a
    /// connection that is closed with bytes unread is reset, which loses the answer.
    private static let linger = TimeAmount.seconds(1)
    /// What is left to a half-sent request once the server shuts down.
    private static let shutdownDeadline = TimeAmount.seconds(2)

    private let deadline: TimeAmount
    private var timer: Scheduled<Void>?
    private var isReadingRequest = false
    private var isResponding = false
    private var responsesOwed = 0
    private var isRefused = false

    init(deadline: TimeAmount) {
        self.deadline = deadline
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefused { return }
        switch unwrapInboundIn(data) {
        case .head:
            isReadingRequest = true
            responsesOwed += 1
        case .body: break
        case .end:
            isReadingRequest = false
            stopTimer()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isRefused { return context.read() }
        if isReadingRequest, timer == nil { startTimer(context, deadline) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isRefused {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): isResponding = head.status.kind != .informational
        case .body: break
        case .end:
            isResponding = false
            responsesOwed -= 1
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is IOError, is ChannelError: context.fireErrorCaught(error)
        // No answer can be read where TLS has failed.
        case is NIOSSLError, is BoringSSLError: context.close(promise: nil)
        case HTTPParserError.headerOverflow: refuse(context, .headersTooLarge)
        default: refuse(context, .malformedRequest)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, isReadingRequest {
            stopTimer()
            startTimer(context, min(deadline, Self.shutdownDeadline))
        }
        if isRefused, case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopTimer()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopTimer()
    }

    private func startTimer(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.timer = nil
            if self.isReadingRequest { self.refuse(context, .requestTimeout) }
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Answers if this is the request whose turn it is and nothing of an answer is out yet; closes in any case.
    private func refuse(_ context: ChannelHandlerContext, _ problem: Problem) {
        guard !isRefused else { return }
        isRefused = true
        stopTimer()
        guard !isResponding, responsesOwed <= 1 else { return context.close(promise: nil) }
        let id = RequestID()
        var (head, body) = ProblemResponse.render(problem, id)
        head.headerFields[.requestID] = "\(id)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let loop = context.eventLoop.assumeIsolated()
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        context.read()
        timer = loop.scheduleTask(in: Self.linger) { context.close(promise: nil) }
    }
}
