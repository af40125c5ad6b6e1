// Groups below options: at most three levels and no circle, by whatever statement they come and however many write at the same moment.
// Tests check_option_levels in sql/012_options.sql. Read next: OptionMistakeTests.swift.
import Postgres
import Support
import TestBasics
import Testing

@Suite("Groups of options on three levels") struct OptionTreeTests {
    /// Six groups with an option each, 91 with 9101 and so on, that nothing holds together.
    private static let apart = """
        insert into option_groups (id, title) select 90 + n, 'Group ' || n from generate_series(1, 6) as n;
        insert into options (id, group_id, title) select 9001 + 100 * n, 90 + n, 'Option ' || n from generate_series(1, 6) as n;
        """

    private static func below(_ upper: Int, _ lower: Int) -> String { "(\(9001 + 100 * upper), \(90 + lower))" }
    private static func attach(_ pairs: (Int, Int)...) -> String {
        "insert into option_option_groups (option_id, group_id) values \(pairs.map(below).joined(separator: ", "))"
    }

    @Test(
        "A circle or a fourth level is refused by the statement that would make it, whatever kind it is",
        arguments: [
            ([attach((1, 1))], "option_groups_make_no_circle"),
            ([attach((1, 2)), attach((2, 1))], "option_groups_make_no_circle"),
            ([attach((1, 2), (2, 3)), attach((3, 1))], "option_groups_make_no_circle"),
            ([attach((1, 2), (2, 3), (3, 4), (4, 5), (5, 1))], "option_groups_make_no_circle"),
            (
                [attach((1, 2), (3, 2)), "update option_option_groups set group_id = 93 where option_id = 9301"],
                "option_groups_make_no_circle"
            ),
            ([attach((1, 2)), "update option_option_groups set option_id = 9201"], "option_groups_make_no_circle"),
            // An option takes along what stands below it.
            ([attach((1, 2)), "update options set group_id = 92 where id = 9101"], "option_groups_make_no_circle"),
            (
                [
                    attach((1, 2)),
                    "insert into option_option_groups (option_id, group_id) values (9201, 91) on conflict (option_id, group_id) do nothing",
                ], "option_groups_make_no_circle"
            ),
            ([attach((1, 2), (2, 3)), attach((3, 4))], "option_groups_on_three_levels"),
            ([attach((2, 3), (3, 4)), attach((1, 2))], "option_groups_on_three_levels"),
            ([attach((1, 2), (3, 4)), attach((2, 3))], "option_groups_on_three_levels"),
            ([attach((1, 2), (2, 3), (3, 4))], "option_groups_on_three_levels"),
            (
                [attach((1, 2), (3, 4), (5, 6)), "update options set group_id = 92 where id in (9301)", attach((4, 5))],
                "option_groups_on_three_levels"
            ),
            // What is retired counts: it may come back.
            (
                ["update options set is_retired = true where id = 9201; \(attach((1, 2), (2, 3)))", attach((3, 4))],
                "option_groups_on_three_levels"
            ),
        ])
    func refused(_ statements: [String], _ constraint: String) async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.apart)
            for statement in statements.dropLast() { try await database.psql(statement) }
            try await database.refuses([(statements.last ?? "", constraint)])
        }
    }

    @Test(
        "Two transactions can't make together what neither may make alone: the later one waits, and is refused",
        arguments: [
            ([], attach((1, 2)), attach((2, 1)), "option_groups_make_no_circle"),
            ([attach((1, 2))], attach((2, 3)), attach((3, 1)), "option_groups_make_no_circle"),
            ([attach((1, 2))], attach((2, 3)), attach((3, 4)), "option_groups_on_three_levels"),
            (
                [attach((1, 2)), attach((3, 4))], "update options set group_id = 92 where id = 9301", attach((5, 1)),
                "option_groups_on_three_levels"
            ),
            (
                [], "update options set is_default = true where id = 9101",
                "insert into options (id, group_id, title, is_default) values (9102, 91, 'b', true)",
                "option_defaults_are_possible"
            ),
        ])
    func together(_ before: [String], _ first: String, _ second: String, _ constraint: String) async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.apart + "update option_groups set maximum = 1;")
            for statement in before { try await database.psql(statement) }
            let holder = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await holder.run(script: "begin; \(first)")
            let other = Task { try await database.staff("\\set VERBOSITY verbose\n\(second)") }
            try await eventually("the other one waits") {
                try await database.psql(
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == "1"
            }
            try await holder.run(script: "commit")
            await holder.close()
            let refusal = await #expect(throws: PsqlFailed.self) { try await other.value }
            #expect(refusal?.output.contains("CONSTRAINT NAME:  \(constraint)\n") == true, "\(refusal?.output ?? "")")
        }
    }

    @Test("Whatever is attached where, it is taken as long as no way goes through four groups")
    func anyTree() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(Self.apart)
            var random = SeededRandom()
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            var taken: Set<[Int]> = []
            var refused = 0
            for round in 0..<300 {
                if round % 40 == 39 {
                    try await staff.run(script: "delete from option_option_groups")
                    taken = []
                }
                let pair = [Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random)]
                let isPossible = Self.longestWay(taken.union([pair])) <= 3
                do throws(PostgresError) {
                    let values = Self.below(pair[0], pair[1])
                    try await staff.run(
                        script:
                            "insert into option_option_groups (option_id, group_id) values \(values) on conflict (option_id, group_id) do nothing"
                    )
                    #expect(isPossible, "\(pair) to \(taken.sorted { $0[0] < $1[0] })")
                    taken.insert(pair)
                } catch {
                    #expect(!isPossible, "\(pair) to \(taken.sorted { $0[0] < $1[0] }): \(error)")
                    refused += 1
                }
            }
            await staff.close()
            #expect(refused > 20 && refused < 280)
        }
    }

    /// Of how many groups the longest way down consists; 4 stands for more, and for a circle.
    private static func longestWay(_ pairs: Set<[Int]>) -> Int {
        func way(from group: Int, _ depth: Int) -> Int {
            guard depth < 4 else { return 4 }
            return pairs.filter { $0[0] == group }.map { way(from: $0[1], depth + 1) }.max() ?? depth
        }
        return (1...6).map { way(from: $0, 1) }.max() ?? 0
    }
}
