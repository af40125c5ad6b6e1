// A server on a real socket, on a port of its own, for as long as a closure runs; and the client that talks to it.
// Takes any services: the bare web foundation, or the whole shop with its database. Read next: RawConnection.swift.

import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import StorefrontClient

/// A running server, seen from outside.
package struct TestServer: Sendable {
    /// What a request was answered.
    package struct Reply: Sendable {
        /// The status code.
        package let status: Int
        private let fields: [(name: String, value: String)]
        /// The body's bytes.
        package let body: [UInt8]

        init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }

        /// The first header of this name, in any case.
        package func header(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// All names, lower case, sorted.
        package var headerNames: [String] { fields.map { $0.name.lowercased() }.sorted() }

        /// The body as text.
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The server ended before it listened.
    package struct DidNotStart: Error {}

    /// The port on 127.0.0.1.
    package let port: Int
    /// The client, with connections of its own.
    package let client: HTTPClient
    /// The typed client, where what is said counts and not how it is written.
    package let storefront: StorefrontClient
    /// Nil where the server is a process of its own.
    private let group: ServiceGroup?

    /// Runs the services, waits until they listen, runs the closure, and shuts everything down gracefully.
    /// - Parameters:
    ///   - shutdownLimit: After what time of shutting down the services are cancelled; nil: never.
    ///   - services: Makes what is to run; the function it is given must be called with the port once it listens.
    package static func run<Value: Sendable>(
        shutdownLimit: Duration? = nil, logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ services: (_ onRunning: @escaping @Sendable (Int) async -> Void) throws -> [any Service],
        _ body: @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        var configuration = ServiceGroupConfiguration(
            services: try services { listening.yield($0) }.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        configuration.maximumGracefulShutdownDuration = shutdownLimit
        let group = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else {
                try await tasks.waitForAll()
                throw DidNotStart()
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await connected(to: port, group: group, body))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    /// Gives the closure a client of the server on this port of 127.0.0.1, which need not be there yet, and may go and come back.
    package static func at<Value: Sendable>(port: Int, _ body: (TestServer) async throws -> Value) async throws -> Value {
        try await connected(to: port, group: nil, body)
    }

    private static func connected<Value: Sendable>(
        to port: Int, group: ServiceGroup?, _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // A test that waits longer than this has found a hang.
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(30))
        // So that a test of a race has as many requests under way as it sends.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        // A server that is away is told at once: whoever asks decides whether to ask again.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        do {
            let value = try await StorefrontClient.with("http://127.0.0.1:\(port)") { storefront in
                try await body(TestServer(port: port, client: client, storefront: storefront, group: group))
            }
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Asks a server that ``run(logger:_:_:)`` started to shut down gracefully, and does not wait for it.
    package func shutDown() async {
        await group?.triggerGracefulShutdown()
    }

    /// The address of a path.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sends a request and reads the whole answer.
    package func send(_ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil) async throws -> Reply {
        var request = HTTPClientRequest(url: url(path))
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 16 * 1024 * 1024)
        return Reply(
            status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) }, body: Array(bytes.readableBytesView))
    }

    /// Reads a path.
    package func get(_ path: String, headers: [(String, String)] = []) async throws -> Reply {
        try await send("GET", path, headers: headers)
    }

    /// Posts JSON.
    package func post(_ path: String, json: String, headers: [(String, String)] = []) async throws -> Reply {
        try await send("POST", path, headers: [("Content-Type", "application/json")] + headers, body: Array(json.utf8))
    }
}
