// kill -9 of the server and of PostgreSQL while 64 guests order.
import Foundation
import Postgres
import Support
import TestBasics
import Testing
import Wire

@Suite("Crashes under load", .serialized, .timeLimit(.minutes(10)))
struct CrashTests {
    @Test(
        "After three kills of the server under load, each acknowledged order exists once, and each key returns it")
    func serverKilled() async throws {
        // The seed gives the number of acknowledged orders before each of the three kills, 1 to 120: 120³ seeds.
        let seed = SeededRandom(0...1_727_999).seed
        let kills = [seed, seed / 120, seed / 14_400].map { 1 + Int($0 % 120) }
        print("kill -9 of the server after \(kills) orders")
        try await withFreshShop { directory, port, arguments in
            try await TestServer.connect(port: port) { client in
                let load = CheckoutLoad()
                let guests = Task { try await load.run(client) }
                defer { guests.cancel() }
                var killed: ContinuousClock.Instant?
                for orders in kills {
                    let lost = load.lostRequests
                    killed = try await Program.serve(arguments) { [killed] server in
                        if let killed {
                            #expect(.now - killed < .seconds(15), "the server listens again within 15 seconds")
                        }
                        try await expectReady(client)
                        await load.waitForAcknowledgements(orders)
                        server.send(SIGKILL)
                        return ContinuousClock.now
                    }.value
                    try await eventually("a request lost its response") { load.lostRequests > lost }
                }
                let (_, status) = try await Program.serve(arguments) { _ in
                    try await expectReady(client)
                    await load.waitForAcknowledgements(64)
                    load.finish()
                    try await guests.value
                    try await expectExactlyOnce(load, client, directory, "WELMS_SEED=\(seed)")
                }
                #expect(status == 0)
            }
        }
    }

