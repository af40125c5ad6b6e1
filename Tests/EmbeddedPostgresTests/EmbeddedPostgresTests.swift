// The embedded PostgreSQL as it lives and dies, on real clusters.
import EmbeddedPostgres
import Logging
import Support
import Testing

@Suite struct EmbeddedPostgresTests {
    @Test("A test's database is there, and answers")
    func testDatabase() async throws {
        try await TestDatabase.with { database in
            let answer = try await database.psql("select current_user, current_database()")
            #expect(answer == "welms|\(database.name)")
        }
    }
}
