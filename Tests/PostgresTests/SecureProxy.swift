// Speaks TLS before a PostgreSQL that does not, and in records as large as they may be: 16 kB, where PostgreSQL up to 16 makes none above 8 kB.
// Poolers do so, and PostgreSQL from 17 on. Used by the test of such records.

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Support

/// A way to a database by TLS.
enum SecureProxy {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Opens a way to the database at this URL, which names a socket's directory, for as long as the closure runs; it is given the URL to use.
    static func run(
        to url: String, _ pair: TestAuthority.Pair, _ body: @Sendable @escaping (String) async throws -> Void
    ) async throws {
        var parts = try required(URLComponents(string: url))
        func value(_ name: String) throws -> String { try required(parts.queryItems?.first { $0.name == name }?.value) }
        let path = "\(try value("host"))/.s.PGSQL.\(try value("port"))"
        let chain = try NIOSSLCertificate.fromPEMFile(pair.certificate).map(NIOSSLCertificateSource.certificate)
        let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: pair.key, format: .pem))
        let context = try NIOSSLContext(configuration: .makeServerConfiguration(certificateChain: chain, privateKey: key))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([AgreesToTLS(), NIOSSLServerHandler(context: context)])
                return try Connection(wrappingChannelSynchronously: channel)
            }
        }
        parts.queryItems = [
            URLQueryItem(name: "host", value: "127.0.0.1"),
            URLQueryItem(name: "port", value: "\(listener.channel.localAddress?.port ?? 0)"),
            URLQueryItem(name: "sslmode", value: "require"), URLQueryItem(name: "gssencmode", value: "disable"),
        ]
        let way = try required(parts.string)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try? await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { handlers in
                        do {
                            for try await connection in connections { handlers.addTask { try? await relay(connection, path) } }
                        } catch {}
                        handlers.cancelAll()
                    }
                }
            }
            defer { tasks.cancelAll() }
            try await body(way)
        }
    }

    private static func relay(_ client: Connection, _ path: String) async throws {
        try await client.executeThenClose { requests, answers in
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(unixDomainSocketPath: path) {
                channel in channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { for try await bytes in requests { try await toServer.write(bytes) } }
                    tasks.addTask {
                        var said = ByteBuffer()
                        for try await bytes in fromServer {
                            said.writeImmutableBuffer(bytes)
                            // Up to a ReadyForQuery in one piece, so that its records are full.
                            guard said.readableBytesView.suffix(6).dropLast().elementsEqual([UInt8(ascii: "Z"), 0, 0, 0, 5]) else {
                                continue
                            }
                            try await answers.write(said)
                            said.clear()
                        }
                    }
                    defer { tasks.cancelAll() }
                    try await tasks.next()
                }
            }
        }
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw NeverHappened(what: "a value") }
        return value
    }
}

/// Answers the eight bytes with which libpq asks for TLS, and is not there for all that follows (section "SSL Session Encryption" of the protocol).
private final class AgreesToTLS: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var missing = 8

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let asked = min(missing, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: asked)
        missing -= asked
        if asked > 0, missing == 0 { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "S")), promise: nil) }
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }
}
