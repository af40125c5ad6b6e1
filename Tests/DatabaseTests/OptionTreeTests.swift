// Option groups below options: at most three levels and no cycle, for every statement and concurrent transaction.
// Tests check_option_levels in sql/012_options.sql.
import Postgres
import Support
import TestBasics
import Testing

@Suite("Option groups on three levels") struct OptionTreeTests {
    /// Six unconnected groups with one option each: group 91 with option 9101, and so on.
    private static let unconnectedGroups = """
        insert into option_groups (id, title) select 90 + n, 'Group ' || n from generate_series(1, 6) as n;
        insert into options (id, group_id, title)
        select 9001 + 100 * n, 90 + n, 'Option ' || n from generate_series(1, 6) as n;
        """

    private static func below(_ upper: Int, _ lower: Int) -> String { "(\(9001 + 100 * upper), \(90 + lower))" }
    private static func attach(_ pairs: (Int, Int)...) -> String {
        "insert into option_option_groups (option_id, group_id) values \(pairs.map(below).joined(separator: ", "))"
    }

    @Test(
        "A cycle or a fourth level is rejected by the statement that would create it",
        arguments: [
            ([attach((1, 1))], "option_groups_have_no_cycle"),
            ([attach((1, 2)), attach((2, 1))], "option_groups_have_no_cycle"),
            ([attach((1, 2), (2, 3)), attach((3, 1))], "option_groups_have_no_cycle"),
            ([attach((1, 2), (2, 3), (3, 4), (4, 5), (5, 1))], "option_groups_have_no_cycle"),
            (
                [attach((1, 2), (3, 2)), "update option_option_groups set group_id = 93 where option_id = 9301"],
                "option_groups_have_no_cycle"
            ),
            ([attach((1, 2)), "update option_option_groups set option_id = 9201"], "option_groups_have_no_cycle"),
            // An option moves together with the groups below it.
            ([attach((1, 2)), "update options set group_id = 92 where id = 9101"], "option_groups_have_no_cycle"),
            (
                [
                    attach((1, 2)),
                    """
                    insert into option_option_groups (option_id, group_id) values (9201, 91)
                    on conflict (option_id, group_id) do nothing
                    """,
                ], "option_groups_have_no_cycle"
            ),
            ([attach((1, 2), (2, 3)), attach((3, 4))], "option_groups_within_three_levels"),
            ([attach((2, 3), (3, 4)), attach((1, 2))], "option_groups_within_three_levels"),
            ([attach((1, 2), (3, 4)), attach((2, 3))], "option_groups_within_three_levels"),
            ([attach((1, 2), (2, 3), (3, 4))], "option_groups_within_three_levels"),
            (
                [
                    attach((1, 2), (3, 4), (5, 6)), "update options set group_id = 92 where id in (9301)",
                    attach((4, 5)),
                ],
                "option_groups_within_three_levels"
            ),
            // Retired options count, because they may return.
            (
                ["update options set is_retired = true where id = 9201; \(attach((1, 2), (2, 3)))", attach((3, 4))],
                "option_groups_within_three_levels"
            ),
        ])
    func rejected(_ statements: [String], _ constraint: String) async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.unconnectedGroups)
            for statement in statements.dropLast() { try await database.psql(statement) }
            try await database.expectViolations([(statements.last ?? "", constraint)])
        }
    }

    @Test(
        "When two concurrent transactions break a rule only together, the later one waits and fails",
        arguments: [
            ([], attach((1, 2)), attach((2, 1)), "option_groups_have_no_cycle"),
            ([attach((1, 2))], attach((2, 3)), attach((3, 1)), "option_groups_have_no_cycle"),
            ([attach((1, 2))], attach((2, 3)), attach((3, 4)), "option_groups_within_three_levels"),
            (
                [attach((1, 2)), attach((3, 4))], "update options set group_id = 92 where id = 9301", attach((5, 1)),
                "option_groups_within_three_levels"
            ),
            (
                [], "update options set is_default = true where id = 9101",
                "insert into options (id, group_id, title, is_default) values (9102, 91, 'b', true)",
                "option_defaults_are_possible"
            ),
        ])
    func concurrent(_ before: [String], _ first: String, _ second: String, _ constraint: String) async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.unconnectedGroups + "update option_groups set maximum = 1;")
            for statement in before { try await database.psql(statement) }
            let holder = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await holder.run(script: "begin; \(first)")
            let waiting = Task { try await database.psqlAsStaff("\\set VERBOSITY verbose\n\(second)") }
            try await eventually("the second transaction waits") {
                try await database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "1"
            }
            try await holder.run(script: "commit")
            await holder.close()
            let refusal = await #expect(throws: PsqlFailed.self) { try await waiting.value }
            #expect(refusal?.output.contains("CONSTRAINT NAME:  \(constraint)\n") == true, "\(refusal?.output ?? "")")
        }
    }

    @Test("A random attachment of groups is accepted if and only if no path has more than three groups")
    func randomTree() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.unconnectedGroups)
            var random = SeededRandom()
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            var attached: Set<[Int]> = []
            var refused = 0
            for round in 0..<300 {
                if round % 40 == 39 {
                    try await staff.run(script: "delete from option_option_groups")
                    attached = []
                }
                let pair = [Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random)]
                let isPossible = Self.longestPath(attached.union([pair])) <= 3
                do throws(PostgresError) {
                    let values = Self.below(pair[0], pair[1])
                    try await staff.run(
                        script:
                            """
                            insert into option_option_groups (option_id, group_id) values \(values)
                            on conflict (option_id, group_id) do nothing
                            """
                    )
                    #expect(isPossible, "\(pair) to \(attached.sorted { $0[0] < $1[0] })")
                    attached.insert(pair)
                } catch {
                    #expect(!isPossible, "\(pair) to \(attached.sorted { $0[0] < $1[0] }): \(error)")
                    refused += 1
                }
            }
            await staff.close()
            #expect(refused > 20 && refused < 280)
        }
    }

    /// The number of groups on the longest path down; 4 means more, or a cycle.
    private static func longestPath(_ pairs: Set<[Int]>) -> Int {
        func path(from group: Int, _ depth: Int) -> Int {
            guard depth < 4 else { return 4 }
            return pairs.filter { $0[0] == group }.map { path(from: $0[1], depth + 1) }.max() ?? depth
        }
        return (1...6).map { path(from: $0, 1) }.max() ?? 0
    }
}
