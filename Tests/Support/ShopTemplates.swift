// The databases that most tests begin with: the shop's schema, and the shop as it ships.
// Used with TestDatabase.with(.migrated) and TestDatabase.with(.seeded).
import Database
import Logging

extension TestDatabase.Template {
    /// The schema of sql/, as `welms migrate` makes it, with nothing on the menu.
    package static let migrated = TestDatabase.Template("migrated") { url in
        try await Migrator(url: url, migrations: Migration.shipped(), logger: .silent).migrate()
    }

    /// The schema, and the menu, sales and coupons of seed/.
    package static let seeded = TestDatabase.Template("seeded") { url in
        try await Migrator(url: url, migrations: Migration.shipped(), logger: .silent).migrate()
        for file in try SeedFile.shipped() { try await file.load(into: url, logger: .silent) }
    }
}

extension Logger {
    /// Says nothing: for tests that provoke what would be worth a line.
    package static var silent: Logger { Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() } }
}