    @Test(
        "After a kill of PostgreSQL under load the menu is served, one fault is reported, each key returns its order"
    )
    func databaseKilled() async throws {
        let seed = SeededRandom(0...1_727_999).seed
        let orders = 1 + Int(seed % 120)
        print("kill -9 of PostgreSQL after \(orders) orders")
        try await withFreshShop { directory, port, arguments in
            let (_, status) = try await Program.serve(arguments) { _ in
                try await TestServer.connect(port: port) { client in
                    let load = CheckoutLoad()
                    let guests = Task { try await load.run(client) }
                    let reader = Task {
                        var statuses: [Int: Int] = [:]
                        while !load.isFinishing { statuses[try await client.get("/v1/menu").status, default: 0] += 1 }
                        return statuses
                    }
                    defer {
                        guests.cancel()
                        reader.cancel()
                    }
                    await load.waitForAcknowledgements(orders)
                    // A table lock stops orders inside their transactions, so that the kill interrupts them.
                    let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
                    // Uses one open connection, because the lock must be short: after 2 s it would be reported as a
                    // fault.
                    let watcher = try await PostgresConnection.connect(url, logger: .silent)
                    let note = try String(contentsOfFile: "\(directory)/postgres/data/postmaster.pid", encoding: .utf8)
                    let postmaster = try #require(note.split(separator: "\n").first.flatMap { Int32($0) })
                    let holder = Task {
                        try await Psql.run(
                            "set lock_timeout = 0; begin; lock table orders in share mode; select pg_sleep(600)",
                            url: url)
                    }
                    try await eventually("orders are being placed") {
                        try await watcher.query(Self.placing, .reads) { row in try row.next(Bool.self) } == [true]
                    }
                    // Kills the sessions too: a surviving session would finish its statement and report the outcome.
                    let victims =
                        [postmaster]
                        + (try await watcher.query(Self.sessions, .reads) { row in try row.next(Int32.self) })
                    try #require(victims.count > 2)
                    for victim in victims { kill(victim, SIGKILL) }
                    await watcher.close()
                    await #expect(throws: PsqlFailed.self) { try await holder.value }
                    func errors() async throws -> ErrorsBody {
                        try await client.get("/v1/errors").expecting(200).decoded()
                    }
                    try await eventually("fault and recovery are reported", within: .seconds(30)) {
                        let errors = try await errors()
                        return errors.condition == "healthy" && !errors.events.isEmpty
                    }
                    await load.waitForAcknowledgements(64)
                    load.finish()
                    try await guests.value
                    let statuses = try await reader.value
                    #expect(Array(statuses.keys) == [200], "every request for the menu succeeded: \(statuses)")
                    let events = try await errors().events.map { "\($0.kind) of \($0.subject): \($0.code)" }
                    #expect(
                        events == [
                            "recovery of database: database_unavailable", "fault of database: database_unavailable",
                        ])
                    try await expectExactlyOnce(load, client, directory, "WELMS_SEED=\(seed)")
                }
            }
            #expect(status == 0)
        }
    }

    private static let placing = Statement(
        "placing",
        """
        select count(*) > 0 from pg_stat_activity
        where application_name = 'welms' and wait_event_type = 'Lock' and query like '%place_orders%'
        """)
    private static let sessions = Statement(
        "sessions", "select pid from pg_stat_activity where backend_type = 'client backend'")

    /// Expects 200 from /readyz over a new connection, because the client may still have connections to a killed
    /// server.
    private func expectReady(_ client: TestServer) async throws {
        try await client.withRawConnection { connection in
            try await connection.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.read(until: "\r\n").contains("200"))
        }
    }

    /// Expects that the database has exactly the acknowledged orders, also after every checkout is repeated.
    private func expectExactlyOnce(
        _ load: CheckoutLoad, _ client: TestServer, _ directory: String, _ seed: Comment
    ) async throws {
        let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
        let acknowledged = load.acknowledged
        #expect(load.unexpectedResponses == [], seed)
        #expect(load.couponRejections > 0, "the coupon is exhausted")
        let rows = try await Psql.run(
            """
            select id || ' ' || number || ' ' || idempotency_key || ' ' || coalesce(coupon_key, '-') || ' ' || total
            from orders
            """, url: url)
        let orders = rows.split(separator: "\n").map(String.init).sorted()
        // Every guest got a response, so the database contains the acknowledged orders and no others.
        let expected = acknowledged.map {
            "\($0.order.id) \($0.order.number) \($0.key) \($0.order.coupon ?? "-") \($0.order.total)"
        }
        #expect(orders == expected.sorted(), seed)
        #expect(Set(acknowledged.map(\.order.number)).count == acknowledged.count, seed)
        #expect(Set(acknowledged.map(\.key)).count == acknowledged.count, seed)
        let inconsistencies = """
            select (select count(*) from orders
                    full join (select * from baskets where state = 'ordered') as closed using (id)
                    where orders.id is null or closed.id is null),
                   (select count(*) from orders where (subtotal, discount, total) is distinct from
                        (select (sum(unit_price * quantity)::bigint, sum(discount)::bigint,
                                 sum(total - discount)::bigint)
                         from order_lines where order_id = orders.id))
            """
        #expect(try await Psql.run(inconsistencies, url: url) == "0|0", seed)
        // The coupon has exactly as many redemptions as its limit, each with its order.
        let coupon = """
            select redeemed, (select count(*) from orders where coupon_id = 90)
            from coupon_redemptions where coupon_id = 90
            """
        #expect(try await Psql.run(coupon, url: url) == "\(CheckoutLoad.couponLimit)|\(CheckoutLoad.couponLimit)", seed)

        for order in acknowledged {
            let again = try await client.checkout(order.form, key: order.key)
            #expect(
                again.status == 201 && again.body == order.responseBody
                    && again.header("Idempotency-Replayed") == "true", seed)
        }
        #expect(try await Psql.run("select count(*) from orders", url: url) == "\(acknowledged.count)", seed)
    }

    /// Runs `body` with an empty data directory, a free port, and the arguments of a server for them.
    private func withFreshShop(_ body: (_ directory: String, _ port: Int, _ arguments: [String]) async throws -> Void)
        async throws
    {
        try await TemporaryDirectory.with { files in
            let coupon = files + "/coupon.sql"
            try Data(CheckoutLoad.coupon.utf8).write(to: URL(fileURLWithPath: coupon))
            try await ClusterGuard.withDataDirectory { directory in
                let port = try Program.freePort()
                try await body(directory, port, ["--data-dir", directory, "--port", "\(port)", "--seed", coupon])
            }
        }
    }
}
