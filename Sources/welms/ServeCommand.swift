// The server: finds or starts its database, brings it up to date, and serves until it is told to stop.
// Read next: Sources/Shop/RunningShop.swift for what runs, Sources/Web/Application.swift for what is answered.
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
        let plan = DescriptorLimit.fitting(try options.plan(settings), logger)
        // A replica that is away is waited for; one whose URL can't be understood never comes.
        for (number, url) in zip(1..., plan.replicaURLs) {
            guard let fault = ConnectionString.fault(in: url) else { continue }
            let which = plan.replicaURLs.count > 1 ? "--replica-url number \(number)" : "--replica-url"
            throw CommandFailure("\(which) is malformed: \(fault); write it like postgres://welms_server@standby/welms")
        }
        let interruption = await Interruption.watch()
        if let url = plan.databaseURL {
            return try await serve(plan, on: ShopPlace(url: url, ownerURL: plan.ownerURL ?? url, embedded: nil), interruption, logger)
        }
        try await withEmbeddedPostgres(plan.dataDirectory, plan.programs, interruption, logger) { embedded in
            let place = ShopPlace(url: embedded.url(for: .server), ownerURL: embedded.url, embedded: embedded)
            try await serve(plan, on: place, interruption, logger)
        }
    }

    /// Where the shop's data lies: in a database of the user's own, or in an embedded one.
    private struct ShopPlace {
        let url: String
        let ownerURL: String
        let embedded: EmbeddedPostgres?
    }

    private func serve(_ plan: ServePlan, on place: ShopPlace, _ interruption: Interruption, _ logger: Logger) async throws {
        // While the database is asked: each takes its time.
        async let files = try ShippedFiles(pictures: Resources.pictures())
        if plan.migrates { try await Migrator(url: place.ownerURL, migrations: Migration.shipped(), logger: logger).migrateOrCheck() }
        // A database of the user's own is seeded only when asked.
        if place.embedded != nil || plan.seedsIfEmpty { try await SeedFile.loadShippedIfEmpty(into: place.ownerURL, logger: logger) }
        for file in plan.seeds { try await file.load(into: place.ownerURL, logger: logger) }

        let health = ShopHealth(errors: ErrorBroadcast(), logger: logger)
        let metrics = ShopMetrics()
        let shop = try await RunningShop.open(
            plan.database(at: place.url), replicas: ReplicaConfiguration(urls: plan.replicaURLs), shards: plan.shards,
            mail: plan.mail, listeners: health.listeners,
            metrics: metrics.registry, tracer: plan.tracer, logger: logger)
        let web = plan.web
        var services = shopServices(
            web, files: try await files, shop: shop, health: health, metrics: metrics, tracer: plan.tracer, logger: logger
        ) { port in
            // An address that takes all comers is none that a browser can open.
            let host = ["0.0.0.0", "::"].contains(web.host) ? "127.0.0.1" : web.host.contains(":") ? "[\(web.host)]" : web.host
            let shop = "\(web.certificate == nil ? "http" : "https")://\(host):\(port)/"
            let kitchen = web.staffToken == nil ? "" : ", and \(shop)staff to cook and deliver"
            logger.notice("Open \(shop) in a browser to order\(kitchen)")
        }
        if let pruning = plan.pruning { services.append(pruning.timer(on: place.url, logger)) }
        if let embedded = place.embedded { services.insert(EmbeddedService(embedded: embedded), at: 0) }
        if let after = plan.simulatedError { services.append(SimulatedFailure(menu: shop.menu, after: after)) }
        // By the name of its type in the log: a service itself would be printed with all that it holds.
        let named = services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))") }
        var lives = ServiceGroupConfiguration(services: named, logger: logger)
        // Ten seconds are promised. Whoever still waits for the database then is refused; and the embedded PostgreSQL needs a moment after that.
        lives.maximumGracefulShutdownDuration = .seconds(8)
        let group = ServiceGroup(configuration: lives)
        interruption.answer { await group.triggerGracefulShutdown() }
        do {
            try await group.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let (ports, flags) =
                web.operationsPort.map { ("\(web.port) or \($0)", "--port or --operations-port") } ?? ("\(web.port)", "--port")
            throw CommandFailure("port \(ports) on \(web.host) is taken: stop the server that has it, or choose another \(flags)")
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EACCES {
            throw CommandFailure("can't listen on \(web.host):\(web.port): the address is not of this machine, or the port not for you")
        }
    }
}

/// Watches the embedded PostgreSQL while the server runs. It is stopped after everything that uses it.
private struct EmbeddedService: Service {
    let embedded: EmbeddedPostgres

    func run() async throws { await cancelWhenGracefulShutdown { await embedded.run() } }
}

/// The demonstration mode: the menu fails for ten seconds and is well again.
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
