// HTTP/1.0, which some load balancers still ask a server's health by. HTTPTypes knows no versions, so what differs is said in headers before a
// request becomes one of its. Added to each connection by HTTPConnections.

import NIOCore
import NIOHTTP1

/// Makes a request of HTTP/1.0 one of HTTP/1.1 that means the same: the connection ends with the answer unless the client would keep it, and
/// there is nothing between the request and the answer (RFC 9112, section 9.3; RFC 9110, section 10.1.1).
final class OldClients: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else { return context.fireChannelRead(data) }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        head.headers.remove(name: "Expect")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
