// The templates that most tests begin with: the schema alone, and the shipped shop.
import Database
import Logging

extension TestDatabase.Template {
    /// The schema of sql/ as `welms migrate` creates it, with an empty menu.
    package static let migrated = TestDatabase.Template("migrated") { url in
        try await Migrator(url: url, migrations: Migration.shipped(), logger: .silent).migrate()
    }

    /// The schema with the menu, sales and coupons of seed/.
    package static let seeded = TestDatabase.Template("seeded") { url in
        try await Migrator(url: url, migrations: Migration.shipped(), logger: .silent).migrate()
        for file in try SeedFile.shipped() { try await file.load(into: url, logger: .silent) }
    }
}

extension Logger {
    /// A logger that discards everything, for tests that provoke log messages.
    package static var silent: Logger { Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() } }
}
