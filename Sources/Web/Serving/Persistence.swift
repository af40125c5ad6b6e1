// Which request is a connection's last (RFC 9112, section 9.3): it says so itself, or it is of HTTP/1.0, or it asks for another protocol, which
// we answer in HTTP/1.1 and go no further (RFC 9110, section 7.8). What comes after it is not read: the decoder would keep it for ever.
// It stands between NIO's HTTP codec and HTTPTypes', which no longer know the version. Read next: ConnectionGuard.swift.

import NIOCore
import NIOHTTP1

/// Marks the last request with `Connection: close` alone, whatever it said.
final class Persistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isLast = false
    private var isOver = false
    /// Streams to HTTP/1.0 have no chunks.
    private var version = HTTPVersion.http1_1

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOver { return }
        switch unwrapInboundIn(data) {
        case .head(var head)
        where !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT || head.headers.contains(name: "upgrade"):
            (isLast, version) = (true, head.version)
            head.headers.replaceOrAdd(name: "connection", value: "close")
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .head, .body: break
        case .end: isOver = isLast
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if !isOver { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if version != .http1_1, case .head(var head) = unwrapOutboundIn(data) {
            head.version = version
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        context.write(data, promise: promise)
    }
}
