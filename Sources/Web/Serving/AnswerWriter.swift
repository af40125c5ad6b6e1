// Writes an answer whose body is there already: head and body as one buffer, straight to the socket or to TLS. It stands on the connection below the
// HTTP encoder, which only streams and refusals go through: three parts through five handlers and two lists of headers took 6 µs of each answer.
// Asked by RequestReader. Read next: ConnectionGuard.swift, which is told of each answer.
import HTTPTypes
import NIOCore

/// The way out of a connection for whole answers; everything else passes through it.
final class AnswerWriter: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// A body up to this size is copied behind its head, which costs less than a second buffer on the way to the kernel (10 KB: 0.3 µs).
    private static let copiedSize = 16 * 1024
    /// Our heads have 300 to 450 bytes.
    private static let headSize = 512

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends an answer; the promise is kept when the kernel has it, or TLS.
    func write(_ response: Response, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard case .bytes(var body) = response.body else {
            return context.writeAndFlush(wrapOutboundOut(.byteBuffer(Self.head(response, room: 0))), promise: promise)
        }
        let isCopied = body.readableBytes <= Self.copiedSize
        var bytes = Self.head(response, room: isCopied ? body.readableBytes : 0)
        if isCopied {
            bytes.writeBuffer(&body)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        } else {
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(body)), promise: promise)
        }
    }

    /// Status line and headers (RFC 9112, section 4), with room for so many bytes more. Names and values are HTTPTypes', which holds none with a line's end.
    static func head(_ response: Response, room: Int) -> ByteBuffer {
        let status = response.status
        // These have no body, so their length says nothing (RFC 9110, section 8.6).
        let hasLength = status != .notModified && status != .noContent
        var bytes = ByteBufferAllocator().buffer(capacity: headSize + room)
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
