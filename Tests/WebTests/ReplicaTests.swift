// Tests reads from a streaming standby: they are never stale, and a slow or dead standby does no harm.

import Foundation
import Logging
import Postgres
import Shop
import Support
import Synchronization
import Testing
import Web
import Wire

@Suite("Read replicas", .serialized, .timeLimit(.minutes(10)))
struct ReplicaTests {
    @Test(
        "A new order is readable before the replica has it, and the replica later returns it with the same ETag"
    )
    func freshOrder() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let (order, tag) = try await pair.whileReplayIsPaused {
                let order = try await shop.server.order(guest: 1)
                let reply = try await shop.server.get("/v1/orders/\(order.id)").expecting(200)
                #expect(try reply.decoded(OrderBody.self).number == order.number)
                return (order, try #require(reply.header("ETag")))
            }
            let before = try await shop.readsOnReplica()
            let headers = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            try await eventually("the replica is read") {
                let unchanged = try await shop.server.get("/v1/orders/\(order.id)", headers: [("If-None-Match", tag)])
                #expect(unchanged.status == 304)
                let seen = try await shop.server.get("/v1/orders/\(order.id)", headers: headers).decoded(OrderBody.self)
                #expect(seen.customer?.name == "Ann Lee")
                return try await shop.readsOnReplica() >= before + 10
            }
            #expect(try await shop.server.get("/v1/orders/\(UUID().uuidString.lowercased())").status == 404)
        }
    }

    @Test("A step of an order is visible at once while the replica still has the earlier state")
    func freshStep() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let (moved, cancelled) = (try await shop.server.order(guest: 2), try await shop.server.order(guest: 3))
            let before = try await shop.readsOnReplica()
            try await eventually("the replica is read") {
                _ = try await shop.server.get("/v1/orders/\(moved.id)").expecting(200)
                return try await shop.readsOnReplica() > before
            }
            try await pair.whileReplayIsPaused {
                _ = try await shop.server.cancel(cancelled).expecting(200)
                #expect(try await shop.server.state(of: cancelled) == "cancelled")
                try await pair.database.psql("select advance_order('\(moved.number)', 'accepted')")
                try await eventually("the notification arrives") {
                    try await shop.server.state(of: moved) == "accepted"
                }
                for _ in 0..<20 { #expect(try await shop.server.state(of: moved) == "accepted") }
            }
        }
    }

    @Test("The menu never returns to an earlier state, and is read from a replica that is current")
    func menu() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            @Sendable func price() async throws -> Int64 {
                try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).price
            }
            let isDone = Mutex(false)
            // Reads the price repeatedly, and returns whether it ever fell.
            async let hasGoneBack = {
                var last: Int64 = 0
                while !isDone.withLock({ $0 }) {
                    let price = try await price()
                    if price < last { return true }
                    last = price
                }
                return false
            }()
            for change in 0..<6 {
                let update: () async throws -> Void = {
                    try await pair.database.psql("update menu_items set price = \(5000 + change) where id = 2001")
                    try await eventually("the change is visible") { try await price() == 5000 + change }
                }
                if change.isMultiple(of: 2) { try await pair.whileReplayIsPaused(update) } else { try await update() }
            }
            isDone.withLock { $0 = true }
            #expect(try await !hasGoneBack)
            #expect(try await shop.readsOnReplica() > 0)
            try await pair.database.psql("update menu_items set price = 805 where id = 2001")
        }
    }

    @Test("A dead replica fails no request, is reported by /readyz as degraded, and is read after its return")
    func deadReplica() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 4)
            try await pair.whileStandbyIsStopped {
                let start = ContinuousClock.now
                for _ in 0..<20 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(ContinuousClock.now - start < .seconds(5))
                try await eventually("the fault is reported") { try await shop.replicaCheck()?.status == "degraded" }
                let detail = try await shop.replicaCheck()?.detail ?? ""
                #expect(detail == "replica 1: doesn't answer", "the detail does not contain the address")
                #expect(
                    try await shop.server.get("/metrics").text.contains(
                        "welms_replica_behind_seconds{replica=\"1\"} NaN\n"))
                #expect(try await shop.server.get("/readyz").status == 200)
            }
            try await shop.waitForReplica()
            let before = try await shop.readsOnReplica()
            try await eventually("the replica is read") {
                let state = try await shop.server.state(of: order)
                #expect(state == "placed")
                return try await shop.readsOnReplica() > before
            }
        }
    }

    @Test("A replica that hangs with open connections delays one read only")
    func hangingReplica() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 5)
            try await shop.waitForReplica()
            try await pair.whileStandbyHangs {
                let start = ContinuousClock.now
                for _ in 0..<20 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(ContinuousClock.now - start < .seconds(5), "20 read timeouts would take longer")
                try await eventually("the fault is reported") { try await shop.replicaCheck()?.status == "degraded" }
            }
            try await shop.waitForReplica()
        }
    }

    @Test("A replica that lags too far is reported, and is not read until it has caught up")
    func laggingReplica() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 6)
            try await pair.whileReplayIsPaused {
                try await pair.database.psql("create table later ()")
                try await eventually("the lag is reported") {
                    try await shop.replicaCheck()?.detail?.hasSuffix("s behind, and not read") == true
                }
                let before = try await shop.readsOnReplica()
                for _ in 0..<10 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(try await shop.readsOnReplica() == before)
            }
            try await pair.database.psql("drop table later")
            try await shop.waitForReplica()
        }
    }

    @Test("While the primary hangs, its replica is reported as lagging, because the primary may still write")
    func hangingPrimary() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            try await pair.whilePrimaryHangs {
                try await eventually("the lag is reported") {
                    try await shop.replicaCheck()?.detail?.hasSuffix("s behind, and not read") == true
                }
            }
            try await eventually("the server is ready", within: .seconds(30)) { try await shop.condition() == "ready" }
        }
    }

    @Test("If the replica cancels the query of a report, the primary answers it and the replica stays in use")
    func longReport() async throws {
        let pair = try await ReplicationPair.shared()
        let log = MessageLog()
        var web = WebConfiguration(port: 0)
        web.staffToken = StaffToken(StaffTests.token)
        // The high limit keeps the replica in use although it lags.
        try await Self.shop(on: pair, web, lagLimit: .seconds(60), log: log) { shop in
            // The standby takes the lock when it replays these statements, and keeps it while its replay is paused.
            let holder = try await PostgresConnection.connect(pair.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table orders in access exclusive mode")
            try await pair.database.psql("create table flushed (); drop table flushed")
            try await pair.whileReplayIsPaused {
                await holder.close()
                try await shop.waitForReplica()
                // Selects only the report's query, because the kitchen's estimate reads the orders too.
                let cancel = """
                    select count(pg_cancel_backend(pid)) from pg_stat_activity
                    where wait_event_type = 'Lock' and query like '%extract(hour from counted_at%'
                    """
                let before = log.messages
                // A busy server may not use the replica at this moment. Then the report is requested again.
                try await eventually("the report is cancelled on the standby, and answered") {
                    try await withThrowingTaskGroup(of: Outcome.self) { group in
                        group.addTask {
                            .answered(try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).status)
                        }
                        group.addTask {
                            // Cancels repeatedly, because the server may retry the read.
                            var isCancelled = false
                            while !Task.isCancelled {
                                if let count = try? await pair.onStandby(cancel), count != "0" { isCancelled = true }
                            }
                            return .cancelledOnStandby(isCancelled)
                        }
                        #expect(try await group.next() == .answered(200))
                        group.cancelAll()
                        return try await group.next() == .cancelledOnStandby(true)
                    }
                }
                #expect(before.contains("a replica is read"))
                #expect(!log.messages.dropFirst(before.count).contains("a replica is not read"))
            }
        }
    }

    private enum Outcome: Equatable {
        case answered(Int)
        case cancelledOnStandby(Bool)
    }

    @Test("While the primary is unavailable, orders are read from the replica")
    func deadPrimary() async throws {
        let pair = try await ReplicationPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 7)
            try await pair.catchUp()
            try await pair.whilePrimaryIsStopped {
                let state = try await shop.server.state(of: order)
                #expect(state == "placed")
                _ = try await shop.server.get("/v1/menu/2001").expecting(200)
            }
            try await eventually("the server is ready", within: .seconds(30)) { try await shop.condition() == "ready" }
        }
    }

    /// Runs a shop that reads from the pair's standby.
    private static func shop(
        on pair: ReplicationPair, _ web: WebConfiguration? = nil, lagLimit: Duration = .seconds(1),
        log: MessageLog? = nil,
        _ body: @Sendable @escaping (TestShop) async throws -> Void
    ) async throws {
        var replicas = ReplicaConfiguration(urls: [pair.standbyURL])
        replicas.lagLimit = lagLimit
        try await TestShop.run(
            on: pair.database, configuration: web, replicas: replicas, logger: log?.logger ?? .silent
        ) { shop in
            try await shop.waitForReplica()
            try await body(shop)
        }
    }
}

/// Records the logged messages.
private final class MessageLog: Sendable {
    private struct Handler: LogHandler {
        let log: MessageLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.recorded.withLock { $0.append("\(event.message)") } }
    }

    private let recorded = Mutex<[String]>([])

    var messages: [String] { recorded.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}

extension TestShop {
    fileprivate func readsOnReplica() async throws -> Int {
        let line = try await server.get("/metrics").text.split(separator: "\n").first {
            $0.contains(#"{answered_by="replica"}"#)
        }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    fileprivate func condition() async throws -> String {
        try await server.get("/readyz").decoded(ReadinessBody.self).status
    }

    fileprivate func replicaCheck() async throws -> ReadinessCheckBody? {
        try await server.get("/readyz").decoded(ReadinessBody.self).checks.first { $0.name == "replicas" }
    }

    fileprivate func waitForReplica() async throws {
        try await eventually("the replica is read", within: .seconds(30)) { try await replicaCheck()?.status == "ok" }
    }
}

extension TestServer {
    fileprivate func state(of order: OrderBody) async throws -> String {
        try await get("/v1/orders/\(order.id)").expecting(200).decoded(OrderBody.self).state
    }
}
