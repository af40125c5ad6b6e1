// Supported versions of PostgreSQL and libpq, and the message about others. Tests
// Sources/Database/Checks/PostgresVersions.swift.
import Testing

@testable import Database

@Suite struct VersionsTests {
    private func problem(
        server: Int = 150_018, release: String = "15.18", library: Int = 150_018, programs: String? = nil
    ) -> String? {
        PostgresVersions(server: server, serverRelease: release, library: library, programs: programs).problem
    }

    @Test("The oldest server is 15 and the oldest libpq 14, and a libpq older than its server is accepted")
    func oldest() {
        #expect(
            problem() == nil && problem(server: 180_000, release: "18beta1") == nil && problem(library: 140_000) == nil)
        #expect(
            problem(server: 140_022, release: "14.22 (Debian)") == "PostgreSQL is 14.22: use PostgreSQL 15 or later")
        #expect(
            problem(library: 130_021)?.hasPrefix("libpq is 13, which has no pipeline mode: install 14 or later") == true
        )
    }

    @Test("A server that runs older programs than the installed ones must be restarted")
    func programs() {
        #expect(problem(release: "15.18 (Debian 15.18-0+deb12u1)", programs: "15.18") == nil)
        #expect(
            problem(release: "15.17 (Debian 15.17-0+deb12u1)", programs: "15.18")?.contains("start it again") == true)
    }

    @Test("The description of the versions has their short release numbers")
    func releaseNumbers() {
        #expect(
            PostgresVersions(server: 150_018, serverRelease: "15.18 (Debian)", library: 170_002).description
                == "PostgreSQL 15.18, libpq 17.2")
    }
}
