// Streams that are cut and come back: no gap, no double, and an end where there is one.
// Read next: Sources/StorefrontClient/Events/ResumingStream.swift.

import ErrorChannel
import Logging
import StorefrontClient
import Support
import Testing
import Web
import Wire

@Suite("StorefrontClient: streams", .timeLimit(.minutes(5)))
struct StreamTests {
    @Test("An order's stream that is cut, also in the middle of an event, goes on without a gap or a double, and ends with the order")
    func orderStream() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let faults: [Fault] = [
                .cutsAfter("retry: "), .cutsAfter("event: status\ndata: {"), .losesAnswer, .refuses(503, "overloaded", retryAfter: 1),
                .refuses(429, "rate_limited", retryAfter: 5),
                .cutsAfter("\"accepted\""),
            ]
            try await FaultyWay.run(to: shop.server.port, faults) { way in
                let clock = InstantClock()
                try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                    var states: [String] = []
                    for try await event in client.orderEvents(order.id) {
                        #expect(event.orderId == order.id)
                        states.append(event.state)
                        let next = ["placed": "accepted", "accepted": "preparing", "preparing": "on_the_way", "on_the_way": "delivered"]
                        if let next = next[event.state] {
                            try await shop.database.psql("select advance_order('\(order.number)', '\(next)')")
                        }
                    }
                    #expect(states == ["placed", "accepted", "preparing", "on_the_way", "delivered"])
                    #expect(clock.waits.count == faults.count)
                    #expect(clock.waits.contains { $0 > .seconds(16) }, "the server's own retry is where the pauses begin")

                    var rest: [String] = []
                    for try await event in client.orderEvents(order.id, after: 3) { rest.append(event.state) }
                    #expect(rest == ["on_the_way", "delivered"])
                    for try await _ in client.orderEvents(order.id, after: 5) { Issue.record("there is nothing more to tell") }
                }
            }
        }
    }

    @Test("A stream of an order that does not exist fails, and one whose server stays away gives up")
    func ends() async throws {
        try await TestShop.run { shop in
            try await StorefrontClient.with(shop.server.address, configuration: .fast()) { client in
                var events = client.orderEvents("x").makeAsyncIterator()
                let error = await failure { () async throws(StorefrontError) in _ = try await events.next() }
                #expect(error?.problem?.code == .orderNotFound)
            }
        }
        let clock = InstantClock()
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: .fast(clock)) { client in
            var events = client.errorEvents(after: "a-1").makeAsyncIterator()
            let error = await failure { () async throws(StorefrontError) in _ = try await events.next() }
            #expect(error?.isPassing == true)
            #expect(clock.waits.reduce(.zero, +) <= .seconds(300) && clock.waits.count > 10)
        }
    }

    @Test("A stream that falls silent is cut after the configuration's patience with it, and goes on where it was")
    func silence() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            try await FaultyWay.run(to: shop.server.port, [.fallsSilentAfter("\"placed\""), .fallsSilentAfter("\"accepted\"")]) { way in
                var configuration = ClientConfiguration.fast()
                configuration.silence = .milliseconds(300)
                try await StorefrontClient.with(way.address, configuration: configuration) { client in
                    var states: [String] = []
                    for try await event in client.orderEvents(order.id) {
                        states.append(event.state)
                        guard let next = ["placed": "accepted", "accepted": "rejected"][event.state] else { continue }
                        try await shop.database.psql("select advance_order('\(order.number)', '\(next)', 'out of burgers')")
                    }
                    #expect(states == ["placed", "accepted", "rejected"])
                    #expect(way.connections >= 3, "two fell silent, and one came to the end")
                }
            }
        }
    }

    @Test("A stream that shows with heartbeats that its server lives is not given up, however often it is cut; one that shows nothing is")
    func heartbeats() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 2000\n\n"
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            // With pauses of 30 seconds and a patience of 300, a dozen tries are all there are.
            let beating = Array(repeating: Fault.answers(head + ": still here\n\n"), count: 40)
            try await FaultyWay.run(to: shop.server.port, beating) { way in
                let clock = InstantClock()
                try await StorefrontClient.with(way.address, configuration: .fast(clock)) { client in
                    var events = client.orderEvents(order.id).makeAsyncIterator()
                    let first = try await events.next()
                    #expect(first?.state == "placed")
                    #expect(clock.waits.count == beating.count)
                }
            }
            try await FaultyWay.run(to: shop.server.port, Array(repeating: .answers(head), count: 40)) { way in
                try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                    var events = client.orderEvents(order.id).makeAsyncIterator()
                    let error = await failure { () async throws(StorefrontError) in _ = try await events.next() }
                    #expect(error?.isPassing == true && way.connections < 40)
                }
            }
        }
    }

    @Test("The end of the client is the end of its streams and calls: they don't try to come back", .timeLimit(.minutes(1)))
    func shutdown() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let clock = InstantClock()
            let client = try await StorefrontClient(shop.server.address, configuration: .fast(clock))
            let (told, states) = AsyncStream.makeStream(of: String.self)
            let listening = Task {
                await failure { () async throws(StorefrontError) in
                    for try await event in client.orderEvents(order.id) { states.yield(event.state) }
                }
            }
            for await state in told {
                #expect(state == "placed")
                break
            }
            await client.shutdown()
            #expect(await listening.value == .cancelled)
            var events = client.orderEvents(order.id).makeAsyncIterator()
            #expect(await failure { () async throws(StorefrontError) in _ = try await events.next() } == .cancelled)
            #expect(await failure { () async throws(StorefrontError) in _ = try await client.order(order.id) } == .cancelled)
            #expect(clock.waits.isEmpty)
        }
    }

    @Test("The error channel begins with the condition and goes on after it; what was missed is told; unknown events are passed over")
    func errorStream() async throws {
        let broadcast = ErrorBroadcast()
        @Sendable func fault(_ subject: String) -> SystemFault {
            SystemFault(code: "menu_unavailable", subject: subject, link: "/v1/menu", message: "Sorry", logMessage: "it broke")
        }
        broadcast.publish(fault("first"), at: 1)
        let services = OperationsServices(errors: broadcast, readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            try await FaultyWay.run(to: server.port, [.none, .cutsAfter("event: recovery\n"), .losesAnswer]) { way in
                try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                    var news = client.errorEvents().makeAsyncIterator()
                    guard case .condition(let errors) = try await news.next() else { throw CancellationError() }
                    #expect(errors.condition == "degraded" && errors.events.map(\.subject) == ["first"])
                    // Between the condition and the stream nothing falls.
                    broadcast.publish(fault("second"), at: 2)
                    broadcast.recover(subject: "first", message: "Well again", at: 3)
                    #expect(try await news.next().map(Self.told) == "fault of second")
                    #expect(try await news.next().map(Self.told) == "recovery of first")
                    broadcast.publish(fault("third"), at: 4)
                    #expect(try await news.next().map(Self.told) == "fault of third")
                }
            }
            // More than the ring of 256 remembers.
            let known = broadcast.snapshot.events.first.map { "\($0.id)" }
            for number in 0..<150 {
                broadcast.publish(fault("\(number)"), at: 5)
                broadcast.recover(subject: "\(number)", message: "Well again", at: 6)
            }
            try await StorefrontClient.with(server.address) { client in
                var news = client.errorEvents(after: known).makeAsyncIterator()
                let missed = try await news.next()
                #expect(missed == .missed(44))
                let next = try await news.next()
                #expect(next.map(Self.told) == "fault of 22")
            }
        }
        let unknown =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nid: a-1\nevent: solar_flare\ndata: 7\n\n"
        let missed = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: missed\ndata: {\"missed\":3,\"since\":\"x\"}\n\n"
        try await FaultyWay.run(to: 1, [.answers(unknown), .answers(missed)]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                var news = client.errorEvents(after: "a-0").makeAsyncIterator()
                let first = try await news.next()
                #expect(first == .missed(3))
            }
        }
    }

    @Test("However many streams are open, there is a connection for the next call")
    func crowd() async throws {
        let broadcast = ErrorBroadcast()
        let fault = SystemFault(code: "menu_unavailable", subject: "menu", link: "/v1/menu", message: "Sorry", logMessage: "it broke")
        broadcast.publish(fault, at: 1)
        let services = OperationsServices(errors: broadcast, readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            var configuration = ClientConfiguration.fast()
            configuration.streamPatience = .zero
            try await StorefrontClient.with(server.address, configuration: configuration) { client in
                var open: [ErrorEvents.AsyncIterator] = []
                for _ in 1...24 {
                    var news = client.errorEvents(after: "none").makeAsyncIterator()
                    let first = try await news.next()
                    #expect(first.map(Self.told) == "fault of menu")
                    open.append(news)
                }
                let errors = try await client.errors()
                #expect(errors.condition == "degraded")
                #expect(open.count == 24)
            }
        }
    }

    @Test("The error channel waits for a server that is away when it begins too, with a stream's patience")
    func lateServer() async throws {
        let services = OperationsServices(errors: ErrorBroadcast(), readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            // More than a call tries by itself.
            let away = Array(repeating: Fault.answers(""), count: 12) + [.refuses(503, "overloaded", retryAfter: 1)]
            try await FaultyWay.run(to: server.port, away) { way in
                try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                    var news = client.errorEvents().makeAsyncIterator()
                    guard case .condition(let errors) = try await news.next() else { throw CancellationError() }
                    #expect(errors.condition == "healthy" && way.connections == away.count + 1)
                }
            }
        }
        let clock = InstantClock()
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: .fast(clock)) { client in
            var news = client.errorEvents().makeAsyncIterator()
            let error = await failure { () async throws(StorefrontError) in _ = try await news.next() }
            #expect(error?.isPassing == true)
            // The first and the last call have pauses of their own, 3 seconds in all.
            #expect((.seconds(200)...(.seconds(310))).contains(clock.waits.reduce(.zero, +)))
        }
        try await FaultyWay.run(to: 1, [.refuses(404, "not_found")]) { way in
            try await StorefrontClient.with(way.address, configuration: .fast()) { client in
                var news = client.errorEvents().makeAsyncIterator()
                let error = await failure { () async throws(StorefrontError) in _ = try await news.next() }
                #expect(error?.problem?.code == .notFound && way.connections == 1)
            }
        }
    }

    static func told(_ news: ErrorNews) -> String {
        if case .event(let event) = news { "\(event.kind) of \(event.subject)" } else { "\(news)" }
    }
}
