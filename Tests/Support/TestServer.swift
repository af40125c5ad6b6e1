// Runs a server on a free port for as long as a closure runs, with the client that talks to it.
// It takes any services: the bare web layer, or the whole shop with its database.

import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import StorefrontClient

/// A running server, seen from outside.
package struct TestServer: Sendable {
    /// The response to a request.
    package struct Reply: Sendable {
        /// The status code.
        package let status: Int
        private let fields: [(name: String, value: String)]
        /// The bytes of the body.
        package let body: [UInt8]

        init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }

        /// The first header with this name, in any case.
        package func header(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The names of all headers in lower case, sorted.
        package var headerNames: [String] { fields.map { $0.name.lowercased() }.sorted() }

        /// The body as text.
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The server ended before it listened.
    package struct DidNotStart: Error {}

    /// The port on 127.0.0.1.
    package let port: Int
    /// The HTTP client, with its own connections.
    package let client: HTTPClient
    /// The typed client, for tests of values and not of their JSON.
    package let storefront: StorefrontClient
    /// Nil if the server is another process.
    private let group: ServiceGroup?

    /// Runs the services, waits until they listen, runs the closure, and shuts everything down gracefully.
    /// - Parameters:
    ///   - shutdownLimit: How long a shutdown may take before the services are cancelled; nil means no limit.
    ///   - services: Creates the services; they call the given function with the port when the server listens.
    package static func run<Value: Sendable>(
        shutdownLimit: Duration? = nil, logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ services: (_ onRunning: @escaping @Sendable (Int) async -> Void) throws -> [any Service],
        _ body: @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        var configuration = ServiceGroupConfiguration(
            services: try services { listening.yield($0) }.map {
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            },
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
                result = .success(try await withClient(to: port, group: group, body))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    /// Runs the closure with a client of the server on this port of 127.0.0.1.
    /// The server may start, stop and restart meanwhile.
    package static func connect<Value: Sendable>(port: Int, _ body: (TestServer) async throws -> Value) async throws
        -> Value
    {
        try await withClient(to: port, group: nil, body)
    }

    private static func withClient<Value: Sendable>(
        to port: Int, group: ServiceGroup?, _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // A longer wait means that the server hangs.
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(30))
        // A test of a race needs as many concurrent connections as it sends requests.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        // A failed connection attempt is reported at once, so that the caller decides whether to retry.
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

    /// Starts the graceful shutdown of a server that ``run(shutdownLimit:logger:_:_:)`` started. Does not wait for it.
    package func shutDown() async {
        await group?.triggerGracefulShutdown()
    }

    /// Returns the URL of a path.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sends a request and reads the whole response.
    package func send(_ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil)
        async throws -> Reply
    {
        var request = HTTPClientRequest(url: url(path))
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 16 * 1024 * 1024)
        return Reply(
            status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) },
            body: Array(bytes.readableBytesView))
    }

    /// Sends a GET request.
    package func get(_ path: String, headers: [(String, String)] = []) async throws -> Reply {
        try await send("GET", path, headers: headers)
    }

    /// Posts JSON.
    package func post(_ path: String, json: String, headers: [(String, String)] = []) async throws -> Reply {
        try await send("POST", path, headers: [("Content-Type", "application/json")] + headers, body: Array(json.utf8))
    }
}
