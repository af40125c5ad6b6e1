// Tells ConnectionGuard that bytes have arrived, also if they are not a complete part yet.
import NIOCore

/// Reports incoming bytes to the guard before the codec parses them. It is the first handler of the connection.
final class FirstByte: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ConnectionGuard

    init(of connection: ConnectionGuard) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { connection.socketContext = context }
    func handlerRemoved(context: ChannelHandlerContext) { connection.socketContext = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.hasBytes = true
        context.fireChannelRead(data)
    }
}
