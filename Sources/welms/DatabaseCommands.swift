// The commands that work on the database and then end: migrate, seed and url.
import ArgumentParser
import Database
import EmbeddedPostgres
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database's schema up to date.")

    @OptionGroup var database: DatabaseOptions
    @Flag(help: "List the migrations and when they were applied. Changes nothing.") var status = false
    @Flag(help: "List the migrations that would be applied, with the tables that each would lock. Changes nothing.")
    var dryRun = false

    func run() async throws {
        let settings = try Settings(database)
        // --status and --dry-run create no cluster: without one, every migration is pending.
        if status || dryRun, try settings.databaseURL == nil, try settings.ownerURL == nil,
            try !EmbeddedPostgres.exists(dataDirectory: settings.dataDirectory)
        {
            return printStatus(of: try Migration.shipped().map { MigrationStatus(name: $0.name, appliedAt: nil) })
        }
        try await withDatabase(settings) { url, logger in
            let migrator = Migrator(url: url, migrations: try Migration.shipped(), logger: logger)
            if status { return printStatus(of: try await migrator.status()) }
            guard dryRun else {
                let applied = try await migrator.migrate()
                let lines = applied.map { "applied \($0)" }
                return print(lines.isEmpty ? "The schema is up to date." : lines.joined(separator: "\n"))
            }
            let lines = try await migrator.preview().flatMap(\.lines)
            print(lines.isEmpty ? "The schema is up to date." : lines.joined(separator: "\n"))
        }
    }

    private func printStatus(of migrations: [MigrationStatus]) {
        if status {
            for migration in migrations {
                print("\(migration.name)  \(migration.appliedAt.map { "applied \($0)" } ?? "pending")")
            }
        } else {
            print(migrations.map { "would apply \($0.name)" }.joined(separator: "\n"))
        }
    }
}

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Load files of plain SQL, or the shipped menu if no file is named. `psql -f FILE` does the same.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The files, in the order in which to load them.") var files: [String] = []

    func run() async throws {
        let settings = try Settings(database)
        try await withDatabase(settings) { url, logger in
            let seeds =
                try files.isEmpty
                ? SeedFile.shipped() : files.map { path throws(SeedFile.Failure) in try SeedFile.read(path) }
            for seed in seeds {
                try await seed.load(into: url, logger: logger)
                print("loaded \(seed.name)")
            }
        }
    }
}

struct URLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Print the connection URL of the running embedded PostgreSQL: psql \"$(welms url --role staff)\"")

    @OptionGroup var database: DatabaseOptions
    @Option(help: "The role: owner (everything), staff (menu, sales, coupons and order states) or server.")
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
        print(role == .staff ? try await ShopDatabase.addingShopTimeZone(to: url, logger: settings.logger()) : url)
    }
}

/// Runs `work` as the owner of the database that the settings name.
///
/// Without a database URL, uses the embedded PostgreSQL of a running server, or starts one for this command only.
func withDatabase(_ settings: Settings, _ work: @escaping @Sendable (_ url: String, Logger) async throws -> Void)
    async throws
{
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
