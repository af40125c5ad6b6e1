// Determines the last request of a connection (RFC 9112, section 9.3) and reads nothing after it. Precedes HTTPTypes'
// codec, because the codec drops the HTTP version. Rejects invalid heads too, which depend on the version.
import NIOCore
import NIOHTTP1

/// Marks the last request with `Connection: close`, whatever it sent. Translates HTTP/1.0 to HTTP/1.1, except for
/// streams.
final class Persistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The Connection value that marks an HTTP/1.0 request for a persistent connection. The response has to confirm the
    /// persistence (RFC 9112, section 9.3). HTTP/1.1 clients need no confirmation and mostly send lowercase.
    static let keepAlive = "Keep-Alive"

    /// The state of reading, which never returns to an earlier one: `last` from the head of the last request on, `over`
    /// from its end on, `refused` after an invalid head.
    private enum Reading { case open, last, over, refused }

    private var reading = Reading.open
    private var isHTTP10 = false
    /// Whether the current request asks for another protocol, which is ignored.
    private var isUpgrade = false
    private let decoder: RequestDecoder

    init(_ decoder: RequestDecoder) { self.decoder = decoder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        report(part)
        if reading == .over || reading == .refused { return }
        switch part {
        case .head(var head):
            if let error = head.headError {
                reading = .refused
                return context.fireErrorCaught(error)
            }
            let upgrade = head.upgrade
            isUpgrade = upgrade == .ignored
            isHTTP10 = head.version != .http1_1
            let isLast = !head.isKeepAlive || head.method == .CONNECT || upgrade == .unclear
            guard isHTTP10 || isLast else { break }
            if isLast { reading = .last }
            head.headers.replaceOrAdd(name: "connection", value: isLast ? "close" : Self.keepAlive)
            // HTTP/1.0 has no interim responses (RFC 9110, section 10.1.1).
            if isHTTP10 { head.headers.remove(name: "expect") }
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: break
        case .end: if reading == .last { reading = .over }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) { if reading != .over { context.read() } }

    /// Only streams and refusals pass here; for HTTP/1.0 they are not chunked.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isHTTP10, case .head(var head) = unwrapOutboundIn(data) {
            head.version = .http1_0
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        context.write(data, promise: promise)
    }

    private func report(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: decoder.decodedHead()
        case .body(let bytes): decoder.decodedBody(bytes: bytes.readableBytes)
        case .end:
            decoder.decodedEnd(isUpgrade: isUpgrade)
            isUpgrade = false
        }
    }
}
