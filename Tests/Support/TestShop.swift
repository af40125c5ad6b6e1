// The whole server on a database for one test, with the shipped menu, for as long as a closure runs.

import Database
import ErrorChannel
import Logging
import Photographs
import Shop
import Tracing
import Web

/// A running shop, seen from outside.
package struct TestShop: Sendable {
    /// The shop's HTTP server.
    package let server: TestServer
    /// The shop's database.
    package let database: TestDatabase

    /// Opens a shop on a database created from `template`, runs the closure, and closes the shop.
    ///
    /// The menu is loaded before the closure begins.
    package static func run<Value: Sendable>(
        _ template: TestDatabase.Template = .seeded, configuration: WebConfiguration? = nil,
        studio: PhotoProcessor = PhotoProcessor(),
        tracer: (any Tracer)? = nil, logger: Logger = .silent,
        _ body: @Sendable @escaping (TestShop) async throws -> Value
    ) async throws -> Value {
        try await openShopLimit.run {
            try await TestDatabase.with(template) { database in
                try await run(
                    on: database, configuration: configuration, studio: studio, tracer: tracer, logger: logger, body)
            }
        }
    }

    private static let openShopLimit = ConcurrencyLimit(6)

    /// The number of connections from a shop to its database, half of the default.
    /// Each session of a new database costs PostgreSQL 30 ms, because it reads the catalogue anew.
    package static let connections = 2

    /// Opens a shop on this database, which other shops may use too.
    package static func run<Value: Sendable>(
        on database: TestDatabase, configuration: WebConfiguration? = nil,
        replicas: ReplicaConfiguration = ReplicaConfiguration(),
        studio: PhotoProcessor = PhotoProcessor(), tracer: (any Tracer)? = nil, logger: Logger = .silent,
        _ body: @Sendable @escaping (TestShop) async throws -> Value
    ) async throws -> Value {
        let health = ShopHealth(errors: ErrorBroadcast(), logger: logger)
        let metrics = ShopMetrics()
        var databaseConfiguration = DatabaseConfiguration(url: database.serverURL)
        databaseConfiguration.connections = connections
        let shop = try await RunningShop.open(
            databaseConfiguration, replicas: replicas, healthCallbacks: health.listeners, studio: studio,
            metrics: metrics.registry,
            tracer: tracer, logger: logger)
        return try await TestServer.run(logger: logger) { onRunning in
            let configuration = configuration ?? WebConfiguration(port: 0)
            return shopServices(
                configuration, files: try ShippedFiles.shared(), shop: shop, health: health, metrics: metrics,
                tracer: tracer,
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
