// The choice of the server programs, and the errors when none fits.
import Support
import Testing

@testable import EmbeddedPostgres

@Suite struct ServerBinariesTests {
    private let old = ServerBinaries(directory: "/usr/lib/postgresql/15/bin", version: 15)
    private let new = ServerBinaries(directory: "/usr/lib/postgresql/17/bin", version: 17)

    @Test("A new cluster uses the newest version, and an existing one its own version")
    func choice() throws {
        let newest = try ServerBinaries.choose(from: [old, new], needed: nil, for: ".welms")
        let fitting = try ServerBinaries.choose(from: [new, old], needed: 15, for: ".welms")
        #expect(newest == new)
        #expect(fitting == old)
    }

    @Test("Without an installed server, the error says what to install")
    func none() {
        let error = #expect(throws: EmbeddedPostgresError.self) {
            try ServerBinaries.choose(from: [], needed: nil, for: ".welms")
        }
        #expect(
            error?.description
                == "no PostgreSQL server is installed: "
                + "run `make setup`, or `apt-get install postgresql`, or give --database-url"
        )
    }

    @Test("Data of a version that is not installed is left unchanged, and the error says which version to install")
    func otherVersion() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            await (try EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)).stop()
            let cluster = try #require(try ClusterDirectory(in: directory))
            try PrivateFile.write("11\n", to: "\(cluster.data)/PG_VERSION", owner: cluster.owner)
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            }
            let line = error?.description ?? ""
            #expect(line.hasPrefix("the data in \(cluster.dataDirectory) is of PostgreSQL 11, installed is "))
            #expect(line.hasSuffix(": `apt-get install postgresql-11`, or choose another --data-dir"))
        }
    }

    @Test("A directory without the programs, or with a program that cannot print its version, is skipped")
    func passedOver() async throws {
        try await TemporaryDirectory.with { folder in
            for program in ["initdb", "postgres"] {
                try PrivateFile.write("#!/bin/sh\nexit 1\n", to: "\(folder)/\(program)", owner: .current)
                makeExecutable("\(folder)/\(program)")
            }
            let found = await ServerBinaries.all(in: ["/nowhere", folder])
            #expect(found.isEmpty)
        }
    }

    @Test(
        "The major version is the number after the program's name",
        arguments: [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 15), ("postgres (PostgreSQL) 18beta1\n", 18),
            ("postgres (PostgreSQL)", nil),
            ("", nil), ("postgres (PostgreSQL) 99999999999999999999", nil),
        ] as [(String, Int?)])
    func version(text: String, expected: Int?) {
        #expect(ServerBinaries.majorVersion(in: text) == expected)
    }

    @Test("The release is the word after the program's name")
    func release() {
        #expect(ServerBinaries.release(in: "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n") == "15.18")
        #expect(ServerBinaries.release(in: "postgres (PostgreSQL) 18beta1\n") == "18beta1")
        #expect(ServerBinaries.release(in: "") == "")
    }
}
