// A way to the server that loses answers, cuts streams and answers by itself: a real socket in front of the real one.
// Each connection takes the next fault of the list; after the last one all pass.

import NIOCore
import NIOPosix
import Synchronization

/// What becomes of one connection.
enum Fault: Sendable {
    /// Bytes go both ways.
    case none
    /// The request arrives, and the connection is closed when the answer begins.
    case losesAnswer
    /// The same of the first request that has this text; those before it are answered.
    case losesAnswerTo(String)
    /// The answer goes through up to this text, and then the connection is closed.
    case cutsAfter(String)
    /// The answer goes through up to this text; then nothing comes any more, and the connection stays.
    case fallsSilentAfter(String)
    /// This is the answer; the server is not asked.
    case answers(String)

    /// The text after which nothing more of the answer goes through.
    fileprivate var end: String? {
        switch self {
        case .cutsAfter(let text), .fallsSilentAfter(let text): text
        case .none, .losesAnswer, .losesAnswerTo, .answers: nil
        }
    }

    /// An answer with a body of JSON.
    static func answers(_ status: Int, _ headers: String = "", json: String) -> Fault {
        .answers(
            "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(json)"
        )
    }

    /// A refusal as the server writes it.
    static func refuses(_ status: Int, _ code: String, retryAfter: Int? = nil) -> Fault {
        .answers(
            status, retryAfter.map { "Retry-After: \($0)\r\n" } ?? "",
            json:
                #"{"type":"urn:x","title":"X","status":\#(status),"code":"\#(code)","detail":"Later.","requestId":"0123456789abcdef"}"#)
    }
}

/// A way to a server.
struct FaultyWay: Sendable {
    /// Its address for a client.
    let address: String
    /// How many connections were made.
    var connections: Int { count.value.withLock { $0 } }
    private let count: Count

    private final class Count: Sendable { let value = Mutex(0) }
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Opens a way to a port of 127.0.0.1 for as long as the closure runs.
    static func run<Value: Sendable>(
        to port: Int, _ faults: [Fault], _ body: @Sendable @escaping (FaultyWay) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
        }
        let count = Count()
        let way = FaultyWay(address: "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)", count: count)
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
                                // A connection that breaks is what this is for.
                                handlers.addTask { try? await handle(connection, fault, port) }
                            }
                        } catch {}
                        handlers.cancelAll()
                    }
                }
                return nil
            }
            tasks.addTask { try await body(way) }
            defer { tasks.cancelAll() }
            while let result = try await tasks.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private static func handle(_ client: Connection, _ fault: Fault, _ port: Int) async throws {
        try await client.executeThenClose { requests, answers in
            if case .answers(let text) = fault {
                var received = ""
                for try await bytes in requests {
                    received += String(buffer: bytes)
                    if received.contains("\r\n\r\n") { break }
                }
                return try await answers.write(ByteBuffer(string: text))
            }
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: port) {
                channel in channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    let isAsked = Count()
                    tasks.addTask {
                        for try await bytes in requests {
                            if case .losesAnswerTo(let text) = fault, String(buffer: bytes).contains(text) {
                                isAsked.value.withLock { $0 += 1 }
                            }
                            try await toServer.write(bytes)
                        }
                    }
                    tasks.addTask {
                        var passed = ""
                        var isSilent = false
                        for try await bytes in fromServer where !isSilent {
                            if case .losesAnswer = fault { return }
                            if isAsked.value.withLock({ $0 > 0 }) { return }
                            passed += String(buffer: bytes)
                            if let text = fault.end, let cut = passed.firstRange(of: text) {
                                let alreadySent = passed.utf8.count - bytes.readableBytes
                                let end = passed[..<cut.upperBound].utf8.count - alreadySent
                                try await answers.write(bytes.getSlice(at: bytes.readerIndex, length: max(end, 0)) ?? bytes)
                                guard case .fallsSilentAfter = fault else { return }
                                isSilent = true
                            } else {
                                try await answers.write(bytes)
                            }
                        }
                    }
                    // Whichever side ends, ends both.
                    defer { tasks.cancelAll() }
                    try await tasks.next()
                }
            }
        }
    }
}
