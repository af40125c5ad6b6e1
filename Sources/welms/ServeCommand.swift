// `welms serve`: finds or starts the database, migrates it, and serves until a signal stops the server.
import ArgumentParser
import Database
import EmbeddedPostgres
import ErrorChannel
import Glibc
import Logging
import NIOCore
import Postgres
import ServiceLifecycle
import Shop
import Web

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serve the shop over HTTP.")

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try Settings(database)
        let logger = try settings.logger()
        let plan = DescriptorLimit.raise(for: try options.plan(settings), logger)
        // An unreachable replica is retried, but a malformed URL can never work.
        for (number, url) in zip(1..., plan.replicaURLs) {
            guard let fault = ConnectionString.problem(in: url) else { continue }
            let which = plan.replicaURLs.count > 1 ? "--replica-url number \(number)" : "--replica-url"
            throw CommandFailure("\(which) is malformed: \(fault); write it like postgres://welms_server@standby/welms")
        }
        let interruption = await Interruption.watch()
        if let url = plan.databaseURL {
            return try await serve(
                plan, on: DatabaseLocation(url: url, ownerURL: plan.ownerURL ?? url, embedded: nil), interruption,
                logger)
        }
        try await withEmbeddedPostgres(plan.dataDirectory, plan.programs, interruption, logger) { embedded in
            let location = DatabaseLocation(url: embedded.url(for: .server), ownerURL: embedded.url, embedded: embedded)
            try await serve(plan, on: location, interruption, logger)
        }
    }

    /// The shop's database: the operator's own or an embedded one.
    private struct DatabaseLocation {
        let url: String
        let ownerURL: String
        let embedded: EmbeddedPostgres?
    }

    private func serve(_ plan: ServePlan, on location: DatabaseLocation, _ interruption: Interruption, _ logger: Logger)
        async throws
    {
        // Loads the files while the database is prepared, because both take time.
        async let files = try ShippedFiles(pictures: Resources.pictures())
        if plan.migrates {
            try await Migrator(url: location.ownerURL, migrations: Migration.shipped(), logger: logger).migrateOrCheck()
        }
        // The operator's own database is seeded only on request.
        if location.embedded != nil || plan.seedsIfEmpty {
            try await SeedFile.loadShippedIfEmpty(into: location.ownerURL, logger: logger)
        }
        for file in plan.seedFiles { try await file.load(into: location.ownerURL, logger: logger) }

        let health = ShopHealth(errors: ErrorBroadcast(), logger: logger)
        let metrics = ShopMetrics()
        let shop = try await RunningShop.open(
            plan.database(at: location.url), replicas: ReplicaConfiguration(urls: plan.replicaURLs),
            shards: plan.shards,
            mail: plan.mail, healthCallbacks: health.listeners,
            metrics: metrics.registry, tracer: plan.tracer, logger: logger)
        let (web, server) = (plan.web, plan.web.server)
        var services = shopServices(
            web, files: try await files, shop: shop, health: health, metrics: metrics, tracer: plan.tracer,
            logger: logger
        ) { port in
            // A browser cannot open a wildcard address.
            let host =
                ["0.0.0.0", "::"].contains(server.host)
                ? "127.0.0.1" : server.host.contains(":") ? "[\(server.host)]" : server.host
            let shop = "\(server.certificate == nil ? "http" : "https")://\(host):\(port)/"
            let kitchen = web.staffToken == nil ? "" : ", and \(shop)staff to cook and deliver"
            logger.notice("Open \(shop) in a browser to order\(kitchen)")
        }
        if let pruning = plan.pruning { services.append(pruning.timer(on: location.url, logger)) }
        if let embedded = location.embedded { services.insert(EmbeddedService(embedded: embedded), at: 0) }
        if let after = plan.simulatedErrorDelay { services.append(SimulatedFailure(menu: shop.menu, after: after)) }
        // Logs name each service by its type. Without a name the log would print the whole value.
        let named = services.map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))")
        }
        var configuration = ServiceGroupConfiguration(services: named, logger: logger)
        // The program ends within 10 s of the signal. After 8 s, requests that still wait for the database are
        // rejected. The last 2 s are for the embedded PostgreSQL.
        configuration.maximumGracefulShutdownDuration = .seconds(8)
        let group = ServiceGroup(configuration: configuration)
        interruption.answer { await group.triggerGracefulShutdown() }
        do {
            try await group.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let (ports, flags) =
                web.operationsPort.map { ("\(server.port) or \($0)", "--port or --operations-port") } ?? (
                    "\(server.port)", "--port"
                )
            throw CommandFailure(
                "port \(ports) on \(server.host) is taken: stop the program that uses it, or choose another \(flags)"
            )
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EACCES {
            throw CommandFailure(
                "cannot listen on \(server.host):\(server.port): use an address of this machine and a port from 1024 on"
            )
        }
    }
}

/// Supervises the embedded PostgreSQL while the server runs. It stops after all services that use it.
private struct EmbeddedService: Service {
    let embedded: EmbeddedPostgres

    func run() async throws { await cancelWhenGracefulShutdown { await embedded.run() } }
}

/// The demonstration mode: the menu fails for ten seconds and then recovers.
private struct SimulatedFailure: Service {
    let menu: CurrentMenu
    let after: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await Task.sleep(for: after)) != nil else { return }
            menu.simulateFailure(for: .seconds(10))
            try? await Task.sleep(for: .seconds(1_000_000_000))
        }
    }
}
