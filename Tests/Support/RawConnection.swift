// A raw TCP connection to the test server, for requests that no HTTP client would send.

import NIOCore
import NIOPosix

/// Writes and reads bytes as text.
package struct RawConnection {
    /// The other side closed the connection before the expected text arrived.
    package struct ConnectionClosed: Error {
        /// The text that arrived instead.
        package let received: String
    }

    /// The sending side alone, for a task that runs beside the reading task.
    package struct Sender: Sendable {
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

        /// Sends this text.
        package func send(_ text: String) async throws {
            try await outbound.write(ByteBuffer(string: text))
        }
    }

    /// The sending side.
    package let sender: Sender
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// Bytes that were received and not yet returned.
    private var pending: [UInt8] = []

    init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>, outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
        self.inbound = inbound.makeAsyncIterator()
        sender = Sender(outbound: outbound)
    }

    /// Sends this text.
    package func send(_ text: String) async throws {
        try await sender.send(text)
    }

    /// Closes the sending side of the connection.
    package func finishSending() {
        sender.outbound.finish()
    }

    /// Reads up to and including this text.
    package mutating func read(until end: String) async throws -> String {
        let end = Array(end.utf8)
        var searched = 0
        while true {
            if let found = pending[searched...].firstRange(of: end) {
                defer { pending.removeSubrange(..<found.upperBound) }
                return String(decoding: pending[..<found.upperBound], as: UTF8.self)
            }
            searched = max(0, pending.count - end.count)
            guard let bytes = try await inbound.next() else {
                throw ConnectionClosed(received: String(decoding: pending, as: UTF8.self))
            }
            pending += Array(buffer: bytes)
        }
    }

    /// Reads at least this many bytes and returns the number read; 0 after the other side has closed.
    package mutating func skip(_ count: Int) async throws -> Int {
        while pending.count < count {
            guard let bytes = try await inbound.next() else { break }
            pending += Array(buffer: bytes)
        }
        defer { pending = [] }
        return pending.count
    }

    /// Reads until the other side closes or resets the connection.
    package mutating func readToEnd() async -> String {
        while let bytes = try? await inbound.next() { pending += Array(buffer: bytes) }
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }
}

extension TestServer {
    /// Opens a connection for as long as the closure runs.
    /// - Parameters:
    ///   - receiveBuffer: The size of the client's socket buffer. A small buffer stalls the server soon.
    ///   - address: The client's own address, such as 127.0.0.2. Linux accepts all of 127.0.0.0/8.
    package func withRawConnection<Value: Sendable>(
        receiveBuffer: Int32? = nil, from address: String? = nil,
        _ body: (inout RawConnection) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelOption(
            .allowRemoteHalfClosure, value: true)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound, outbound: outbound)
            return try await body(&connection)
        }
    }
}
