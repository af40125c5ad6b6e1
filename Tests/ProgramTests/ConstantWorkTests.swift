// Promise 7, counted by PostgreSQL itself: pg_stat_statements sees every statement, those inside functions too.
// It has to be loaded when the server starts, so this test has a cluster of its own. Read next: Sources/Shop/Checkout/CheckoutQueue.swift.
import EmbeddedPostgres
import Logging
import Postgres
import Support
import Testing
import Wire

@Suite("Promise 7: constant work", .timeLimit(.minutes(10)))
struct ConstantWorkTests {
    @Test(
        "Promise 7: a checkout of 50 lines sends the statements of one of 1 line, each as often, and none is executed per line inside PostgreSQL; concurrent checkouts share them"
    )
    func statements() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            try await Psql.run(
                """
                insert into menu_items (id, category_id, kind, title, description, price)
                select 20010 + n, 200, 'regular', 'Burger ' || n, 'One of fifty.', 500 + n from generate_series(0, 49) as n
                """, url: url)
            let port = try Program.freePort()
            let other = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(other)"]) { _ in
                    try await TestServer.at(port: port) { server in
                        /// What each of ten orders took, one by one; counted again where a busy machine was so slow at them that the server's
                        /// own looks, one a second, came as often as they.
                        func eachOfTen(lines: Int64, guests: Int, filledElsewhere: Bool = true) async throws -> Work {
                            for turn in 0..<5 {
                                let all = try await work(
                                    10, lines: lines, guests: guests + 10 * turn, atOnce: false, filledElsewhere: filledElsewhere)
                                if all.took < .seconds(5) { return all.each(of: 10) }
                            }
                            throw Uncountable(text: "ten orders were not placed within five seconds")
                        }
                        /// Orders this many baskets of so many lines, one by one or all at once, and says what that took.
                        func work(_ checkouts: Int, lines: Int64, guests: Int, atOnce: Bool, filledElsewhere: Bool = true) async throws
                            -> Work
                        {
                            let items = (0..<lines).map { (id: 20010 + $0, quantity: Int64(1)) }
                            let baskets = try await TestServer.at(port: filledElsewhere ? other : port) { server in
                                var baskets: [BasketBody] = []
                                for _ in 0..<checkouts { baskets.append(try await server.startBasket(items: items)) }
                                return baskets
                            }
                            try await Psql.run("select pg_stat_statements_reset()", url: superuserURL)
                            let began = ContinuousClock.now
                            let holder = try await PostgresConnection.connect(url, logger: .silent)
                            // Nobody is placed before most of them wait, however slowly they come.
                            if atOnce { try await holder.run(script: "begin; lock table orders in share mode") }
                            try await withThrowingTaskGroup(of: TestServer.Reply.self) { group in
                                for (n, basket) in baskets.enumerated() {
                                    group.addTask {
                                        while true {
                                            let reply = try await server.checkout(.filled(for: basket, guest: guests + n), key: "k")
                                            if reply.status != 503 { return reply }
                                        }
                                    }
                                    if !atOnce { _ = try await group.next()?.expecting(201) }
                                }
                                if atOnce {
                                    try await eventually("they wait together") {
                                        let line = try await server.get("/metrics").text.split(separator: "\n")
                                            .first { $0.hasPrefix(#"welms_queue_waiting{queue="checkouts"} "#) }
                                        return (line?.split(separator: " ").last.flatMap { Double($0) } ?? 0) >= Double(checkouts / 2)
                                    }
                                }
                                await holder.close()
                                for try await reply in group { _ = try reply.expecting(201) }
                            }
                            return try await Work(url: superuserURL, began: began)
                        }
                        // Plans are made at the first execution, which has statements of its own.
                        _ = try await work(1, lines: 50, guests: 0, atOnce: false)
                        let one = try await eachOfTen(lines: 1, guests: 100)
                        let two = try await eachOfTen(lines: 2, guests: 200)
                        let fifty = try await eachOfTen(lines: 50, guests: 300)
                        #expect(fifty.differences(from: two) == [])
                        // A basket of one line alone is spared the CHECK that none stands twice, which is a statement inside PostgreSQL.
                        #expect(fifty.sent == one.sent && fifty.differences(from: one).count <= 1, "\(fifty.differences(from: one))")
                        // The facts, and the call that places the order.
                        #expect(fifty.sent.values.reduce(0, +) == 2, "\(fifty.sent)")
                        let inside = fifty.inside.values.reduce(0, +)
                        #expect((1...12).contains(inside), "\(fifty.inside)")

                        // The call alone, where this server has filled the basket itself; and the look at the menu's revision inside it.
                        let held = try await eachOfTen(lines: 50, guests: 350, filledElsewhere: false)
                        #expect(held.sent.values.reduce(0, +) == 1 && held.sent(containing: "place_orders") == 1, "\(held.sent)")

                        let shared = try await work(200, lines: 3, guests: 400, atOnce: true)
                        let batches = shared.sent(containing: "place_orders")
                        #expect((1...50).contains(batches), "200 checkouts at once are placed in \(batches) batches")
                    }
                }
            }
        }
    }

    @Test(
        "Hours, slots, areas, fees, taxes and portions add no statement: a checkout sends as many with all of seed/restaurant.sql as with the shipped seed, for later and with a counted dish as many as any that is not held"
    )
    func restaurant() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            let port = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await TestServer.at(port: port) { server in
                    var guest = 0
                    /// How many statements each of ten orders sends; counted again where a busy machine was so slow that the server's own looks came as often.
                    func sent(_ item: Int64, slots: [String] = []) async throws -> Int {
                        for _ in 0..<5 {
                            var forms: [CheckoutBody] = []
                            for n in 0..<10 {
                                guest += 1
                                var form = CheckoutBody.filled(for: try await server.startBasket(items: [(item, 1)]), guest: guest)
                                (form.postcode, form.wantedAt) = ("10115", slots.isEmpty ? nil : slots[(guest + n) % slots.count])
                                form.expectedTotal = try await server.validate(form).decoded(ValidationBody.self).quote?.total
                                forms.append(form)
                            }
                            try await Psql.run("select pg_stat_statements_reset()", url: superuserURL)
                            let began = ContinuousClock.now
                            for form in forms { _ = try await server.checkout(form, key: "k").expecting(201) }
                            let work = try await Work(url: superuserURL, began: began)
                            if work.took < .seconds(5) { return work.each(of: 10).sent.values.reduce(0, +) }
                        }
                        throw Uncountable(text: "ten orders were not placed within five seconds")
                    }
                    // Plans are made at the first execution.
                    _ = try await sent(2001)
                    let shipped = try await sent(2001)
                    let staffURL = cluster.url(for: .staff)
                    try await Psql.run(file: "\(Repository.path)/seed/restaurant.sql", url: staffURL)
                    // Whatever the time is, it is open, and nobody takes the last.
                    try await Psql.run(
                        """
                        update opening_hours set opens = '00:00', closes = '24:00';
                        update fulfilments set orders_per_slot = 1000; update item_stock set per_day = 1000;
                        """, url: staffURL)
                    let day = try await Psql.run("select (now() at time zone time_zone)::date + 2 from shop", url: url)
                    var slots: [String] = []
                    try await eventually("the hours are read") {
                        let times = try await server.get("/v1/times?postcode=10115&date=\(day)").expecting(200).decoded(TimesBody.self)
                        slots = times.slots.map(\.startsAt)
                        return slots.count > 90
                    }
                    _ = try await sent(2005, slots: slots)
                    #expect(shipped == 1)
                    #expect(try await sent(2001) == shipped)
                    #expect(try await sent(2001, slots: slots) == 2)
                    #expect(try await sent(2005) == 2)
                    #expect(try await sent(2005, slots: slots) == 2)
                    let counts = try await Psql.run("select bool_and(sold > 0) and count(*) > 1 from stock_days where id = 2005", url: url)
                    #expect(counts == "t")
                }
            }
        }
    }

    @Test("A checkout that is refused sends the same statements for a guest who has ordered here as for one who has not")
    func nobodysPast() async throws {
        try await withCountingCluster { cluster in
            let (url, superuserURL) = (cluster.url, cluster.superuserURL)
            _ = try await Program.run(["migrate", "--database-url", url])
            _ = try await Program.run(["seed", "--database-url", url])
            let port = try Program.freePort()
            try await Program.serve(["--database-url", cluster.url(for: .server), "--port", "\(port)"]) { _ in
                try await TestServer.at(port: port) { server in
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
                    // Plans are made at the first execution, which has statements of its own.
                    _ = try await work(guest: 3)
                    let (known, unknown) = (try await work(guest: 1), try await work(guest: 2))
                    #expect(known.differences(from: unknown) == [])
                    #expect(known.sent.values.reduce(0, +) >= 4, "\(known.sent)")
                }
            }
        }
    }

    /// How often each statement was executed: those that the server sent, and those inside its functions. A statement is known by
    /// PostgreSQL's id for it; its text is kept with or without its constants, as it happened to be seen first.
    private struct Work {
        var sent: [String: Int] = [:]
        var inside: [String: Int] = [:]
        /// How long it took, from its beginning until it was counted.
        var took: Duration
        private var texts: [String: String] = [:]

        init(url: String, began: ContinuousClock.Instant) async throws {
            let rows = try await Psql.run(
                """
                select toplevel, queryid, sum(calls), min(translate(query, E'\\n|', '  ')) from pg_stat_statements
                where dbid = (select oid from pg_database where datname = 'welms') and userid in ('welms_server'::regrole, 'welms_owner'::regrole) group by 1, 2
                """, url: url)
            for row in rows.split(separator: "\n") {
                let columns = row.split(separator: "|").map(String.init)
                guard columns.count == 4, let calls = Int(columns[2]) else { throw Uncountable(text: String(row)) }
                if columns[0] == "t" { sent[columns[1]] = calls } else { inside[columns[1]] = calls }
                texts[columns[1]] = columns[3]
            }
            took = .now - began
        }

        /// How often statements were sent whose text has this in it.
        func sent(containing text: String) -> Int {
            sent.filter { texts[$0.key]?.contains(text) ?? false }.values.reduce(0, +)
        }

        /// Statements that were not executed as often.
        func differences(from other: Work) -> [String] {
            [(sent, other.sent), (inside, other.inside)].flatMap { own, others in
                Set(own.keys).union(others.keys).filter { own[$0] != others[$0] }.map {
                    "\(own[$0] ?? 0) and \(others[$0] ?? 0) × \(texts[$0] ?? other.texts[$0] ?? "")"
                }
            }
        }

        /// What each of so many turns took, without the server's own looks at the menu, the kitchen and whether orders are taken, a few in
        /// all: the last do what an order does.
        func each(of turns: Int) -> Work {
            var work = self
            work.sent = sent.mapValues { $0 / turns }.filter { $0.value > 0 }
            work.inside = inside.mapValues { $0 / turns }.filter { $0.value > 0 }
            return work
        }
    }

    private struct Uncountable: Error { let text: String }

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
