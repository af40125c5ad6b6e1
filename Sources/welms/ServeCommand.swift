// The server: finds or starts its database, brings it up to date, and serves until it is told to stop.
// Read next: Sources/Database/Shop.swift for what runs, Sources/Web/Application.swift for what is answered.
import ArgumentParser
import Database
import EmbeddedPostgres
import ErrorChannel
import Glibc
import Logging
import NIOCore
import Postgres
import ServiceLifecycle
import Web

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serve the shop over HTTP.")

    @OptionGroup var database: DatabaseOptions
    @Option(help: "The address to listen on; 127.0.0.1 unless said otherwise. [env: HOST]") var host: String?
    @Option(help: "The port to listen on; 8080 unless said otherwise. [env: PORT]") var port: Int?
    @Option(
        help:
            "What staff show to use /v1/staff; others on this machine can read a flag, so rather set the variable. [env: WELMS_STAFF_TOKEN]"
    )
    var staffToken: String?
    @Option(
        help:
            "A streaming standby that takes reads of the menu and of orders; may be given several times, and its URL may name several hosts. [env: REPLICA_URL]"
    )
    var replicaURL: [String] = []
    @Option(
        help:
            "Over how many shards Citus spreads the baskets: a batch of checkouts is for one of them. 1 unless said otherwise. [env: SHARDS]"
    )
    var shards: Int?
    @Option(
        help: """
            For how many seconds /readyz says no, after SIGTERM, before connections are refused: as long as your load balancer needs to \
            hear of it. 0 to 5; 1 unless said otherwise. [env: DRAIN_SECONDS]
            """)
    var drainSeconds: Int?
    @Option(
        help: """
            For how many seconds the database may be at one statement before its request is answered with 503. 1 to 60; 5 unless said \
            otherwise. [env: DATABASE_TIMEOUT]
            """)
    var databaseTimeout: Int?
    @OptionGroup var guarding: GuardOptions
    @OptionGroup var pruning: PruneOptions
    @Option(help: "A file of plain SQL to load before serving; may be given several times.") var seed: [String] = []
    @Flag(help: "Load the shipped menu into a database of your own too, if it has no menu yet.") var seedIfEmpty = false
    @Option(help: "Let the menu fail so many seconds after the start, for ten seconds: shows what the error channel is for.")
    var simulateErrorAfter: Int?
    @Flag(inversion: .prefixedNo, help: "Bring the database's schema up to date first.") var migrate = true

    func run() async throws {
        let settings = try await Settings(database)
        let logger = try settings.logger()
        var web = WebConfiguration(host: settings.host(host), port: try settings.port(port))
        web.staffToken = try settings.staffToken(staffToken)
        web.drainNotice = try settings.drainNotice(drainSeconds)
        let timeout = try settings.databaseTimeout(databaseTimeout)
        try guarding.fill(&web, from: settings)
        let pruning = try pruning.schedule(settings)
        let seeds = try seed.map { path throws(SeedFile.Failure) in try SeedFile.read(path) }

        let replicas = settings.replicaURLs(replicaURL)
        let shards = try settings.shards(shards)
        if let url = settings.databaseURL {
            return try await serve(
                on: url, owner: settings.ownerURL ?? url, timeout, replicas, shards, seeds: seeds, web, pruning, embedded: nil, logger)
        }
        guard settings.ownerURL == nil else {
            throw CommandFailure("--owner-url goes with --database-url, which says how the server connects")
        }
        let embedded = try await EmbeddedPostgres.start(dataDirectory: settings.dataDirectory, logger: logger)
        do {
            try await serve(
                on: embedded.url(for: .server), owner: embedded.url, timeout, replicas, shards, seeds: seeds, web, pruning,
                embedded: embedded, logger)
            await embedded.stop()
        } catch {
            await embedded.stop()
            throw error
        }
    }

    private func serve(
        on url: String, owner: String, _ timeout: Duration, _ replicaURLs: [String], _ shards: Shards, seeds: [SeedFile],
        _ web: WebConfiguration, _ pruning: PruneOptions.Schedule?, embedded: EmbeddedPostgres?, _ logger: Logger
    ) async throws {
        if migrate { try await Migrator(url: owner, migrations: Migration.shipped(), logger: logger).migrateOrCheck() }
        // A database of the user's own is seeded only when asked.
        let shipped = embedded != nil || seedIfEmpty ? try await SeedFile.shippedIfEmpty(owner, logger: logger) : []
        for file in shipped + seeds { try await file.load(into: owner, logger: logger) }

        let health = ShopHealth(errors: ErrorBroadcast(), logger: logger)
        let metrics = ShopMetrics()
        var pool = PoolConfiguration(url: url)
        pool.statementTimeout = timeout
        let shop = try await Shop.open(
            pool, replicas: ReplicaConfiguration(urls: replicaURLs), shards: shards, listeners: health.listeners,
            metrics: metrics.registry, logger: logger)
        var services = try shopServices(web, shop: shop, health: health, metrics: metrics, logger: logger) { port in
            // An address that takes all comers is none that a browser can open.
            let host = ["0.0.0.0", "::"].contains(web.host) ? "127.0.0.1" : web.host.contains(":") ? "[\(web.host)]" : web.host
            let shop = "\(web.certificate == nil ? "http" : "https")://\(host):\(port)/"
            logger.notice("Open \(shop) in a browser to order, and \(shop)staff to cook and deliver")
        }
        if let pruning { services.append(pruning.timer(on: url, logger)) }
        if let embedded { services.insert(EmbeddedService(embedded: embedded), at: 0) }
        if let simulateErrorAfter { services.append(SimulatedFailure(menu: shop.menu, after: .seconds(simulateErrorAfter))) }
        let group = ServiceGroup(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do {
            try await group.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw CommandFailure("port \(web.port) on \(web.host) is taken: stop the server that has it, or choose another --port")
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EACCES {
            throw CommandFailure("can't listen on \(web.host):\(web.port): the address is not of this machine, or the port not for you")
        }
    }
}

/// Watches the embedded PostgreSQL while the server runs. It is stopped after everything that uses it.
private struct EmbeddedService: Service {
    let embedded: EmbeddedPostgres

    func run() async throws {
        await cancelWhenGracefulShutdown { await embedded.run() }
    }
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
