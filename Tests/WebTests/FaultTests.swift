// Responses while the database is unavailable, the server is overloaded, or the menu is not loaded.

import ErrorChannel
import HTTPServing
import Support
import Testing
import Wire

@testable import Database
@testable import Postgres
@testable import Shop
@testable import Web

@Suite("Faults", .timeLimit(.minutes(10)))
struct FaultTests {
    @Test("While the database is unavailable, requests return 503 with Retry-After, and the same key works afterwards")
    func databaseAway() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            let form = CheckoutBody.filled(for: basket)
            try await shop.database.refuseConnections()
            let replies = [
                try await shop.server.checkout(form, key: "k"),
                try await shop.server.send("POST", "/v1/baskets"),
                try await shop.server.get("/v1/baskets/\(basket.id)"),
                try await shop.server.add(2001, to: basket.id),
                try await shop.server.get("/v1/orders/\(basket.id)"),
            ]
            for reply in replies {
                #expect(reply.status == 503)
                #expect(reply.code == "database_unavailable")
                #expect(reply.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
            }
            let live = try await shop.server.validate(form).expecting(200).decoded(ValidationBody.self)
            #expect(live.fields[.name]?.value == .text("Ann Lee"))
            #expect(live.errors.map(\.code) == ["database_unavailable"])
            #expect(live.quote == nil && !live.isReady)
            // The page reports the fault when staff sign in.
            try await eventually("the staff page is served without knowing whether a token exists") {
                try await shop.server.get("/staff").text.contains("staff/app.js")
            }
            try await shop.database.acceptConnections()
            try await eventually("the order is placed") { try await shop.server.checkout(form, key: "k").status == 201 }
            #expect(try await shop.database.psql("select count(*) from orders") == "1")
        }
    }

    @Test("An overloaded checkout returns 503 with Retry-After, places no order, and succeeds on a retry")
    func overloaded() async throws {
        try await TestShop.run { shop in
            let baskets = try await inParallel(3) { _ in try await shop.server.startBasket(items: [(2001, 1)]) }
            // A row lock blocks both workers of the queue.
            let holder = Task { try await shop.database.lockRows("select from baskets for update") }
            try await shop.database.waitForRowLocks()
            var blocked: [Task<TestServer.Reply, any Error>] = []
            for n in 0..<2 {
                blocked.append(Task { try await shop.server.checkout(.filled(for: baskets[n], guest: n), key: "k") })
                try await shop.database.waitForBlockedStatements(n + 1)
            }
            let refused = try await shop.server.checkout(.filled(for: baskets[2], guest: 2), key: "k")
            #expect(refused.status == 503)
            // The queue's timeout is shorter than the statements', which can still come first on a stalled machine.
            #expect(refused.code == "overloaded" || refused.code == "database_unavailable")
            #expect(refused.header("Retry-After") != nil)
            try await shop.database.killLockHolder()
            await #expect(throws: (any Error).self) { try await holder.value }
            for n in 0..<3 {
                if n < 2 { _ = try await blocked[n].value }
                let reply = try await retryingWhileBusy {
                    try await shop.server.checkout(.filled(for: baskets[n], guest: n), key: "k")
                }
                #expect(reply.status == 201)
            }
            #expect(try await shop.database.psql("select count(*) from orders") == "3")
        }
    }

    @Test("Before the menu is loaded for the first time, /readyz, the menu and checkout return 503")
    func menuNotLoaded() async throws {
        try await TestDatabase.with(.seeded) { database in
            let health = ShopHealth(errors: ErrorBroadcast(), logger: .silent)
            let shop = try await RunningShop.open(
                DatabaseConfiguration(url: database.serverURL), healthCallbacks: health.listeners, logger: .silent)
            try await TestServer.run { onRunning in
                // Only the HTTP server runs, without the services that load the menu. It waits a second for it.
                try shopServices(
                    WebConfiguration(port: 0), files: ShippedFiles.shared(), shop: shop, health: health,
                    logger: .silent,
                    onRunning: onRunning
                ).suffix(1)
            } _: { server in
                let readiness = try await server.get("/readyz")
                #expect(readiness.status == 503)
                #expect(readiness.text.contains(#"{"name":"menu","status":"failed","detail":"not read yet"}"#))
                #expect(try await server.get("/livez").status == 200)
                for path in ["/v1/home", "/v1/menu", "/v1/menu/2001"] {
                    let reply = try await server.get(path)
                    #expect(reply.status == 503 && reply.code == "database_unavailable", "\(path)")
                    #expect(reply.header("Retry-After") == "2", "\(path)")
                }
                for path in ["/v1/checkout", "/v1/checkout/validate"] {
                    let reply = try await server.post(path, json: "{}", headers: [("Idempotency-Key", "k")])
                    #expect(reply.status == 503)
                    #expect(reply.code == "database_unavailable")
                    #expect(reply.header("Retry-After") != nil)
                }
            }
        }
    }

    @Test(
        "A fault returns 503 and says whether the change may have been made, and an error of the order returns 500"
    )
    func mapping() {
        func problem(_ error: PostgresError) -> Problem? { ShopFault(DatabaseFault(error)).retryableProblem }
        func detail(_ error: PostgresError) -> String? { problem(error)?.detail }
        let nothingWasChanged = Problem.databaseUnavailable.detail
        let outcomeIsUnknown = Problem.outcomeUnknown.detail
        #expect(
            Problem.outcomeUnknown.hint?.contains("same Idempotency-Key") == true
                && outcomeIsUnknown != nothingWasChanged)
        #expect(detail(.unavailable("x")) == nothingWasChanged)
        #expect(
            detail(.connectionLost(InterruptedStatement(mayHaveCommitted: false, reason: "x"))) == nothingWasChanged)
        #expect(detail(.connectionLost(InterruptedStatement(mayHaveCommitted: true, reason: "x"))) == outcomeIsUnknown)
        #expect(detail(.timedOut(mayHaveCommitted: true)) == outcomeIsUnknown)
        #expect(detail(.timedOut(mayHaveCommitted: false)) == nothingWasChanged)
        func server(_ sqlState: String) -> PostgresError {
            .server(
                ServerError(
                    sqlState: sqlState, severity: "ERROR", message: "x", detail: nil, hint: nil, constraint: nil,
                    table: nil, column: nil,
                    position: nil, sourceFunction: nil))
        }
        for shutdownState in ["57P01", "57P03", "25006"] { #expect(detail(server(shutdownState)) == nothingWasChanged) }
        for unable in [
            "40001", "40P01", "53100", "53200", "42501", "42P01", "55P03", "08000", "57014", "58P01", "58030", "XX000",
            "XX001",
        ] { #expect(detail(server(unable)) == Problem.databaseRejected.detail) }
        for own in ["23514", "22003", "54000", "P0001"] { #expect(detail(server(own)) == nil) }
        #expect(detail(.cancelled(mayHaveCommitted: true)) == outcomeIsUnknown)
        for error in [PostgresError.overloaded, .cancelled(mayHaveCommitted: false)] {
            #expect(problem(error)?.code == "overloaded")
        }
        #expect(problem(.undecodable("x")) == nil)
        #expect(problem(.invalidParameter("x")) == nil)
        #expect(ShopFault.outcomeUnknown.retryableProblem?.detail == outcomeIsUnknown)
        for fault in [ShopFault.overloaded, .timedOutInQueue, .tooManyConflicts, .shuttingDown] {
            #expect(fault.retryableProblem?.code == "overloaded")
            #expect(fault.retryableProblem?.headers[.retryAfter] == "1")
        }
    }

    @Test("An unexpected fault returns 500 without its cause, and the log has the cause in full")
    func opaque() async throws {
        let log = LogRecorder()
        try await TestShop.run(logger: log.logger) { shop in
            let basket = try await shop.server.startBasket(items: [(2001, 1)])
            try await shop.database.psql("alter table orders add constraint nobody_is_ann check (name <> 'Ann Lee')")
            let reply = try await shop.server.checkout(.filled(for: basket), key: "k")
            #expect(reply.status == 500)
            #expect(reply.code == "internal_error")
            for word in ["constraint", "nobody_is_ann", "23514", "orders_"] { #expect(!reply.text.contains(word)) }
            let id = try reply.decoded(ProblemBody.self).requestId
            #expect(log.lines.withLock { $0.contains { $0.contains(id) && $0.contains("23514") } })
        }
    }
}

extension TestDatabase {
    /// Terminates the database's connections and refuses new ones.
    func refuseConnections() async throws {
        let superuser = try await TestCluster.superuserURL()
        try await Psql.run("alter database \"\(name)\" with allow_connections false", url: superuser)
        try await Psql.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = '\(name)'", url: superuser)
    }

    /// Accepts connections again.
    func acceptConnections() async throws {
        try await Psql.run("alter database \"\(name)\" with allow_connections true", url: TestCluster.superuserURL())
    }
}
