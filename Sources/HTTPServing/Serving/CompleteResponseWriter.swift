// Writes complete responses, head and body in one buffer, directly to the socket or TLS. It bypasses the HTTP encoder,
// because three parts through five handlers cost 6 µs per response. Streams and refusals still use the encoder.
import HTTPTypes
import NIOCore

/// Writes complete responses; everything else passes through unchanged.
final class CompleteResponseWriter: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Copies bodies up to this size behind their head, which is cheaper than a second buffer (10 KB: 0.3 µs).
    private static let copiedSize = 16 * 1024
    /// Typical heads have 300 to 450 bytes.
    private static let headSize = 512

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends a response. The promise succeeds when the kernel or TLS has accepted it.
    func write(_ response: Response, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard case .bytes(var body) = response.body else {
            return context.writeAndFlush(
                wrapOutboundOut(.byteBuffer(Self.head(response, bodyCapacity: 0))), promise: promise)
        }
        let isCopied = body.readableBytes <= Self.copiedSize
        var bytes = Self.head(response, bodyCapacity: isCopied ? body.readableBytes : 0)
        if isCopied {
            bytes.writeBuffer(&body)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        } else {
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(body)), promise: promise)
        }
    }

    /// The status line and headers (RFC 9112, section 4), with capacity for the body. HTTPTypes guarantees that names
    /// and values contain no line breaks.
    static func head(_ response: Response, bodyCapacity: Int) -> ByteBuffer {
        let status = response.status
        // Responses with these statuses have no body, so a length is meaningless (RFC 9110, section 8.6).
        let hasLength = status != .notModified && status != .noContent
        var bytes = ByteBufferAllocator().buffer(capacity: headSize + bodyCapacity)
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status.code))
        bytes.writeStaticString(" ")
        bytes.writeString(status.reasonPhrase)
        for field in response.headers where hasLength || field.name != .contentLength {
            bytes.writeStaticString("\r\n")
            bytes.writeString(field.name.rawName)
            bytes.writeStaticString(": ")
            bytes.writeString(field.value)
        }
        bytes.writeStaticString("\r\n\r\n")
        return bytes
    }
}
