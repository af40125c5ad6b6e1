// The versions that have to go together: the PostgreSQL that runs, the programs it is started from, and libpq. Looked at by ShopChecks.
import Postgres

struct Versions: Sendable, CustomStringConvertible {
    /// The oldest server that the shop is tested on.
    static let oldestServer = 150_000
    /// The oldest libpq with a pipeline mode, over which everything goes.
    static let oldestLibrary = 140_000

    /// As PostgreSQL counts: 150018 is 15.18.
    var server: Int
    /// As the server says it: `15.18 (Debian 15.18-0+deb12u1)`.
    var serverRelease: String
    /// libpq, counted alike.
    var library = PostgresConnection.libraryVersion
    /// The release of the programs of an embedded PostgreSQL, such as `15.18`; nil: they are elsewhere.
    var programs: String?

    var description: String { "PostgreSQL \(running), libpq \(library / 10_000).\(library % 10_000)" }
    private var running: String { serverRelease.split(separator: " ").first.map(String.init) ?? serverRelease }

    /// What does not go together. A libpq older than its server is fine: they speak the same protocol.
    var problem: String? {
        if server < Self.oldestServer { return "PostgreSQL is \(running): use PostgreSQL 15 or later" }
        if library < Self.oldestLibrary {
            return "libpq is \(library / 10_000), which has no pipeline mode: install 14 or later, such as Debian's package libpq5"
        }
        if let programs, programs != running {
            return "the PostgreSQL that runs is \(running), and \(programs) is installed: stop the server and start it again to run that"
        }
        return nil
    }
}
