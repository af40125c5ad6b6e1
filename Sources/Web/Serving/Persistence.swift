// Which request is a connection's last (RFC 9112, section 9.3): it says so itself, it is of HTTP/1.0 and does not ask to go on, or it wants another
// protocol, which we answer in HTTP/1.1 and go no further (RFC 9110, section 7.8). What comes after it is not read: the decoder would keep it
// for ever. It stands between NIO's HTTP codec and HTTPTypes', which knows no versions, and so refuses a head that no request may have too.
// Read next: RequestHeadFault.swift, ConnectionGuard.swift.
import NIOCore
import NIOHTTP1

/// Marks the last request with `Connection: close` alone, whatever it said; and makes of HTTP/1.0 what means the same in HTTP/1.1, but for streams.
final class Persistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is read: from `open` to `last` with the head of a connection's last request, and with its end to `over`; or to `refused` with a head
    /// that no request may have. No state is come back to.
    private enum Reading { case open, last, over, refused }

    private var reading = Reading.open
    private var isOld = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if reading == .over || reading == .refused { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let fault = head.fault {
                reading = .refused
                return context.fireErrorCaught(fault)
            }
            isOld = head.version != .http1_1
            let isLast = !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
            guard isOld || isLast else { break }
            if isLast {
                reading = .last
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            // Nothing comes there between the request and the answer (RFC 9110, section 10.1.1).
            if isOld { head.headers.remove(name: "expect") }
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: break
        case .end: if reading == .last { reading = .over }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) { if reading != .over { context.read() } }

    /// Only streams and refusals come by; for HTTP/1.0 they have no chunks.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isOld, case .head(var head) = unwrapOutboundIn(data) {
            head.version = .http1_0
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        context.write(data, promise: promise)
    }
}
