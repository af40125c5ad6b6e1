// A TCP proxy in front of a server that injects faults: it drops responses, cuts streams and sends its own responses.
// Each connection uses the next fault of the list. After the last one, all connections pass.

import NIOCore
import NIOPosix
import Synchronization

/// The fault of one connection.
enum Fault: Sendable {
    /// The proxy forwards all bytes.
    case none
    /// The server gets the request. The connection is closed when the response begins.
    case dropsResponse
    /// As `dropsResponse`, for the first request that contains this text. Earlier requests pass.
    case dropsResponseTo(String)
    /// The response passes up to this text. Then the connection is closed.
    case closesAfter(String)
    /// The response passes up to this text. Then the connection stays open without data.
    case stallsAfter(String)
    /// The proxy sends this response without the server.
    case responds(String)

    /// The text after which the rest of the response is dropped.
    fileprivate var end: String? {
        switch self {
        case .closesAfter(let text), .stallsAfter(let text): text
        case .none, .dropsResponse, .dropsResponseTo, .responds: nil
        }
    }

    /// A response with a JSON body.
    static func responds(_ status: Int, _ headers: String = "", json: String) -> Fault {
        .responds(
            "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n"
                + "Connection: close\r\n\(headers)\r\n\(json)"
        )
    }

    /// A problem response as the server sends it.
    static func rejects(_ status: Int, _ code: String, retryAfter: Int? = nil) -> Fault {
        .responds(
            status, retryAfter.map { "Retry-After: \($0)\r\n" } ?? "",
            json:
                #"{"type":"urn:x","title":"X","status":\#(status),"code":"\#(code)","detail":"Later.","#
                + #""requestId":"0123456789abcdef"}"#)
    }
}

/// A proxy in front of a server.
struct FaultyProxy: Sendable {
    /// The URL of the proxy.
    let address: String
    /// The number of accepted connections.
    var connections: Int { count.value.withLock { $0 } }
    private let count: Count

    private final class Count: Sendable { let value = Mutex(0) }
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs a proxy to a port of 127.0.0.1 while the closure runs.
    static func run<Value: Sendable>(
        to port: Int, _ faults: [Fault], _ body: @Sendable @escaping (FaultyProxy) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
            host: "127.0.0.1", port: 0
        ) { channel in
            channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
        }
        let count = Count()
        let proxy = FaultyProxy(address: "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)", count: count)
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask {
                try? await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { handlers in
                        do {
                            for try await connection in connections {
                                let number = count.value.withLock { count in
                                    defer { count += 1 }
                                    return count
                                }
                                let fault = number < faults.count ? faults[number] : .none
                                // Broken connections are expected here.
                                handlers.addTask { try? await handle(connection, fault, port) }
                            }
                        } catch {}
                        handlers.cancelAll()
                    }
                }
                return nil
            }
            tasks.addTask { try await body(proxy) }
            defer { tasks.cancelAll() }
            while let result = try await tasks.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private static func handle(_ client: Connection, _ fault: Fault, _ port: Int) async throws {
        try await client.executeThenClose { requests, answers in
            if case .responds(let text) = fault {
                var received = ""
                for try await bytes in requests {
                    received += String(buffer: bytes)
                    if received.contains("\r\n\r\n") { break }
                }
                return try await answers.write(ByteBuffer(string: text))
            }
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
                host: "127.0.0.1", port: port
            ) {
                channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    let matchedRequests = Count()
                    tasks.addTask {
                        for try await bytes in requests {
                            if case .dropsResponseTo(let text) = fault, String(buffer: bytes).contains(text) {
                                matchedRequests.value.withLock { $0 += 1 }
                            }
                            try await toServer.write(bytes)
                        }
                    }
                    tasks.addTask {
                        var passed = ""
                        var isSilent = false
                        for try await bytes in fromServer where !isSilent {
                            if case .dropsResponse = fault { return }
                            if matchedRequests.value.withLock({ $0 > 0 }) { return }
                            passed += String(buffer: bytes)
                            if let text = fault.end, let cut = passed.firstRange(of: text) {
                                let alreadySent = passed.utf8.count - bytes.readableBytes
                                let end = passed[..<cut.upperBound].utf8.count - alreadySent
                                try await answers.write(
                                    bytes.getSlice(at: bytes.readerIndex, length: max(end, 0)) ?? bytes)
                                guard case .stallsAfter = fault else { return }
                                isSilent = true
                            } else {
                                try await answers.write(bytes)
                            }
                        }
                    }
                    // When one side ends, both are closed.
                    defer { tasks.cancelAll() }
                    try await tasks.next()
                }
            }
        }
    }
}
