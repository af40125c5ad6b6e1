// Decides which request is the last of a connection (RFC 9112, section 9.3) and reads nothing behind it. Stands between
// RequestDecoder, to which it reports each part, and HTTPTypes' codec, which knows no versions. For that reason it also
// refuses a head that no request may have.
import NIOCore
import NIOHTTP1

/// Marks the last request with `Connection: close` alone, whatever it said; and makes of HTTP/1.0 what means the same in HTTP/1.1, but for streams.
final class Persistence: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Marks, as the value of Connection, a request of HTTP/1.0 that asks to keep the connection. Its answer has to say
    /// so (RFC 9112, section 9.3). Clients of HTTP/1.1 need no such answer and mostly spell the value in small letters.
    static let kept = "Keep-Alive"

    /// What is read: from `open` to `last` with the head of a connection's last request, and with its end to `over`; or to `refused` with a head
    /// that no request may have. No state is come back to.
    private enum Reading { case open, last, over, refused }

    private var reading = Reading.open
    private var isOld = false
    /// Whether the request that is arriving asks for another protocol, which is ignored.
    private var isUpgrade = false
    private let decoder: RequestDecoder

    init(_ decoder: RequestDecoder) { self.decoder = decoder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        report(part)
        if reading == .over || reading == .refused { return }
        switch part {
        case .head(var head):
            if let fault = head.fault {
                reading = .refused
                return context.fireErrorCaught(fault)
            }
            let upgrade = head.upgrade
            isUpgrade = upgrade == .ignored
            isOld = head.version != .http1_1
            let isLast = !head.isKeepAlive || head.method == .CONNECT || upgrade == .unclear
            guard isOld || isLast else { break }
            if isLast { reading = .last }
            head.headers.replaceOrAdd(name: "connection", value: isLast ? "close" : Self.kept)
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
