// Serves each connection on its event loop: reads a complete request, responds, writes the response. Replaces
// Hummingbird's HTTP1Channel, whose two locked queues cost a third of the time of a cached response (24 µs, now 16 µs).
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// Serves HTTP/1.1, with TLS if there is a certificate.
struct HTTPConnections: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let reader: NIOLoopBound<RequestReader>
        fileprivate let use: ConnectionUse
    }

    /// The time that a client has to take the current response after the shutdown has cancelled its task. By then,
    /// eight of the promised ten seconds have passed.
    private static let cancelledDeadline = TimeAmount.seconds(1)

    let responder: Responder
    let limits: ConnectionLimits
    let admission: ConnectionAdmission
    let certificate: ServerCertificate?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let guarded = NIOLoopBoundBox.makeEmptyBox(valueType: ConnectionGuard.self, eventLoop: channel.eventLoop)
            let use = admission.admit(channel) { channel.eventLoop.execute { guarded.value?.closeImmediately() } }
            let limits = if case .requests = use { self.limits } else { self.limits.forHealthCheck }
            var decoderLimits = NIOHTTPDecoderLimitConfiguration()
            decoderLimits.maxHeaderFieldSize = limits.maxHeaderBytes
            decoderLimits.maxHeaderListSize = limits.maxHeaderBytes
            decoderLimits.maxHeaderFieldCount = limits.maxHeaders
            let pipeline = channel.pipeline.syncOperations
            // When 64 KiB are pending, the channel stays unwritable until the kernel has accepted all of them.
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 1, high: 64 * 1024))
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
            let writer = CompleteResponseWriter()
            try pipeline.addHandler(writer)
            try pipeline.addHandler(HTTPResponseEncoder(configuration: .init()))
            let decoder = RequestDecoder(decoderLimits)
            try pipeline.addHandler(ByteToMessageHandler(decoder))
            try pipeline.addHandler(Persistence(decoder))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
            let connection = ConnectionGuard(
                limits: limits, metrics: responder.metrics, problems: responder.problems, logger: logger)
            guarded.value = connection
            try pipeline.addHandler(connection)
            let reader = RequestReader(on: connection, answeringBy: writer, extendedBodyLimit: responder.bodyLimit)
            try pipeline.addHandler(reader)
            return Value(channel: channel, reader: NIOLoopBound(reader, eventLoop: channel.eventLoop), use: use)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop: value.channel.eventLoop)) {
            await serve(value, logger)
        }
    }

    /// Runs on the connection's event loop, because thread hops would cost more than most responses.
    @concurrent
    private func serve(_ connection: Value, _ logger: Logger) async {
        let (channel, reader) = (connection.channel, connection.reader.value)
        await withTaskCancellationHandler {
            while let request = await reader.next() {
                let context = RequestContext(channel: channel, logger: logger, use: connection.use)
                var response = await responder.respond(to: request, context)
                if case .healthCheck = connection.use { response.headers[.connection] = "close" }
                switch request.headers.value(of: .connection) {
                case "close": response.headers[.connection] = "close"
                // The connection closes at the end of a stream.
                case Persistence.keepAlive: response.headers[.connection] = response.isStream ? "close" : "keep-alive"
                default: break
                }
                do { try await reader.send(response) } catch { break }
                if response.headers.value(of: .connection) == "close" { break }
            }
            // Wait until the kernel has accepted the responses. If the client has already closed its side, closing ours
            // ends the connection and discards all other bytes.
            _ = try? await reader.drain()?.get()
            channel.close(mode: .output, promise: nil)
            // An error of the close has no consequence.
            _ = try? await channel.closeFuture.get()
        } onCancel: {
            // Reads no further request, and leaves the client time to take the current response. TLS cannot close one
            // side only, so the whole connection closes.
            channel.close(mode: .input).whenFailure { _ in channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: Self.cancelledDeadline) { connection.reader.value.closeImmediately() }
        }
    }
}

/// Runs tasks on an event loop. Nothing on it may block, because it serves other connections too.
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
