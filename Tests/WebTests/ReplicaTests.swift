// Reads on a real streaming standby: that nobody can tell, that one which lags or dies harms nobody, and that the operator is told.
// Read next: Sources/Shop/Replicas/ReadReplicas.swift.

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
        "A guest who has just checked out and follows the Location sees the order, though the replica lacks it; later the replica has it, with the same ETag"
    )
    func freshOrder() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let (order, tag) = try await pair.whileReplayIsPaused {
                let order = try await shop.server.order(guest: 1)
                let reply = try await shop.server.get("/v1/orders/\(order.id)").expecting(200)
                #expect(try reply.decoded(OrderBody.self).number == order.number)
                return (order, try #require(reply.header("ETag")))
            }
            let before = try await shop.readsOnReplica()
            let headers = [("Authorization", "Bearer \(order.accessToken ?? "")")]
            try await eventually("the replica answers") {
                let unchanged = try await shop.server.get("/v1/orders/\(order.id)", headers: [("If-None-Match", tag)])
                #expect(unchanged.status == 304)
                let seen = try await shop.server.get("/v1/orders/\(order.id)", headers: headers).decoded(OrderBody.self)
                #expect(seen.customer?.name == "Ann Lee")
                return try await shop.readsOnReplica() >= before + 10
            }
            #expect(try await shop.server.get("/v1/orders/\(UUID().uuidString.lowercased())").status == 404)
        }
    }

    @Test("A step of an order shows at once, whoever made it, though the replica has the order as it was")
    func freshStep() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let (moved, cancelled) = (try await shop.server.order(guest: 2), try await shop.server.order(guest: 3))
            let before = try await shop.readsOnReplica()
            try await eventually("the replica answers") {
                _ = try await shop.server.get("/v1/orders/\(moved.id)").expecting(200)
                return try await shop.readsOnReplica() > before
            }
            try await pair.whileReplayIsPaused {
                _ = try await shop.server.cancel(cancelled).expecting(200)
                #expect(try await shop.server.state(of: cancelled) == "cancelled")
                try await pair.database.psql("select advance_order('\(moved.number)', 'accepted')")
                try await eventually("the announcement arrives") { try await shop.server.state(of: moved) == "accepted" }
                for _ in 0..<20 { #expect(try await shop.server.state(of: moved) == "accepted") }
            }
        }
    }

    @Test("The menu never goes back, whether a change comes while the replica lags or not, and comes from the replica where it has it")
    func menu() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            @Sendable func price() async throws -> Int64 { try await shop.server.get("/v1/menu/2001").decoded(MenuItemBody.self).price }
            let isDone = Mutex(false)
            // Asks all the time, and answers whether the price ever fell.
            async let wentBack = {
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
                    try await eventually("the change shows") { try await price() == 5000 + change }
                }
                if change.isMultiple(of: 2) { try await pair.whileReplayIsPaused(update) } else { try await update() }
            }
            isDone.withLock { $0 = true }
            #expect(try await !wentBack)
            #expect(try await shop.readsOnReplica() > 0)
            try await pair.database.psql("update menu_items set price = 805 where id = 2001")
        }
    }

    @Test("A replica that dies costs nobody an answer, is told by /readyz as degraded, and is read again when it is back")
    func deadReplica() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 4)
            try await pair.whileStandbyIsStopped {
                let start = ContinuousClock.now
                for _ in 0..<20 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(ContinuousClock.now - start < .seconds(5))
                try await eventually("it is told") { try await shop.replicaCheck()?.status == "degraded" }
                let detail = try await shop.replicaCheck()?.detail ?? ""
                #expect(detail == "replica 1: doesn't answer", "and nothing of where it is")
                #expect(try await shop.server.get("/metrics").text.contains("welms_replica_behind_seconds{replica=\"1\"} NaN\n"))
                #expect(try await shop.server.get("/readyz").status == 200)
            }
            try await shop.waitForReplica()
            let before = try await shop.readsOnReplica()
            try await eventually("it is read again") {
                let state = try await shop.server.state(of: order)
                #expect(state == "placed")
                return try await shop.readsOnReplica() > before
            }
        }
    }

    @Test("A replica that hangs with its connections open costs one read a moment, and the next ones nothing")
    func hangingReplica() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 5)
            try await shop.waitForReplica()
            try await pair.whileStandbyHangs {
                let start = ContinuousClock.now
                for _ in 0..<20 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(ContinuousClock.now - start < .seconds(5), "20 times the patience of a read are more")
                try await eventually("it is told") { try await shop.replicaCheck()?.status == "degraded" }
            }
            try await shop.waitForReplica()
        }
    }

    @Test("A replica too far behind is not read, and the operator is told how far; it is read again when it has caught up")
    func lateReplica() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 6)
            try await pair.whileReplayIsPaused {
                try await pair.database.psql("create table later ()")
                try await eventually("it is told") { try await shop.replicaCheck()?.detail?.hasSuffix("s behind, and not read") == true }
                let before = try await shop.readsOnReplica()
                for _ in 0..<10 { #expect(try await shop.server.state(of: order) == "placed") }
                #expect(try await shop.readsOnReplica() == before)
            }
            try await pair.database.psql("drop table later")
            try await shop.waitForReplica()
        }
    }

    @Test("A primary that is there and does not answer may write all the same, so that its replica counts as behind after a while")
    func hangingPrimary() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            try await pair.whilePrimaryHangs {
                try await eventually("it is told") { try await shop.replicaCheck()?.detail?.hasSuffix("s behind, and not read") == true }
            }
            try await eventually("all is well again", within: .seconds(30)) { try await shop.condition() == "ready" }
        }
    }

    @Test("A report that a replica does not finish is made by the primary, and the replica is read on")
    func longReport() async throws {
        let pair = try await StreamingPair.shared()
        let log = HeardLog()
        var web = WebConfiguration(port: 0)
        web.staffToken = StaffToken(StaffTests.token)
        // How far the replica is behind is not what this is about.
        try await Self.shop(on: pair, web, lagLimit: .seconds(60), log: log) { shop in
            // The standby takes the lock when it replays this, and keeps it while it replays nothing more.
            let holder = try await PostgresConnection.connect(pair.database.url, logger: .silent)
            try await holder.run(script: "begin; lock table orders in access exclusive mode")
            try await pair.database.psql("create table flushed (); drop table flushed")
            try await pair.whileReplayIsPaused {
                await holder.close()
                try await shop.waitForReplica()
                // The kitchen's load is read from the orders too.
                let cancel = """
                    select count(pg_cancel_backend(pid)) from pg_stat_activity
                    where wait_event_type = 'Lock' and query like '%extract(hour from counted_at%'
                    """
                let before = log.messages
                // A busy machine may have looked away from the replica at that moment: a report that went past it is asked for again.
                try await eventually("the report waits on the standby, is cancelled there, and answered") {
                    try await withThrowingTaskGroup(of: Outcome.self) { group in
                        group.addTask {
                            .answered(try await shop.server.get("/v1/staff/today", headers: StaffTests.bearer).status)
                        }
                        group.addTask {
                            // Again and again, for a copy of the read may come after it.
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

    @Test("While the primary is away, orders are read from the replica")
    func deadPrimary() async throws {
        let pair = try await StreamingPair.shared()
        try await Self.shop(on: pair) { shop in
            let order = try await shop.server.order(guest: 7)
            try await pair.catchUp()
            try await pair.whilePrimaryIsStopped {
                let state = try await shop.server.state(of: order)
                #expect(state == "placed")
                _ = try await shop.server.get("/v1/menu/2001").expecting(200)
            }
            try await eventually("all is well again", within: .seconds(30)) { try await shop.condition() == "ready" }
        }
    }

    /// A shop whose replica is the pair's standby, and which reads from it.
    private static func shop(
        on pair: StreamingPair, _ web: WebConfiguration? = nil, lagLimit: Duration = .seconds(1), log: HeardLog? = nil,
        _ body: @Sendable @escaping (TestShop) async throws -> Void
    ) async throws {
        var replicas = ReplicaConfiguration(urls: [pair.standbyURL])
        replicas.lagLimit = lagLimit
        try await TestShop.run(on: pair.database, configuration: web, replicas: replicas, logger: log?.logger ?? .silent) { shop in
            try await shop.waitForReplica()
            try await body(shop)
        }
    }
}

/// What was logged.
private final class HeardLog: Sendable {
    private struct Handler: LogHandler {
        let log: HeardLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.heard.withLock { $0.append("\(event.message)") } }
    }

    private let heard = Mutex<[String]>([])

    var messages: [String] { heard.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}

extension TestShop {
    fileprivate func readsOnReplica() async throws -> Int {
        let line = try await server.get("/metrics").text.split(separator: "\n").first { $0.contains(#"{answered_by="replica"}"#) }
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
