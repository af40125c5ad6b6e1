// The number of statements per checkout, counted by pg_stat_statements, also inside functions.
// PostgreSQL must load the extension when it starts, so these tests have their own cluster.
import EmbeddedPostgres
import Logging
import Postgres
import Support
import Testing
import Wire

@Suite("Statements per checkout", .timeLimit(.minutes(10)))
struct CheckoutStatementCountTests {
    @Test(
        "A checkout of 50 lines executes as many statements as one of 1 line, and concurrent checkouts share them"
    )
    func statements() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            try await Psql.run(
                """
                insert into menu_items (id, category_id, kind, title, description, price)
                select 20010 + n, 200, 'regular', 'Burger ' || n, 'One of fifty.', 500 + n
                from generate_series(0, 49) as n
                """, url: url)
            let port = try Program.freePort()
            let other = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(other)"]) { _ in
                    try await TestServer.connect(port: port) { server in
                        /// Returns the statements that each of ten sequential orders executes. Measures again if ten
                        /// orders took 5 s: the server polls every second, and ten polls would count as one of each
                        /// order.
                        func eachOfTen(lines: Int64, guests: Int, filledElsewhere: Bool = true) async throws -> Work {
                            for attempt in 0..<5 {
                                let all = try await work(
                                    10, lines: lines, guests: guests + 10 * attempt, atOnce: false,
                                    filledElsewhere: filledElsewhere)
                                if all.duration < .seconds(5) { return all.each(of: 10) }
                            }
                            throw MeasurementFailure(text: "ten orders were not placed within five seconds")
                        }
                        /// Orders baskets, sequentially or all at once, and returns the executed statements.
                        func work(
                            _ checkouts: Int, lines: Int64, guests: Int, atOnce: Bool, filledElsewhere: Bool = true
                        ) async throws
                            -> Work
                        {
                            let items = (0..<lines).map { (id: 20010 + $0, quantity: Int64(1)) }
                            let baskets = try await TestServer.connect(port: filledElsewhere ? other : port) { server in
                                var baskets: [BasketBody] = []
                                for _ in 0..<checkouts { baskets.append(try await server.startBasket(items: items)) }
                                return baskets
                            }
                            try await Psql.run("select pg_stat_statements_reset()", url: superuserURL)
                            let began = ContinuousClock.now
                            let holder = try await PostgresConnection.connect(url, logger: .silent)
                            // The lock blocks place_orders until half of the checkouts are waiting.
                            if atOnce { try await holder.run(script: "begin; lock table orders in share mode") }
                            try await withThrowingTaskGroup(of: TestServer.Reply.self) { group in
                                for (n, basket) in baskets.enumerated() {
                                    group.addTask {
                                        while true {
                                            let reply = try await server.checkout(
                                                .filled(for: basket, guest: guests + n), key: "k")
                                            if reply.status != 503 { return reply }
                                        }
                                    }
                                    if !atOnce { _ = try await group.next()?.expecting(201) }
                                }
                                if atOnce {
                                    try await eventually("half of the checkouts wait") {
                                        let line = try await server.get("/metrics").text.split(separator: "\n")
                                            .first { $0.hasPrefix(#"welms_queue_waiting{queue="checkouts"} "#) }
                                        return (line?.split(separator: " ").last.flatMap { Double($0) } ?? 0)
                                            >= Double(checkouts / 2)
                                    }
                                }
                                await holder.close()
                                for try await reply in group { _ = try reply.expecting(201) }
                            }
                            return try await Work(url: superuserURL, began: began)
                        }
                        // The first execution makes plans, which needs additional statements.
                        _ = try await work(1, lines: 50, guests: 0, atOnce: false)
                        let one = try await eachOfTen(lines: 1, guests: 100)
                        let two = try await eachOfTen(lines: 2, guests: 200)
                        let fifty = try await eachOfTen(lines: 50, guests: 300)
                        #expect(fifty.differences(from: two) == [])
                        // A basket of one line skips the check for duplicate lines, a statement inside PostgreSQL.
                        #expect(
                            fifty.sent == one.sent && fifty.differences(from: one).count <= 1,
                            "\(fifty.differences(from: one))")
                        // One statement loads the facts and one places the order.
                        #expect(fifty.sent.values.reduce(0, +) == 2, "\(fifty.sent)")
                        let inside = fifty.inside.values.reduce(0, +)
                        #expect((1...12).contains(inside), "\(fifty.inside)")

                        // For a basket in this server's cache, the checkout sends only the statement that places the
                        // order.
                        let cached = try await eachOfTen(lines: 50, guests: 350, filledElsewhere: false)
                        #expect(
                            cached.sent.values.reduce(0, +) == 1 && cached.sent(containing: "place_orders") == 1,
                            "\(cached.sent)")

                        let shared = try await work(200, lines: 3, guests: 400, atOnce: true)
                        let batches = shared.sent(containing: "place_orders")
                        #expect((1...50).contains(batches), "200 checkouts at once are placed in \(batches) batches")
                    }
                }
            }
        }
    }

    @Test(
        "Hours, slots, areas, fees and taxes add no statement; a wanted time or a stock count adds only one"
    )
    func restaurant() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            let port = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await TestServer.connect(port: port) { server in
                    var guest = 0
                    /// Returns the number of statements that each of ten orders sends. Measures again if ten orders
                    /// took 5 s, because the server's polls would then count too.
                    func sent(_ item: Int64, slots: [String] = []) async throws -> Int {
                        for _ in 0..<5 {
                            var forms: [CheckoutBody] = []
                            for n in 0..<10 {
                                guest += 1
                                var form = CheckoutBody.filled(
                                    for: try await server.startBasket(items: [(item, 1)]), guest: guest)
                                (form.postcode, form.wantedAt) = (
                                    "10115", slots.isEmpty ? nil : slots[(guest + n) % slots.count]
                                )
                                form.expectedTotal = try await server.validate(form).decoded(ValidationBody.self).quote?
                                    .total
                                forms.append(form)
                            }
                            try await Psql.run("select pg_stat_statements_reset()", url: superuserURL)
                            let began = ContinuousClock.now
                            for form in forms { _ = try await server.checkout(form, key: "k").expecting(201) }
                            let work = try await Work(url: superuserURL, began: began)
                            if work.duration < .seconds(5) { return work.each(of: 10).sent.values.reduce(0, +) }
                        }
                        throw MeasurementFailure(text: "ten orders were not placed within five seconds")
                    }
                    // The first execution makes plans.
                    _ = try await sent(2001)
                    let shipped = try await sent(2001)
                    let staffURL = cluster.url(for: .staff)
                    try await Psql.run(file: "\(Repository.path)/seed/restaurant.sql", url: staffURL)
                    // The shop is open at any time, and slots and stock never run out.
                    try await Psql.run(
                        """
                        update opening_hours set opens = '00:00', closes = '24:00';
                        update fulfilments set orders_per_slot = 1000; update item_stock set per_day = 1000;
                        """, url: staffURL)
                    let day = try await Psql.run("select (now() at time zone time_zone)::date + 2 from shop", url: url)
                    var slots: [String] = []
                    try await eventually("the server has loaded the opening hours") {
                        let times = try await server.get("/v1/times?postcode=10115&date=\(day)").expecting(200).decoded(
                            TimesBody.self)
                        slots = times.slots.map(\.startsAt)
                        return slots.count > 90
                    }
                    _ = try await sent(2005, slots: slots)
                    #expect(shipped == 1)
                    #expect(try await sent(2001) == shipped)
                    #expect(try await sent(2001, slots: slots) == 2)
                    #expect(try await sent(2005) == 2)
                    #expect(try await sent(2005, slots: slots) == 2)
                    let counts = try await Psql.run(
                        "select bool_and(sold > 0) and count(*) > 1 from stock_days where id = 2005", url: url)
                    #expect(counts == "t")
                }
            }
        }
    }

    @Test("A rejected checkout sends the same statements for a guest with orders as for one without")
    func hidesGuestHistory() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            let port = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await TestServer.connect(port: port) { server in
                    _ = try await server.order(guest: 1, coupon: "FRST", total: 725)
                    let basket = try await server.startBasket(items: [(2001, 1)])
                    func work(guest: Int) async throws -> Work {
                        var wrongTotal = CheckoutBody.filled(for: basket, guest: guest, coupon: "FRST", total: 1)
                        wrongTotal.birthday = "02-29"
                        var wrongName = CheckoutBody.filled(for: basket, guest: guest, coupon: "FOLLOW")
                        wrongName.name = "4"
                        try await Psql.run("select pg_stat_statements_reset()", url: superuserURL)
                        let began = ContinuousClock.now
                        for _ in 0..<20 {
                            for form in [wrongTotal, wrongName] {
                                _ = try await server.checkout(form, key: "k")
                                _ = try await server.validate(form).expecting(200)
                            }
                        }
                        return try await Work(url: superuserURL, began: began).each(of: 20)
                    }
                    // The first execution makes plans, which needs additional statements.
                    _ = try await work(guest: 3)
                    let (known, unknown) = (try await work(guest: 1), try await work(guest: 2))
                    #expect(known.differences(from: unknown) == [])
                    #expect(known.sent.values.reduce(0, +) >= 4, "\(known.sent)")
                }
            }
        }
    }

    /// How often each statement was executed, by PostgreSQL's query id.
    private struct Work {
        /// Statements that the server sent.
        var sent: [String: Int] = [:]
        /// Statements inside functions.
        var inside: [String: Int] = [:]
        /// The time from the first request until the counts were read.
        var duration: Duration
        /// The statements' texts, with or without constants.
        private var texts: [String: String] = [:]

        init(url: String, began: ContinuousClock.Instant) async throws {
            let rows = try await Psql.run(
                """
                select toplevel, queryid, sum(calls), min(translate(query, E'\\n|', '  ')) from pg_stat_statements
                where dbid = (select oid from pg_database where datname = 'welms')
                    and userid in ('welms_server'::regrole, 'welms_owner'::regrole) group by 1, 2
                """, url: url)
            for row in rows.split(separator: "\n") {
                let columns = row.split(separator: "|").map(String.init)
                guard columns.count == 4, let calls = Int(columns[2]) else {
                    throw MeasurementFailure(text: String(row))
                }
                if columns[0] == "t" { sent[columns[1]] = calls } else { inside[columns[1]] = calls }
                texts[columns[1]] = columns[3]
            }
            duration = .now - began
        }

        /// How many statements were sent whose text contains this.
        func sent(containing text: String) -> Int {
            sent.filter { texts[$0.key]?.contains(text) ?? false }.values.reduce(0, +)
        }

        /// The statements with different counts.
        func differences(from other: Work) -> [String] {
            [(sent, other.sent), (inside, other.inside)].flatMap { own, others in
                Set(own.keys).union(others.keys).filter { own[$0] != others[$0] }.map {
                    "\(own[$0] ?? 0) and \(others[$0] ?? 0) × \(texts[$0] ?? other.texts[$0] ?? "")"
                }
            }
        }

        /// Returns the statements of each of `count` orders. The integer division drops statements that ran fewer than
        /// `count` times: the server's polls of the menu and of orders, and its health check of ordering.
        func each(of count: Int) -> Work {
            var work = self
            work.sent = sent.mapValues { $0 / count }.filter { $0.value > 0 }
            work.inside = inside.mapValues { $0 / count }.filter { $0.value > 0 }
            return work
        }
    }

    private struct MeasurementFailure: Error { let text: String }

    private func withCountingCluster(_ body: (EmbeddedPostgres) async throws -> Void) async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let postgres = try await EmbeddedPostgres.start(
                dataDirectory: directory,
                settings: ["shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track": "all"],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            do {
                try await Psql.run("create extension pg_stat_statements", url: postgres.superuserURL)
                try await body(postgres)
                await postgres.stop()
            } catch {
                await postgres.stop()
                throw error
            }
        }
    }
}
