// One connection after the other, each handled on its event loop: a request arrives whole, Responder answers it, the answer goes out.
// Given to Hummingbird's server by Application.swift, in place of its own HTTP1Channel: that one hands each request to its task in parts, through
// two locked queues, which took a third of the time of a menu page (24 µs, now 16). Read next: RequestReader.swift, Responder.swift.
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// Serves HTTP/1.1, encrypted where there is a certificate.
struct HTTPConnections: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let reader: NIOLoopBound<RequestReader>
    }

    /// What is left to an answer under way once the time for shutting down is over: eight of the ten seconds that are promised.
    private static let cancelledDeadline = TimeAmount.seconds(1)

    let responder: Responder
    let limits: ConnectionLimits
    let certificate: ServerCertificate?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var decoderLimits = NIOHTTPDecoderLimitConfiguration()
            decoderLimits.maxHeaderFieldSize = limits.maxHeaderBytes
            decoderLimits.maxHeaderListSize = limits.maxHeaderBytes
            decoderLimits.maxHeaderFieldCount = limits.maxHeaders
            let pipeline = channel.pipeline.syncOperations
            // Writable again is only who has taken everything: with some of an answer left below NIO's lower mark of 32 kB, the guard would
            // not see that a client reads no more.
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 1, high: 64 * 1024))
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
            let writer = AnswerWriter()
            try pipeline.addHandler(writer)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoderLimits)
            try pipeline.addHandler(Persistence())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
            let connection = ConnectionGuard(
                deadline: TimeAmount(limits.requestDeadline), fileDeadline: TimeAmount(limits.fileDeadline),
                idleTimeout: TimeAmount(limits.idleTimeout),
                metrics: responder.metrics, logger: logger)
            try pipeline.addHandler(connection)
            let reader = RequestReader(on: connection, answeringBy: writer, largerLimit: responder.bodyLimit)
            try pipeline.addHandler(reader)
            return Value(channel: channel, reader: NIOLoopBound(reader, eventLoop: channel.eventLoop))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(eventLoop: value.channel.eventLoop)) {
            await serve(value, logger)
        }
    }

    /// On the connection's event loop: a hop to another thread for each request and each answer would cost more than most answers do.
    @concurrent
    private func serve(_ connection: Value, _ logger: Logger) async {
        let (channel, reader) = (connection.channel, connection.reader.value)
        await withTaskCancellationHandler {
            while let request = await reader.next() {
                var response = await responder.respond(to: request, WebContext(channel: channel, logger: logger))
                if request.headers.value(of: .connection) == "close" { response.headers[.connection] = "close" }
                do { try await reader.send(response) } catch { break }
                if response.headers.value(of: .connection) == "close" { break }
            }
            // Where the client has closed its side already, closing ours ends all, and with it what the kernel has not taken yet.
            _ = try? await reader.drain()?.get()
            channel.close(mode: .output, promise: nil)
            // The client may close in any way.
            _ = try? await channel.closeFuture.get()
        } onCancel: {
            // The answer under way still goes out if it is taken in time; TLS has no way to close one side.
            channel.close(mode: .input).whenFailure { _ in channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: Self.cancelledDeadline) { connection.reader.value.cut() }
        }
    }
}

/// Runs the steps of tasks on an event loop. Nothing on it may block: it has other connections too.
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
