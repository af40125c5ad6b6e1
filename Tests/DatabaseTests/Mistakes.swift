// Whether the database refuses mistakes by the rules that are meant. Used by StaffMistakeTests and the suites of what staff write besides.
import Support
import Testing

/// A statement, and the constraint that refuses it.
typealias Mistake = (sql: String, constraint: String)

extension TestDatabase {
    /// Each is refused by its constraint, with a hint, and leaves the menu as it was.
    func refuses(_ mistakes: [Mistake]) async throws {
        let before = try await psql("select revision from menu_revision")
        for (sql, constraint) in mistakes {
            let refusal = await #expect(throws: PsqlFailed.self, "\(sql)") {
                try await psql("\\set VERBOSITY verbose\nbegin; \(sql); commit;")
            }
            let output = refusal?.output ?? ""
            #expect(output.contains("CONSTRAINT NAME:  \(constraint)\n"), "\(sql): \(output)")
            #expect(output.contains("HINT:  "), "\(sql): \(output)")
        }
        #expect(try await psql("select revision from menu_revision") == before, "and none of it reached the menu")
    }
}
