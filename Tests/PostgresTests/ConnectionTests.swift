// A single connection: scripts, notifications, settings, failures and closing.

import Foundation
import Postgres
import Testing

@Suite("Connection", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test("A script runs all its statements, or throws its first error and runs none")
    func scripts() async throws {
        try await withConnection { connection in
            try await connection.run(script: "create temp table t (x int); insert into t values (1); select * from t;")
            let error = await postgresError {
                try await connection.run(script: "insert into t values (2); select 1 / 0; select nonsense")
            }
            #expect(error?.sqlState == "22012")
            let count = Statement("count", "select count(*) from t")
            #expect(try await connection.values(count, .reads) == [1])
            try await connection.run(script: "")
            try await connection.run(script: "-- nothing")
            let nul = await postgresError { try await connection.run(script: "select '\0'") }
            #expect(nul == .invalidParameter("the script contains a NUL"))
        }
    }

    @Test("Begin and commit in separate scripts enclose the statements between them in one transaction")
    func transaction() async throws {
        try await withConnection { connection in
            try await connection.run(script: "create temp table t (x bigint)")
            let insert = Statement("insert", "insert into t values ($1)")
            let count = Statement("count", "select count(*) from t")
            try await connection.run(script: "begin")
            try await connection.execute(insert, .writes, 1)
            try await connection.run(script: "rollback")
            #expect(try await connection.values(count, .reads) == [0])
            try await connection.run(script: "begin")
            try await connection.execute(insert, .writes, 1)
            let error = await postgresError {
                try await connection.execute(Statement("bad", "select 1 / $1"), .writes, 0)
            }
            #expect(error?.sqlState == "22012")
            let aborted = await postgresError { try await connection.execute(insert, .writes, 1) }
            #expect(aborted?.sqlState == "25P02")
            try await connection.run(script: "rollback")
            #expect(try await connection.values(count, .reads) == [0])
        }
    }

    @Test("COPY from stdin in a script throws an error, and COPY to stdout ends the connection")
    func copy() async throws {
        try await withConnection { connection in
            let error = await postgresError {
                try await connection.run(script: "create temp table t (x int); copy t from stdin")
            }
            #expect(error?.sqlState == "57014" || error == .timedOut(mayHaveCommitted: false))
            try await connection.run(script: "select 1")
            let out = await postgresError { try await connection.run(script: "copy (select 1) to stdout") }
            guard case .connectionLost = out else {
                Issue.record("\(String(describing: out))")
                return
            }
        }
    }

    @Test("Scripts and statements from many concurrent tasks each get their own result")
    func mixed() async throws {
        try await withConnection { connection in
            let echo = Statement("echo", "select $1::int8")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        if number % 10 == 0 {
                            try await connection.run(script: "select \(number)")
                        } else {
                            #expect(try await connection.values(echo, .writes, number) == [number])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Notifications arrive in order on a channel of any name, and end with the connection")
    func notifications() async throws {
        let channel = "menu \"\(UUID().uuidString.prefix(8))\""
        let listener = try await PostgresConnection.connect(try await testDatabaseURL(), logger: quiet)
        try await listener.listen(to: channel)
        try await withConnection { sender in
            let notify = Statement("notify", "select pg_notify($1, $2)")
            for number in 1...3 { try await sender.execute(notify, .writes, channel, "\(number)") }
            var arrived: [String] = []
            for await notification in listener.notifications {
                #expect(notification.channel == channel)
                #expect(notification.processID == sender.processID)
                arrived.append(notification.payload)
                if arrived.count == 3 { break }
            }
            #expect(arrived == ["1", "2", "3"])
        }
        await listener.close()
        var rest = 0
        for await _ in listener.notifications { rest += 1 }
        #expect(rest == 0)
    }

    @Test("More unread notifications than the limit end the sequence, and the connection stays open")
    func tooManyNotifications() async throws {
        let channel = "many_\(UUID().uuidString.prefix(8))"
        try await withConnection { connection in
            try await connection.listen(to: channel)
            let notify = Statement(
                "notify many", "select count(pg_notify($1, number::text)) from generate_series(1, 3000) as number")
            _ = try await connection.values(of: Int64.self, notify, .writes, channel)
            var arrived = 0
            for await notification in connection.notifications {
                arrived += 1
                #expect(notification.payload == "\(arrived)")
            }
            #expect(arrived == 1024)
            #expect(try await connection.values(of: Int64.self, Statement("one", "select 1::bigint"), .reads) == [1])
        }
    }

    @Test("Notifications arrive while the connection runs other statements")
    func notificationsWhileBusy() async throws {
        let channel = "busy_\(UUID().uuidString.prefix(8))"
        try await withConnection { connection in
            try await connection.listen(to: channel)
            try await connection.run(script: "notify \"\(channel)\", 'script'")
            try await connection.execute(Statement("notify", "select pg_notify($1, 'statement')"), .writes, channel)
            var iterator = connection.notifications.makeAsyncIterator()
            #expect(await iterator.next()?.payload == "script")
            #expect(await iterator.next()?.payload == "statement")
        }
    }

    @Test("The session settings apply, texts are UTF-8, and a connection with an unknown setting fails")
    func settings() async throws {
        let show = Statement("show", "select current_setting($1)")
        try await withConnection(settings: ["jit": "off", "timezone": "UTC"], statementTimeout: .seconds(7)) {
            connection in
            for (name, value) in [
                ("jit", "off"), ("TimeZone", "UTC"), ("statement_timeout", "7s"), ("client_encoding", "UTF8"),
                ("application_name", "welms"),
            ] {
                let rows = try await connection.values(of: String.self, show, .reads, name)
                #expect(rows == [value])
            }
        }
        let error = await postgresError { try await withConnection(settings: ["nonsense": "1"]) { _ in } }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("nonsense"))
    }

    @Test("A failed connection throws unavailable, and its error does not contain the password")
    func unreachable() async throws {
        for url in [
            "postgresql://guest:SECRET@/shop?host=/nowhere", "postgresql://guest:SECRET@127.0.0.1:1/shop",
            "host=/nowhere password=SECRET",
            "postgresql://guest:SECRET@[/shop", "password=SECRET nonsense",
            "postgresql://guest:SECRET@/shop?nonsense=1",
            "\0",
        ] {
            let error = await postgresError { try await PostgresConnection.connect(url, logger: quiet) }
            guard case .unavailable = error else {
                Issue.record("\(url): \(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("SECRET") == false)
        }
    }

    @Test(
        "When the server process is killed, sent statements fail, writes as possibly committed, and notifications end")
    func killed() async throws {
        let connection = try await PostgresConnection.connect(try await testDatabaseURL(), logger: quiet)
        try await withConnection { holder in
            let lock = try await HeldLock(holder)
            let write = Task { try await connection.values(HeldLock.wait, .writes, lock.number, 1) }
            let waiters = try await lock.waiters()
            #expect(waiters == [connection.processID])
            let read = Task { try await connection.values(HeldLock.wait, .reads, lock.number, 1) }
            try await holder.execute(
                Statement("kill", "select pg_terminate_backend($1::int)"), .writes, connection.processID)
            let readError = await postgresError { try await read.value }
            #expect(readError?.mayHaveCommitted == false)
            let writeError = await postgresError { try await write.value }
            guard case .connectionLost(let loss) = writeError else {
                Issue.record("\(String(describing: writeError))")
                return
            }
            #expect(loss.mayHaveCommitted)
            #expect(loss.reason.contains("57P01"))
        }
        for await _ in connection.notifications {}
        let after = await postgresError { try await connection.run(script: "select 1") }
        #expect(after == .unavailable("the connection is closed"))
        await connection.close()
    }

    @Test("Closing finishes the accepted statements, and later ones are rejected")
    func close() async throws {
        let connection = try await PostgresConnection.connect(try await testDatabaseURL(), logger: quiet)
        try await withConnection { holder in
            let lock = try await HeldLock(holder)
            let write = Task { try await connection.values(HeldLock.wait, .writes, lock.number, 7) }
            _ = try await lock.waiters()
            async let closed: Void = connection.close()
            // Statements that are accepted before the closing begins are answered, too.
            let refused = try await eventually("the statement is rejected") {
                let late = Task { try await connection.run(script: "select 1") }
                try await Task.sleep(for: .milliseconds(20))
                late.cancel()
                let error = await postgresError { try await late.value }
                return error == .unavailable("the connection is closed") ? error : nil
            }
            #expect(refused.mayHaveCommitted == false)
            try await lock.release()
            let rows = try await write.value
            #expect(rows == [7])
            await closed
        }
    }
}
