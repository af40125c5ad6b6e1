// Versions that must be compatible: the running PostgreSQL, the installed programs, and libpq.
import Postgres

struct PostgresVersions: Sendable, CustomStringConvertible {
    /// The oldest server that the tests cover.
    static let oldestServer = 150_000
    /// The oldest libpq with pipeline mode.
    static let oldestLibrary = 140_000

    /// As PostgreSQL counts: 150018 is 15.18.
    var server: Int
    /// As reported by the server: `15.18 (Debian 15.18-0+deb12u1)`.
    var serverRelease: String
    /// The version of libpq, in the same format.
    var library = PostgresConnection.libraryVersion
    /// The release of an embedded PostgreSQL's programs, such as `15.18`; nil: not embedded.
    var programs: String?

    var description: String { "PostgreSQL \(running), libpq \(library / 10_000).\(library % 10_000)" }
    private var running: String { serverRelease.split(separator: " ").first.map(String.init) ?? serverRelease }

    /// An incompatibility, or nil. libpq may be older than the server, because the protocol is the same.
    var problem: String? {
        if server < Self.oldestServer { return "PostgreSQL is \(running): use PostgreSQL 15 or later" }
        if library < Self.oldestLibrary {
            return "libpq is \(library / 10_000), which has no pipeline mode: "
                + "install 14 or later, such as Debian's package libpq5"
        }
        if let programs, programs != running {
            return "PostgreSQL \(running) is running, but \(programs) is installed: "
                + "stop the server and start it again to run the installed version"
        }
        return nil
    }
}
