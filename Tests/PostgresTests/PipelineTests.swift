// Pipelining: failures of other statements in a burst, invalid plans and cancelled tasks.

import Foundation
import Postgres
import Testing

@Suite("Pipeline")
struct PipelineTests {
    private let echo = Statement("echo", "select $1::int8")

    @Test("A thousand concurrent reads on one connection each get their own row")
    func thousand() async throws {
        try await withConnection { connection in
            try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
                for number in 0..<1000 {
                    group.addTask { (number, try await connection.values(echo, .reads, number)) }
                }
                for try await (number, rows) in group { #expect(rows == [number]) }
            }
        }
    }

    @Test("A read that fails does not fail the other reads of its burst")
    func failingNeighbour() async throws {
        let divide = Statement("divide", "select 100 / $1::int8")
        try await withConnection { connection in
            try await withThrowingTaskGroup(of: (Int, Result<[Int], PostgresError>).self) { group in
                for number in 0..<500 {
                    group.addTask {
                        do throws(PostgresError) {
                            let statement = number % 3 == 0 ? divide : echo
                            return (
                                number,
                                .success(
                                    try await connection.query(statement, .reads, number % 9) { row in
                                        try row.next(Int.self)
                                    })
                            )
                        } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                for try await (number, result) in group {
                    switch (number % 9, result) {
                    case (0, .failure(let error)): #expect(error.sqlState == "22012")
                    case (3, .success(let rows)), (6, .success(let rows)): #expect(rows == [100 / (number % 9)])
                    case (_, .success(let rows)): #expect(rows == [number % 9])
                    case (_, .failure(let error)): Issue.record("\(number): \(error)")
                    }
                }
            }
        }
    }

    @Test("A statement that cannot be prepared fails only for its own callers, and succeeds after its table is created")
    func unpreparable() async throws {
        try await withConnection { connection in
            let missing = Statement("missing", "select id from pg_temp.not_there where id = $1")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        if number % 2 == 0 {
                            let error = await postgresError {
                                try await connection.execute(missing, number % 4 == 0 ? .reads : .writes, number)
                            }
                            #expect(error?.sqlState == "42P01" || error?.sqlState == "3F000")
                        } else {
                            let rows = try await connection.values(echo, .reads, number)
                            #expect(rows == [number])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await connection.run(
                script: "create temp table not_there (id bigint); insert into not_there values (7)")
            #expect(try await connection.values(missing, .reads, 7) == [7])
        }
    }

    @Test("Errors have the SQLSTATE, constraint, table, column, hint and position, and their description has no value")
    func errorFields() async throws {
        try await withConnection { connection in
            try await connection.run(
                script: """
                    create temp table coupon (
                        code text constraint coupon_code_unique unique,
                        redeemed int not null,
                        constraint within check (redeemed < 10)
                    );
                    create function pg_temp.hinted() returns void language plpgsql as
                    $$ begin raise exception 'no menu' using hint = 'load the seed', errcode = 'W0001'; end $$;
                    """)
            let insert = Statement("insert", "insert into coupon values ($1, $2::int)")
            #expect(try await connection.execute(insert, .writes, "SECRET", 1) == 1)
            let unique = await postgresError { try await connection.execute(insert, .writes, "SECRET", 1) }
            guard case .server(let error) = unique else {
                Issue.record("\(String(describing: unique))")
                return
            }
            #expect(error.sqlState == "23505")
            #expect(error.constraint == "coupon_code_unique")
            #expect(error.table == "coupon")
            #expect(error.detail?.contains("SECRET") == true)
            #expect(unique?.description.contains("SECRET") == false)
            #expect(!String(reflecting: try #require(unique)).contains("SECRET"), "nor does its reflection")
            #expect(unique?.mayHaveCommitted == false)

            let check = await postgresError { try await connection.execute(insert, .writes, "b", 10) }
            if case .server(let error) = check { #expect(error.constraint == "within") } else { Issue.record() }
            let null = await postgresError { try await connection.execute(insert, .writes, "c", Int?.none) }
            if case .server(let error) = null { #expect(error.column == "redeemed") } else { Issue.record() }
            let hinted = await postgresError {
                try await connection.execute(Statement("hinted", "select pg_temp.hinted()"), .writes)
            }
            if case .server(let error) = hinted {
                #expect(error.hint == "load the seed")
                #expect(error.message == "no menu")
                #expect(error.sqlState == "W0001")
            } else {
                Issue.record()
            }
            let syntax = await postgresError {
                try await connection.execute(Statement("syntax", "select 1 form x"), .writes)
            }
            if case .server(let error) = syntax { #expect(error.position == 15) } else { Issue.record() }
            let value = await postgresError {
                try await connection.execute(Statement("value", "select $1::int"), .writes, "SECRET")
            }
            #expect(value?.sqlState == "22P02")
            #expect(value?.description.contains("SECRET") == false)
        }
    }

    @Test("A violated deferred constraint fails the write")
    func deferred() async throws {
        try await withConnection { connection in
            try await connection.run(
                script: "create temp table late (id int constraint late_unique unique deferrable initially deferred)")
            let insert = Statement("late", "insert into late select $1::int from generate_series(1, $2)")
            #expect(try await connection.execute(insert, .writes, 1, 1) == 1)
            async let after = connection.values(echo, .reads, 5)
            let error = await postgresError { try await connection.execute(insert, .writes, 2, 2) }
            #expect(error?.sqlState == "23505")
            let afterwards = try await after
            #expect(afterwards == [5])
            #expect(try await connection.values(Statement("count", "select count(*) from late"), .reads) == [1])
        }
    }

    @Test("Every write has its own transaction")
    func ownTransactions() async throws {
        try await withConnection { connection in
            try await connection.run(
                script: "create temp table t (x bigint, tx bigint default txid_current()); create unique index on t (x)"
            )
            let insert = Statement("t", "insert into t (x) values ($1 % 90)")
            let failures = await withTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        do throws(PostgresError) {
                            return try await connection.execute(insert, .writes, number) == 1 ? 0 : 1000
                        } catch {
                            return error.sqlState == "23505" ? 1 : 1000
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(failures == 10)
            #expect(try await connection.values(Statement("n", "select count(distinct tx) from t"), .reads) == [90])
        }
    }

    @Test("A statement whose result type has changed is prepared again")
    func changedPlan() async throws {
        try await withConnection { connection in
            try await connection.run(script: "create temp table menu (id bigint); insert into menu values (1)")
            let all = Statement("all", "select * from menu")
            let take = Statement("take", "update menu set id = id + 1 returning *")
            #expect(try await connection.values(all) == [1])
            #expect(try await connection.values(take, .writes) == [2])
            try await connection.run(script: "alter table menu add title text")
            let columns = try await connection.query(all, .reads) { row in row.columnCount }
            #expect(columns == [2])
            #expect(try await connection.values(take, .writes) == [3])
        }
    }

    @Test("A prepared statement that the server has deallocated is prepared again by many concurrent callers")
    func forgotten() async throws {
        try await withConnection { connection in
            _ = try await connection.values(echo, .reads, 1)
            try await connection.run(script: "deallocate all")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let effect = number % 2 == 0 ? Effect.reads : .writes
                        let rows = try await connection.values(echo, effect, number)
                        #expect(rows == [number])
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A statement works with different parameter types")
    func otherTypes() async throws {
        let statement = Statement("either", "select ($1)::text")
        try await withConnection { connection in
            for _ in 0..<2 {
                let rows = try await connection.values(of: String.self, statement, .reads, 1)
                #expect(rows == ["1"])
                let texts = try await connection.values(of: String.self, statement, .reads, "a")
                #expect(texts == ["a"])
                let others = try await connection.values(of: String.self, statement, .reads, true)
                #expect(others == ["true"])
            }
        }
    }

    @Test("Cancelled tasks end at once, and the others get their own rows")
    func cancelled() async throws {
        try await withConnection { holder in
            try await withConnection { connection in
                let lock = try await HeldLock(holder)
                async let blocked = connection.values(HeldLock.wait, .reads, lock.number, 1)
                _ = try await lock.waiters()
                let tasks = (0..<200).map { number in Task { try await connection.values(echo, .reads, number) } }
                for (number, task) in tasks.enumerated() where number % 2 == 1 { task.cancel() }
                for (number, task) in tasks.enumerated() where number % 2 == 1 {
                    let error = await postgresError { try await task.value }
                    #expect(error == .cancelled(mayHaveCommitted: false))
                }
                try await lock.release()
                for (number, task) in tasks.enumerated() where number % 2 == 0 {
                    let rows = try await task.value
                    #expect(rows == [number])
                }
                let rows = try await blocked
                #expect(rows == [1])
            }
        }
    }

    @Test("Cancelling a write after it was sent reports that it may have been committed")
    func cancelledWrite() async throws {
        try await withConnection { holder in
            try await withConnection { connection in
                let lock = try await HeldLock(holder)
                let write = Task { try await connection.values(HeldLock.wait, .writes, lock.number, 1) }
                _ = try await lock.waiters()
                write.cancel()
                let error = await postgresError { try await write.value }
                #expect(error == .cancelled(mayHaveCommitted: true))
                try await lock.release()
                #expect(try await connection.values(echo, .reads, 3) == [3])
            }
        }
    }

    @Test("Rows far larger than the socket's buffers pass in both directions at once")
    func largeRows() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 15)
        try await withConnection { connection in
            let statement = Statement("large", "select $1::text")
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await connection.values(of: String.self, statement, .reads, text) == [text] }
                }
                for try await isSame in group { #expect(isSame) }
            }
        }
    }
}
