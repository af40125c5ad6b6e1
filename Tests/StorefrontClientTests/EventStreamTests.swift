// Event streams that are interrupted resume without gaps or duplicates, and end correctly.

import ErrorChannel
import Logging
import StorefrontClient
import Support
import Testing
import Web
import Wire

@Suite("StorefrontClient: event streams", .timeLimit(.minutes(5)))
struct EventStreamTests {
    @Test("An order's event stream resumes after interruptions without gaps or duplicates, and ends at the final state")
    func orderStream() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let faults: [Fault] = [
                .closesAfter("retry: "), .closesAfter("event: status\ndata: {"), .dropsResponse,
                .rejects(503, "overloaded", retryAfter: 1),
                .rejects(429, "rate_limited", retryAfter: 5),
                .closesAfter("\"accepted\""),
            ]
            try await FaultyProxy.run(to: shop.server.port, faults) { proxy in
                let clock = InstantClock()
                try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                    var states: [String] = []
                    for try await event in client.orderEvents(order.id) {
                        #expect(event.orderId == order.id)
                        states.append(event.state)
                        let next = [
                            "placed": "accepted", "accepted": "preparing", "preparing": "on_the_way",
                            "on_the_way": "delivered",
                        ]
                        if let next = next[event.state] {
                            try await shop.database.psql("select advance_order('\(order.number)', '\(next)')")
                        }
                    }
                    #expect(states == ["placed", "accepted", "preparing", "on_the_way", "delivered"])
                    #expect(clock.sleeps.count == faults.count)
                    #expect(clock.sleeps.contains { $0 > .seconds(16) }, "the pauses begin at the server's retry time")

                    var rest: [String] = []
                    for try await event in client.orderEvents(order.id, after: 3) { rest.append(event.state) }
                    #expect(rest == ["on_the_way", "delivered"])
                    for try await _ in client.orderEvents(order.id, after: 5) {
                        Issue.record("an event arrived after the final state")
                    }
                }
            }
        }
    }

    @Test("The stream of an unknown order fails, and a stream gives up if the server remains unreachable")
    func failures() async throws {
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
            #expect(error?.isTransient == true)
            #expect(clock.sleeps.reduce(.zero, +) <= .seconds(300) && clock.sleeps.count > 10)
        }
    }

    @Test("A stream without data is closed after the idle timeout and resumes after its last event")
    func idleTimeout() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            try await FaultyProxy.run(to: shop.server.port, [.stallsAfter("\"placed\""), .stallsAfter("\"accepted\"")])
            { proxy in
                var configuration = ClientConfiguration.fast()
                configuration.streamIdleTimeout = .milliseconds(300)
                try await StorefrontClient.with(proxy.address, configuration: configuration) { client in
                    var states: [String] = []
                    for try await event in client.orderEvents(order.id) {
                        states.append(event.state)
                        guard let next = ["placed": "accepted", "accepted": "rejected"][event.state] else { continue }
                        try await shop.database.psql(
                            "select advance_order('\(order.number)', '\(next)', 'out of burgers')")
                    }
                    #expect(states == ["placed", "accepted", "rejected"])
                    #expect(proxy.connections >= 3, "two connections timed out, and a third one finished")
                }
            }
        }
    }

    @Test("A stream with heartbeats is reconnected without limit; a stream without any data gives up")
    func heartbeats() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 2000\n\n"
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            // With pauses of 30 seconds and a limit of 300, about a dozen attempts are possible without heartbeats.
            let heartbeats = Array(repeating: Fault.responds(head + ": still here\n\n"), count: 40)
            try await FaultyProxy.run(to: shop.server.port, heartbeats) { proxy in
                let clock = InstantClock()
                try await StorefrontClient.with(proxy.address, configuration: .fast(clock)) { client in
                    var events = client.orderEvents(order.id).makeAsyncIterator()
                    let first = try await events.next()
                    #expect(first?.state == "placed")
                    #expect(clock.sleeps.count == heartbeats.count)
                }
            }
            try await FaultyProxy.run(to: shop.server.port, Array(repeating: .responds(head), count: 40)) { proxy in
                try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                    var events = client.orderEvents(order.id).makeAsyncIterator()
                    let error = await failure { () async throws(StorefrontError) in _ = try await events.next() }
                    #expect(error?.isTransient == true && proxy.connections < 40)
                }
            }
        }
    }

    @Test("Shutting the client down ends its streams and calls without retries", .timeLimit(.minutes(1)))
    func shutdown() async throws {
        try await TestShop.run { shop in
            let order = try await shop.server.order()
            let clock = InstantClock()
            let client = try await StorefrontClient(shop.server.address, configuration: .fast(clock))
            let (received, states) = AsyncStream.makeStream(of: String.self)
            let listening = Task {
                await failure { () async throws(StorefrontError) in
                    for try await event in client.orderEvents(order.id) { states.yield(event.state) }
                }
            }
            for await state in received {
                #expect(state == "placed")
                break
            }
            await client.shutdown()
            #expect(await listening.value == .cancelled)
            var events = client.orderEvents(order.id).makeAsyncIterator()
            #expect(await failure { () async throws(StorefrontError) in _ = try await events.next() } == .cancelled)
            #expect(
                await failure { () async throws(StorefrontError) in _ = try await client.order(order.id) } == .cancelled
            )
            #expect(clock.sleeps.isEmpty)
        }
    }

    @Test("The error channel begins with the condition, reports missed events and ignores unknown ones")
    func errorStream() async throws {
        let broadcast = ErrorBroadcast()
        @Sendable func fault(_ subject: String) -> SystemFault {
            SystemFault(
                code: "menu_unavailable", subject: subject, link: "/v1/menu", message: "Sorry", logMessage: "it broke")
        }
        broadcast.publish(fault("first"), at: 1)
        let services = OperationsServices(errorChannel: broadcast, readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            try await FaultyProxy.run(to: server.port, [.none, .closesAfter("event: recovery\n"), .dropsResponse]) {
                proxy in
                try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                    var news = client.errorEvents().makeAsyncIterator()
                    guard case .condition(let errors) = try await news.next() else { throw CancellationError() }
                    #expect(errors.condition == "degraded" && errors.events.map(\.subject) == ["first"])
                    // These events occur between the read of the condition and the start of the stream.
                    broadcast.publish(fault("second"), at: 2)
                    broadcast.recover(subject: "first", message: "Well again", at: 3)
                    #expect(try await news.next().map(Self.summary) == "fault of second")
                    #expect(try await news.next().map(Self.summary) == "recovery of first")
                    broadcast.publish(fault("third"), at: 4)
                    #expect(try await news.next().map(Self.summary) == "fault of third")
                }
            }
            // More events than the 256 that the broadcast stores.
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
                #expect(next.map(Self.summary) == "fault of 22")
            }
        }
        let unknown =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            + "id: a-1\nevent: solar_flare\ndata: 7\n\n"
        let missed =
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: missed\ndata: {\"missed\":3,\"since\":\"x\"}\n\n"
        try await FaultyProxy.run(to: 1, [.responds(unknown), .responds(missed)]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                var news = client.errorEvents(after: "a-0").makeAsyncIterator()
                let first = try await news.next()
                #expect(first == .missed(3))
            }
        }
    }

    @Test("A call succeeds while 24 event streams are open")
    func manyStreams() async throws {
        let broadcast = ErrorBroadcast()
        let fault = SystemFault(
            code: "menu_unavailable", subject: "menu", link: "/v1/menu", message: "Sorry", logMessage: "it broke")
        broadcast.publish(fault, at: 1)
        let services = OperationsServices(errorChannel: broadcast, readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            var configuration = ClientConfiguration.fast()
            configuration.streamReconnectTimeout = .zero
            try await StorefrontClient.with(server.address, configuration: configuration) { client in
                var open: [ErrorEventSequence.AsyncIterator] = []
                for _ in 1...24 {
                    var news = client.errorEvents(after: "none").makeAsyncIterator()
                    let first = try await news.next()
                    #expect(first.map(Self.summary) == "fault of menu")
                    open.append(news)
                }
                let errors = try await client.errors()
                #expect(errors.condition == "degraded")
                #expect(open.count == 24)
            }
        }
    }

    @Test("The error channel waits for a server that is unreachable at the start, up to `streamReconnectTimeout`")
    func serverStartsLater() async throws {
        let services = OperationsServices(errorChannel: ErrorBroadcast(), readiness: Readiness(checks: []))
        try await TestServer.run { onRunning in
            [buildApplication(WebConfiguration(port: 0), operations: services, logger: .silent, onRunning: onRunning)]
        } _: { server in
            // More failures than one call makes attempts.
            let failures =
                Array(repeating: Fault.responds(""), count: 12) + [.rejects(503, "overloaded", retryAfter: 1)]
            try await FaultyProxy.run(to: server.port, failures) { proxy in
                try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                    var news = client.errorEvents().makeAsyncIterator()
                    guard case .condition(let errors) = try await news.next() else { throw CancellationError() }
                    #expect(errors.condition == "healthy" && proxy.connections == failures.count + 1)
                }
            }
        }
        let clock = InstantClock()
        try await StorefrontClient.with("http://127.0.0.1:1", configuration: .fast(clock)) { client in
            var news = client.errorEvents().makeAsyncIterator()
            let error = await failure { () async throws(StorefrontError) in _ = try await news.next() }
            #expect(error?.isTransient == true)
            // The first and the last call add pauses of their own, 3 seconds in total.
            #expect((.seconds(200)...(.seconds(310))).contains(clock.sleeps.reduce(.zero, +)))
        }
        try await FaultyProxy.run(to: 1, [.rejects(404, "not_found")]) { proxy in
            try await StorefrontClient.with(proxy.address, configuration: .fast()) { client in
                var news = client.errorEvents().makeAsyncIterator()
                let error = await failure { () async throws(StorefrontError) in _ = try await news.next() }
                #expect(error?.problem?.code == .notFound && proxy.connections == 1)
            }
        }
    }

    static func summary(_ news: ErrorChannelElement) -> String {
        if case .event(let event) = news { "\(event.kind) of \(event.subject)" } else { "\(news)" }
    }
}
