// The commands that work on the database and end: migrate, seed and url.
import ArgumentParser
import Database
import EmbeddedPostgres
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "migrate", abstract: "Bring the database's schema up to date.")

    @OptionGroup var database: DatabaseOptions
    @Flag(help: "Only list the migrations and when they were applied.") var status = false
    @Flag(help: "Only say what would be applied.") var dryRun = false

    func run() async throws {
        let settings = try Settings(database)
        // Looking makes no cluster: where there is none, everything is still to be applied.
        if status || dryRun, try settings.databaseURL == nil, try settings.ownerURL == nil,
            try !EmbeddedPostgres.exists(dataDirectory: settings.dataDirectory)
        {
            return list(try Migration.shipped().map { MigrationStatus(name: $0.name, appliedAt: nil) })
        }
        try await withDatabase(settings) { url, logger in
            let migrator = Migrator(url: url, migrations: try Migration.shipped(), logger: logger)
            guard status || dryRun else {
                let applied = try await migrator.migrate()
                return print(applied.isEmpty ? "The schema is up to date." : applied.map { "applied \($0)" }.joined(separator: "\n"))
            }
            list(try await migrator.status())
        }
    }

    private func list(_ all: [MigrationStatus]) {
        if status {
            for one in all { print("\(one.name)  \(one.appliedAt.map { "applied \($0)" } ?? "pending")") }
        } else {
            let pending = all.filter { $0.appliedAt == nil }
            print(pending.isEmpty ? "The schema is up to date." : pending.map { "would apply \($0.name)" }.joined(separator: "\n"))
        }
    }
}

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Load files of plain SQL, or the shipped menu when none is named. `psql -f FILE` does the same.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The files, in the order in which they are loaded.") var files: [String] = []

    func run() async throws {
        let settings = try Settings(database)
        try await withDatabase(settings) { url, logger in
            let seeds = try files.isEmpty ? SeedFile.shipped() : files.map { path throws(SeedFile.Failure) in try SeedFile.read(path) }
            for seed in seeds {
                try await seed.load(into: url, logger: logger)
                print("loaded \(seed.name)")
            }
        }
    }
}

struct URLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Print the connection URL of the embedded PostgreSQL that runs: psql \"$(welms url --role staff)\"")

    @OptionGroup var database: DatabaseOptions
    @Option(help: "For whom: owner (everything), staff (menu, sales, coupons, orders' steps) or server.")
    var role = Role.owner

    enum Role: String, ExpressibleByArgument, CaseIterable { case owner, staff, server }

    func run() async throws {
        let settings = try Settings(database)
        let role: ClusterRole =
            switch role {
            case .owner: .owner
            case .staff: .staff
            case .server: .server
            }
        let url = try EmbeddedPostgres.url(dataDirectory: settings.dataDirectory, role: role)
        print(role == .staff ? try await ShopDatabase.inShopsTime(url, logger: settings.logger()) : url)
    }
}

/// Does `work` as the owner of the database that the settings name: the given one; the embedded one of a running server; or, where none
/// runs, an embedded one just for this.
func withDatabase(_ settings: Settings, _ work: @escaping @Sendable (_ url: String, Logger) async throws -> Void) async throws {
    let logger = try settings.logger()
    let interruption = await Interruption.watch()
    if let url = try settings.ownerURL ?? settings.databaseURL { return try await work(url, logger) }
    if let url = try runningURL(settings.dataDirectory) { return try await work(url, logger) }
    try await withEmbeddedPostgres(settings.dataDirectory, settings.programs, interruption, logger) { embedded in
        try await work(embedded.url, logger)
    }
}

private func runningURL(_ dataDirectory: String) throws(EmbeddedPostgresError) -> String? {
    do { return try EmbeddedPostgres.url(dataDirectory: dataDirectory) } catch .notRunning { return nil }
}
