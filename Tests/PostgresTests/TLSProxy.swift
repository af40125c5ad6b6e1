// A TLS proxy for a PostgreSQL without TLS. It writes records of up to 16 kB, as poolers and PostgreSQL from 17 on do;
// earlier releases write at most 8 kB.

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Support

/// A proxy that accepts TLS and forwards to a Unix socket.
enum TLSProxy {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs a proxy to the database at `url`, which must name a socket directory, while `body` runs. Passes it the
    /// proxy's URL.
    static func run(
        to url: String, _ pair: TestCertificateAuthority.CertificatePair,
        _ body: @Sendable @escaping (String) async throws -> Void
    ) async throws {
        var parts = try required(URLComponents(string: url))
        func value(_ name: String) throws -> String { try required(parts.queryItems?.first { $0.name == name }?.value) }
        let path = "\(try value("host"))/.s.PGSQL.\(try value("port"))"
        let chain = try NIOSSLCertificate.fromPEMFile(pair.certificate).map(NIOSSLCertificateSource.certificate)
        let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: pair.key, format: .pem))
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: key))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
            host: "127.0.0.1", port: 0
        ) { channel in
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
        let proxyURL = try required(parts.string)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try? await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { handlers in
                        do {
                            for try await connection in connections {
                                handlers.addTask { try? await relay(connection, path) }
                            }
                        } catch {}
                        handlers.cancelAll()
                    }
                }
            }
            defer { tasks.cancelAll() }
            try await body(proxyURL)
        }
    }

    private static func relay(_ client: Connection, _ path: String) async throws {
        try await client.executeThenClose { requests, answers in
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
                unixDomainSocketPath: path
            ) {
                channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { for try await bytes in requests { try await toServer.write(bytes) } }
                    tasks.addTask {
                        var buffered = ByteBuffer()
                        for try await bytes in fromServer {
                            buffered.writeImmutableBuffer(bytes)
                            // Sends everything up to a ReadyForQuery in one piece, so that the TLS records are full.
                            guard
                                buffered.readableBytesView.suffix(6).dropLast().elementsEqual([
                                    UInt8(ascii: "Z"), 0, 0, 0, 5,
                                ])
                            else {
                                continue
                            }
                            try await answers.write(buffered)
                            buffered.clear()
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

/// Answers libpq's eight-byte SSLRequest, then passes everything on (section "SSL Session Encryption" of the protocol).
private final class AgreesToTLS: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var missing = 8

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let consumed = min(missing, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: consumed)
        missing -= consumed
        if consumed > 0, missing == 0 { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "S")), promise: nil) }
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }
}
