// How files without a transaction are split into statements, and which statements are recognised. Tests
// Sources/Database/Migrations/SQLLexer.swift and MigrationStatement.swift.
import Testing

@testable import Database

@Suite struct MigrationStatementTests {
    @Test("A text is split at semicolons outside of strings, quoted names, dollar quotes and comments")
    func split() {
        let sql = #"""
            -- welms: no transaction; a comment
            /* a; /* nested; */ comment; */ select 'a;''b', e'\';', "c;""d"; ;
            do $$ begin; end $$;
            select $body$ $$; $body$, $1, a$b;c$d -- e
            """#
        #expect(
            SQLLexer.statements(in: sql) == [
                #"select 'a;''b', e'\';', "c;""d""#, "do $$ begin; end $$", "select $body$ $$; $body$, $1, a$b", "c$d",
            ])
        #expect(SQLLexer.statements(in: " -- nothing\n;") == [])
        for open in ["select 'a", "select \"a", "select $$a", "/* a", "select e'\\", "$"] {
            #expect(SQLLexer.statements(in: open).count <= 1)
        }
    }

    private static let kinds: [(sql: String, kind: MigrationStatement.Kind)] = [
        (
            "Create Unique Index /* a */ Concurrently if not exists public.\"By State\" on only orders (state)",
            .createIndexConcurrently(index: "public.\"By State\"", table: "orders", hasIfNotExists: true)
        ),
        (
            "create index concurrently on public.orders(state)",
            .createIndexConcurrently(index: "", table: "public.orders", hasIfNotExists: false)
        ),
        ("drop index concurrently if exists by_state", .dropIndexConcurrently(index: "by_state")),
        ("reindex index concurrently by_state", .reindexIndexConcurrently(index: "by_state")),
        ("reindex table concurrently orders", .reindexTableConcurrently(table: "orders")),
        ("vacuum", .vacuum(table: nil, isFull: false)),
        ("vacuum (analyze, full) orders", .vacuum(table: "orders", isFull: true)),
        ("vacuum full analyze orders", .vacuum(table: "orders", isFull: true)),
        ("vacuum analyze orders (id)", .vacuum(table: "orders", isFull: false)),
        ("commit", .transactionControl), ("prepare transaction 'a'", .transactionControl),
        ("prepare a as select 1", .other), ("create index by_state on orders (state)", .other),
        ("alter table orders validate constraint c", .other),
    ]

    @Test("A statement is recognised in any notation", arguments: kinds.indices)
    func kind(index: Int) {
        let statement = MigrationStatement(Self.kinds[index].sql)
        #expect(statement.kind == Self.kinds[index].kind)
        #expect([.other, .transactionControl].contains(statement.kind) == statement.canRunInTransaction)
    }

    @Test("A file is rejected if it ends its transaction, needs to run outside of one, or cannot be repeated")
    func problems() {
        func problem(_ sql: String, name: String = "101_a.sql") -> String? { Migration(name: name, sql: sql).problem }
        let header = "-- welms: no transaction\n"
        #expect(problem("create table a (); create index on a (b);") == nil)
        #expect(problem("create table a (); commit;")?.contains("begin or end a transaction") == true)
        #expect(problem(header + "begin")?.contains("begin or end a transaction") == true)
        #expect(
            problem("create index concurrently if not exists a on b (c)")
                == "its first line has to be `-- welms: no transaction` for: "
                + "create index concurrently if not exists a on b (c)")
        #expect(problem(header + "create index concurrently if not exists a on b (c)") == nil)
        for sql in ["create index concurrently a on b (c)", "create index concurrently on b (c)"] {
            #expect(problem(header + sql)?.contains("needs `if not exists` and a name") == true)
        }
        #expect(problem("commit", name: "001_a.sql") == nil, "the frozen files are not checked again")
    }

    @Test("The shipped migrations keep the rules")
    func shipped() throws {
        for migration in try Migration.shipped() { #expect(migration.problem == nil, "\(migration.name)") }
    }

    @Test("The pauses between attempts double up to 30 s, and are shortened randomly")
    func delays() {
        var timing = MigrationTiming()
        timing.jitterPercent = { 100 }
        #expect((1...7).map(timing.retryDelay) == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        timing.jitterPercent = { 50 }
        #expect(timing.retryDelay(after: 1) == .milliseconds(500))
    }
}
