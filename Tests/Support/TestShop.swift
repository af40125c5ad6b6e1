// The whole server on a database of a test's own, with the menu that ships, for as long as a closure runs.
// Used by the black-box tests: they talk HTTP to `server` and play staff in SQL with `database`. Read next: TestServer.swift.

import Database
import ErrorChannel
import Logging
import Photographs
import Shop
import Tracing
import Web

/// A shop that is open, seen from outside.
package struct TestShop: Sendable {
    /// Its HTTP server.
    package let server: TestServer
    /// Its database.
    package let database: TestDatabase

    /// Opens a shop on a database made from `template`, runs the closure, and closes it again.
    ///
    /// The menu has been read when the closure begins.
    package static func run<Value: Sendable>(
        _ template: TestDatabase.Template = .seeded, configuration: WebConfiguration? = nil, studio: PhotoStudio = PhotoStudio(),
        tracer: (any Tracer)? = nil, logger: Logger = .silent,
        _ body: @Sendable @escaping (TestShop) async throws -> Value
    ) async throws -> Value {
        try await places.with {
            try await TestDatabase.with(template) { database in
                try await run(on: database, configuration: configuration, studio: studio, tracer: tracer, logger: logger, body)
            }
        }
    }

    private static let places = Places(6)

    /// How many connections a shop has to its database. It is half of the default, because each session of a new database
    /// costs PostgreSQL 30 ms: it reads the catalogue anew.
    package static let connections = 2

    /// Opens a shop on this database: one more where others have theirs on the same one.
    package static func run<Value: Sendable>(
        on database: TestDatabase, configuration: WebConfiguration? = nil, replicas: ReplicaConfiguration = ReplicaConfiguration(),
        studio: PhotoStudio = PhotoStudio(), tracer: (any Tracer)? = nil, logger: Logger = .silent,
        _ body: @Sendable @escaping (TestShop) async throws -> Value
    ) async throws -> Value {
        let health = ShopHealth(errors: ErrorBroadcast(), logger: logger)
        let metrics = ShopMetrics()
        var place = DatabaseConfiguration(url: database.serverURL)
        place.connections = connections
        let shop = try await RunningShop.open(
            place, replicas: replicas, listeners: health.listeners, studio: studio,
            metrics: metrics.registry,
            tracer: tracer, logger: logger)
        return try await TestServer.run(logger: logger) { onRunning in
            let configuration = configuration ?? WebConfiguration(port: 0)
            return shopServices(
                configuration, files: try ShippedFiles.shared(), shop: shop, health: health, metrics: metrics, tracer: tracer,
                logger: logger,
                onRunning: onRunning)
        } _: { server in
            try await eventually("the menu is read") { try await server.get("/v1/home").status == 200 }
            return try await body(TestShop(server: server, database: database))
        }
    }
}

extension ShippedFiles {
    /// The files with the pictures of the shipped menu.
    ///
    /// They are read once per process: bundling the pages in each test took a quarter of the run's processor time.
    package static func shared() throws -> ShippedFiles { try reading.get() }

    private static let reading = Result { try ShippedFiles(pictures: Resources.pictures()) }
}
