// Expects that the intended constraint rejects a mistaken statement of staff.
import Support
import Testing

/// A statement, and the constraint that must reject it.
typealias ConstraintViolation = (sql: String, constraint: String)

extension TestDatabase {
    /// Expects that each statement fails with its constraint and a hint, and that the menu stays unchanged.
    func expectViolations(_ mistakes: [ConstraintViolation]) async throws {
        let before = try await psql("select revision from menu_revision")
        for (sql, constraint) in mistakes {
            let refusal = await #expect(throws: PsqlFailed.self, "\(sql)") {
                try await psql("\\set VERBOSITY verbose\nbegin; \(sql); commit;")
            }
            let output = refusal?.output ?? ""
            #expect(output.contains("CONSTRAINT NAME:  \(constraint)\n"), "\(sql): \(output)")
            #expect(output.contains("HINT:  "), "\(sql): \(output)")
        }
        #expect(try await psql("select revision from menu_revision") == before, "the menu revision is unchanged")
    }
}
