// Promises 2 and 8 when a process is killed in the middle: the program that is built here, with kill -9, under 64 guests.
// Read next: CheckoutLoad.swift, sql/006_place_orders.sql.
import Foundation
import Postgres
import Support
import TestBasics
import Testing
import Wire

@Suite("Promises 2 and 8: what is killed in the middle", .serialized, .timeLimit(.minutes(10)))
struct CrashTests {
    @Test(
        "Promise 2: kill -9 of the server under 64 guests, three times: what was acknowledged is there once, and every key gets its order")
    func serverKilled() async throws {
        // How many orders are acknowledged before each kill.
        let seed = SeededRandom(0...1_727_999).seed
        let kills = [seed, seed / 120, seed / 14_400].map { 1 + Int($0 % 120) }
        print("kill -9 of the server after \(kills) orders")
        try await withFreshShop { directory, port, arguments in
            try await TestServer.at(port: port) { client in
                let load = CheckoutLoad()
                let guests = Task { try await load.run(client) }
                defer { guests.cancel() }
                var killed: ContinuousClock.Instant?
                for orders in kills {
                    let lost = load.lostRequests
                    killed = try await Program.serve(arguments) { [killed] server in
                        if let killed { #expect(.now - killed < .seconds(15), "listens again in time") }
                        try await expectReady(client)
                        await load.acknowledges(orders)
                        server.send(SIGKILL)
                        return ContinuousClock.now
                    }.value
                    try await eventually("the kill took an answer from somebody") { load.lostRequests > lost }
                }
                let (_, status) = try await Program.serve(arguments) { _ in
                    try await expectReady(client)
                    await load.acknowledges(64)
                    load.end()
                    try await guests.value
                    try await expectExactlyOnce(load, client, directory, "WELMS_SEED=\(seed)")
                }
                #expect(status == 0)
            }
        }
    }

    @Test(
        "Promise 8: kill -9 of PostgreSQL and its sessions under 64 guests: the server stays up and shows the menu, tells fault and recovery once each, and every key gets its order"
    )
    func databaseKilled() async throws {
        let seed = SeededRandom(0...1_727_999).seed
        let orders = 1 + Int(seed % 120)
        print("kill -9 of PostgreSQL after \(orders) orders")
        try await withFreshShop { directory, port, arguments in
            let (_, status) = try await Program.serve(arguments) { _ in
                try await TestServer.at(port: port) { client in
                    let load = CheckoutLoad()
                    let guests = Task { try await load.run(client) }
                    let reader = Task {
                        var statuses: [Int: Int] = [:]
                        while !load.isOver { statuses[try await client.get("/v1/menu").status, default: 0] += 1 }
                        return statuses
                    }
                    defer {
                        guests.cancel()
                        reader.cancel()
                    }
                    await load.acknowledges(orders)
                    // Held in the middle of their transactions, so that it is orders half placed that are killed.
                    let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
                    // Asked over a connection that is there: a lock that is held for two seconds is a fault of its own, which would be told too.
                    let watcher = try await PostgresConnection.connect(url, logger: .silent)
                    let note = try String(contentsOfFile: "\(directory)/postgres/data/postmaster.pid", encoding: .utf8)
                    let postmaster = try #require(note.split(separator: "\n").first.flatMap { Int32($0) })
                    let holder = Task {
                        try await Psql.run("set lock_timeout = 0; begin; lock table orders in share mode; select pg_sleep(600)", url: url)
                    }
                    try await eventually("orders are being placed") {
                        try await watcher.query(Self.placing, .reads) { row in try row.next(Bool.self) } == [true]
                    }
                    // The sessions too: one that is left alone would finish its statement first, and nobody would be in doubt.
                    let victims = [postmaster] + (try await watcher.query(Self.sessions, .reads) { row in try row.next(Int32.self) })
                    try #require(victims.count > 2)
                    for victim in victims { kill(victim, SIGKILL) }
                    await watcher.close()
                    await #expect(throws: PsqlFailed.self) { try await holder.value }
                    func told() async throws -> ErrorsBody { try await client.get("/v1/errors").expecting(200).decoded() }
                    try await eventually("fault and recovery are told", within: .seconds(30)) {
                        let told = try await told()
                        return told.condition == "healthy" && !told.events.isEmpty
                    }
                    await load.acknowledges(64)
                    load.end()
                    try await guests.value
                    let statuses = try await reader.value
                    #expect(Array(statuses.keys) == [200], "the menu was read all the time: \(statuses)")
                    let events = try await told().events.map { "\($0.kind) of \($0.subject): \($0.code)" }
                    #expect(events == ["recovery of database: database_unavailable", "fault of database: database_unavailable"])
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
    private static let sessions = Statement("sessions", "select pid from pg_stat_activity where backend_type = 'client backend'")

    /// Asks over a connection of its own: one of the client's may be one that a guest began before the server listened.
    private func expectReady(_ client: TestServer) async throws {
        try await client.raw { connection in
            try await connection.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.read(until: "\r\n").contains("200"))
        }
    }

    /// What the guests were told and what is in the database are the same, and stay it when everybody asks again.
    private func expectExactlyOnce(
        _ load: CheckoutLoad, _ client: TestServer, _ directory: String, _ seed: Comment
    ) async throws {
        let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
        let told = load.acknowledged
        #expect(load.surprises == [], seed)
        #expect(load.couponRefusals > 0, "the coupon's end was reached")
        let rows = try await Psql.run(
            "select id || ' ' || number || ' ' || idempotency_key || ' ' || coalesce(coupon_key, '-') || ' ' || total from orders", url: url
        )
        let orders = rows.split(separator: "\n").map(String.init).sorted()
        // Nobody went without an answer, so that the database holds what was acknowledged and nothing else.
        #expect(
            orders == told.map { "\($0.order.id) \($0.order.number) \($0.key) \($0.order.coupon ?? "-") \($0.order.total)" }.sorted(), seed
        )
        #expect(Set(told.map(\.order.number)).count == told.count, seed)
        #expect(Set(told.map(\.key)).count == told.count, seed)
        let wrong = """
            select (select count(*) from orders full join (select * from baskets where state = 'ordered') as closed using (id)
                    where orders.id is null or closed.id is null),
                   (select count(*) from orders where (subtotal, discount, total) is distinct from
                        (select (sum(unit_price * quantity)::bigint, sum(discount)::bigint, sum(total - discount)::bigint) from order_lines where order_id = orders.id))
            """
        #expect(try await Psql.run(wrong, url: url) == "0|0", seed)
        // As many as there were, not one more, and none that was taken and not given.
        let coupon = "select redeemed, (select count(*) from orders where coupon_id = 90) from coupon_redemptions where coupon_id = 90"
        #expect(try await Psql.run(coupon, url: url) == "\(CheckoutLoad.couponLimit)|\(CheckoutLoad.couponLimit)", seed)

        for order in told {
            let again = try await client.checkout(order.form, key: order.key)
            #expect(again.status == 201 && again.body == order.answer && again.header("Idempotency-Replayed") == "true", seed)
        }
        #expect(try await Psql.run("select count(*) from orders", url: url) == "\(told.count)", seed)
    }

    /// An empty data directory, a port, and the arguments that serve a shop there.
    private func withFreshShop(_ body: (_ directory: String, _ port: Int, _ arguments: [String]) async throws -> Void) async throws {
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
