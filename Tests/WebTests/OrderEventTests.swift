// An order's event stream on two servers with one database: steps, resuming, the end, and lost connections.

import Support
import Testing
import Web
import Wire

@Suite("Order events", .timeLimit(.minutes(10)))
struct OrderEventTests {
    static func advance(_ shop: TestShop, _ order: OrderBody, _ state: String, before: String = "") async throws {
        try await shop.database.psql("\(before) select advance_order('\(order.number)', '\(state)', 'out of buns')")
    }

    static func followers(_ server: TestServer) async throws -> String {
        let text = try await server.get("/metrics").text
        return text.split(separator: "\n").first { $0.hasPrefix("welms_order_followers ") }.map(String.init) ?? ""
    }

    @Test("Every server sends a step in SQL within a second with its link, and the stream ends with the final state")
    func steps() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let order = try await shop.server.order()
                try await other.server.withRawConnection { connection in
                    try await connection.openStream("/v1/orders/\(order.id)/events")
                    let placed = try await connection.nextEvent()
                    #expect(placed.id == "1" && placed.name == "status")
                    let expected =
                        #"{"orderId":"\#(order.id)","number":"\#(order.number)","state":"placed","#
                        + #""at":"\#(order.placedAt)","link":"/v1/orders/\#(order.id)"}"#
                    #expect(placed.data == expected)
                    var delays: [Duration] = []
                    for (index, state) in ["accepted", "preparing", "on_the_way"].enumerated() {
                        try await Self.advance(shop, order, state)
                        let start = ContinuousClock.now
                        let event = try await connection.nextEvent()
                        delays.append(.now - start)
                        #expect(event.id == "\(index + 2)")
                        #expect(try event.decoded(OrderEventBody.self).state == state)
                    }
                    #expect(delays.sorted()[1] < .seconds(1), "\(delays)")
                    try await Self.advance(shop, order, "delivered")
                    #expect(try await connection.eventsToEnd().map(\.id) == ["5"])
                }
            }
        }
    }

    @Test("A cancellation or rejection on another server ends the stream, and only a rejection has a reason")
    func ends() async throws {
        try await TestShop.run { shop in
            try await TestShop.run(on: shop.database) { other in
                let order = try await shop.server.order(guest: 1)
                try await other.server.withRawConnection { connection in
                    try await connection.openStream("/v1/orders/\(order.id)/events", after: "1")
                    #expect(try await shop.server.cancel(order).status == 200)
                    let events = try await connection.eventsToEnd()
                    #expect(try events.map { try $0.decoded(OrderEventBody.self).state } == ["cancelled"])
                }
                let refused = try await shop.server.order(guest: 2)
                try await Self.advance(shop, refused, "accepted")
                try await Self.advance(shop, refused, "rejected")
                try await other.server.withRawConnection { connection in
                    let token = ("Authorization", "Bearer \(refused.accessToken ?? "")")
                    try await connection.openStream("/v1/orders/\(refused.id)/events", headers: [token])
                    let bodies = try await connection.eventsToEnd().map { try $0.decoded(OrderEventBody.self) }
                    #expect(bodies.map(\.state) == ["placed", "accepted", "rejected"])
                    #expect(bodies.map(\.rejectionReason) == [nil, nil, "out of buns"])
                }
            }
        }
    }

    @Test("A stream resumes after its last event, sends all events for a foreign id, and returns 204 after the end")
    func resume() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let address = "/v1/orders/\(order.id)/events"
            for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                try await Self.advance(shop, order, state)
            }
            for (id, count) in [
                ("1", 4), ("2", 3), ("3", 2), ("4", 1), ("0", 5), ("6", 5), ("-1", 5), ("x", 5), ("2x", 5), ("", 5),
                ("+2", 5), ("02", 5),
                ("99999999999999999999999", 5), ("-9223372036854775808", 5), ("9223372036854775807", 5),
            ] {
                try await shop.server.withRawConnection { connection in
                    try await connection.openStream(address, after: id)
                    #expect(
                        try await connection.eventsToEnd().map(\.id) == (1...5).suffix(count).map { "\($0)" },
                        "after \(id)")
                }
            }
            let over = try await shop.server.get(address, headers: [("Last-Event-ID", "5")])
            #expect(over.status == 204 && over.body.isEmpty)
            let head = try await shop.server.send("HEAD", address)
            #expect(head.status == 200 && head.header("Content-Type") == "text/event-stream" && head.body.isEmpty)
            try await eventually("no follower is left") {
                try await Self.followers(shop.server) == "welms_order_followers 0"
            }
        }
    }

    @Test("An unknown order, a malformed id and a basket without an order return 404 order_not_found")
    func unknown() async throws {
        try await TestShop.run { shop in
            let basket = try await shop.server.startBasket()
            for id in [
                basket.id, "01890000-0000-7000-8000-000000000000", "04219377", "x", String(repeating: "9", count: 5000),
            ] {
                let reply = try await shop.server.get("/v1/orders/\(id)/events")
                #expect(reply.status == 404 && reply.code == "order_not_found", "\(id.prefix(40))")
            }
        }
    }

    @Test("No step is missed when the LISTEN connection is lost, during the outage or after it")
    func lostConnection() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let cut =
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where application_name = 'welms listener' and datname = current_database();
                """
            try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/orders/\(order.id)/events")
                _ = try await connection.nextEvent()
                for state in ["accepted", "preparing", "on_the_way"] {
                    let listening =
                        """
                        select count(*) from pg_stat_activity where application_name = 'welms listener'
                        and query like 'listen%' and datname = current_database()
                        """
                    try await eventually("the server listens") { try await shop.database.psql(listening) == "1" }
                    try await Self.advance(shop, order, state, before: cut)
                    #expect(try await connection.nextEvent().decoded(OrderEventBody.self).state == state)
                }
                try await Self.advance(shop, order, "delivered")
                #expect(try await connection.eventsToEnd().count == 1)
            }
        }
    }

    @Test("200 followers of an order receive all steps in order, all streams end, and no follower is left")
    func many() async throws {
        var configuration = WebConfiguration(port: 0)
        configuration.server.maxStreamsPerClient = 200
        try await TestShop.run(configuration: configuration) { shop in
            let order = try await shop.server.order()
            try await withThrowingTaskGroup(of: [String?].self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await shop.server.withRawConnection { connection in
                            try await connection.openStream("/v1/orders/\(order.id)/events")
                            return try await connection.eventsToEnd().map(\.id)
                        }
                    }
                }
                try await eventually("all clients follow") {
                    try await Self.followers(shop.server) == "welms_order_followers 200"
                }
                for state in ["accepted", "preparing", "on_the_way", "delivered"] {
                    try await Self.advance(shop, order, state)
                }
                for try await ids in group { #expect(ids == ["1", "2", "3", "4", "5"]) }
            }
            try await eventually("no follower is left") {
                try await Self.followers(shop.server) == "welms_order_followers 0"
            }
        }
    }

    @Test("Heartbeats keep a stream open, a shutdown ends it, and a disconnected follower is removed")
    func heartbeatAndShutdown() async throws {
        var configuration = WebConfiguration(port: 0)
        configuration.heartbeat = .milliseconds(50)
        try await TestShop.run(configuration: configuration) { shop in
            let order = try await shop.server.order()
            try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/orders/\(order.id)/events")
                _ = try await connection.read(until: ": still here\n\n")
            }
            try await eventually("no follower is left") {
                try await Self.followers(shop.server) == "welms_order_followers 0"
            }
            try await shop.server.withRawConnection { connection in
                try await connection.openStream("/v1/orders/\(order.id)/events")
                let start = ContinuousClock.now
                await shop.server.shutDown()
                #expect(await connection.readToEnd().hasSuffix("0\r\n\r\n"))
                #expect(ContinuousClock.now - start < .seconds(8))
            }
        }
    }
}
