// ErrorBroadcast delivers each event once and in order, limits its memory, and counts the events that a subscriber
// missed.

import ErrorChannel
import Testing

@Suite("Error broadcast", .timeLimit(.minutes(10)))
struct ErrorBroadcastTests {
    static func fault(_ code: String = "menu_unavailable", subject: String = "menu") -> SystemFault {
        SystemFault(code: code, subject: subject, link: "/v1/menu", message: "Sorry", logMessage: "host db1 refused")
    }

    /// Publishes a fault and its recovery `pairs` times, which makes two events each.
    static func flap(_ broadcast: ErrorBroadcast, _ pairs: Int, subject: String = "menu") {
        for time in 0..<Int64(pairs) {
            broadcast.publish(fault(subject: subject), at: time)
            broadcast.recover(subject: subject, message: "Well again", at: time)
        }
    }

    static func drain(_ subscription: ErrorSubscription) async -> [Delivery] {
        subscription.cancel()
        var deliveries: [Delivery] = []
        for await delivery in subscription { deliveries.append(delivery) }
        return deliveries
    }

    static func numbers(_ deliveries: [Delivery]) -> [Int64] {
        deliveries.compactMap { if case .event(let event) = $0 { event.id.number } else { nil } }
    }

    @Test("A fault and its recovery are each published once, and change the condition to degraded and back to healthy")
    func onceEach() async throws {
        let broadcast = ErrorBroadcast(epoch: 0xAB)
        let listener = try #require(broadcast.subscribe())
        #expect(broadcast.condition == .healthy)
        #expect(broadcast.recover(subject: "menu", message: "", at: 0) == nil)
        #expect(broadcast.publish(Self.fault(), at: 1))
        #expect(!broadcast.publish(Self.fault(), at: 2))
        #expect(broadcast.condition == .degraded)
        #expect(broadcast.recover(subject: "menu", message: "Well again", at: 3) == Self.fault())
        #expect(broadcast.recover(subject: "menu", message: "Well again", at: 4) == nil)
        #expect(broadcast.condition == .healthy)
        let events = await Self.drain(listener).compactMap { if case .event(let event) = $0 { event } else { nil } }
        #expect(events.map(\.kind) == [.fault, .recovery])
        #expect(events.map(\.publishedAt) == [1, 3])
        #expect(events.map { "\($0.id)" } == ["00000000000000ab-1", "00000000000000ab-2"])
        #expect(events.map(\.fault.message) == ["Sorry", "Well again"])
        #expect(broadcast.snapshot.events == events.reversed())
    }

    @Test("The condition is healthy only while no subject has a fault, and a new fault replaces the subject's old one")
    func subjects() {
        let broadcast = ErrorBroadcast()
        broadcast.publish(Self.fault(), at: 0)
        broadcast.publish(Self.fault("database_unavailable", subject: "database"), at: 0)
        broadcast.recover(subject: "menu", message: "", at: 0)
        #expect(broadcast.condition == .degraded)
        #expect(broadcast.publish(Self.fault("database_read_only", subject: "database"), at: 0))
        #expect(broadcast.recover(subject: "database", message: "", at: 0)?.code == "database_read_only")
        #expect(broadcast.condition == .healthy)
    }

    @Test("A stalled subscriber blocks no other one, then receives the newest events and the number of missed ones")
    func stalled() async throws {
        let broadcast = ErrorBroadcast()
        let stalled = try #require(broadcast.subscribe())
        let other = try #require(broadcast.subscribe())
        Self.flap(broadcast, 1)
        var quick = other.makeAsyncIterator()
        guard case .event(let first) = await quick.next() else { return #expect(Bool(false), "no event") }
        #expect(first.id.number == 1)
        Self.flap(broadcast, 5_000)
        let deliveries = await Self.drain(stalled)
        #expect(deliveries.first == .missed(10_002 - 256))
        #expect(Self.numbers(deliveries) == Array((10_002 - 255)...10_002))
        #expect(broadcast.snapshot.events.count == ErrorBroadcast.capacity)
    }

    @Test("A subscriber with an event id receives the events after that event")
    func resumes() async throws {
        let broadcast = ErrorBroadcast(epoch: 7)
        Self.flap(broadcast, 5)
        let after = EventID(epoch: "0000000000000007", number: 6)
        let listener = try #require(broadcast.subscribe(after: after))
        Self.flap(broadcast, 1)
        #expect(Self.numbers(await Self.drain(listener)) == [7, 8, 9, 10, 11, 12])
        let newest = try #require(broadcast.subscribe(after: EventID(epoch: "0000000000000007", number: 12)))
        #expect(await Self.drain(newest).isEmpty)
    }

    @Test("A subscriber that was disconnected for too long receives the stored events and the number of missed ones")
    func awayTooLong() async throws {
        let broadcast = ErrorBroadcast(epoch: 7)
        Self.flap(broadcast, 200)
        let listener = try #require(broadcast.subscribe(after: EventID(epoch: "0000000000000007", number: 10)))
        let deliveries = await Self.drain(listener)
        #expect(deliveries.first == .missed(400 - 256 - 10))
        #expect(Self.numbers(deliveries) == Array(145...400))
    }

    @Test(
        "A subscriber with the id of another epoch or of no event receives all stored events and no missed count",
        arguments: ["ffff-3", "0000000000000007-99"])
    func unknownEpoch(_ text: String) async throws {
        let broadcast = ErrorBroadcast(epoch: 7)
        Self.flap(broadcast, 4)
        let listener = try #require(broadcast.subscribe(after: EventID(text)))
        #expect(Self.numbers(await Self.drain(listener)) == Array(1...8))
    }

    @Test("A subscriber without an event id receives only later events")
    func fromNowOn() async throws {
        let broadcast = ErrorBroadcast()
        Self.flap(broadcast, 3)
        let listener = try #require(broadcast.subscribe())
        Self.flap(broadcast, 1)
        #expect(Self.numbers(await Self.drain(listener)) == [7, 8])
    }

    @Test("With many concurrent publishers, every subscriber receives every event once and in the same order")
    func concurrentPublishers() async throws {
        let broadcast = ErrorBroadcast()
        let listeners = try (0..<8).map { _ in try #require(broadcast.subscribe()) }
        await withTaskGroup { group in
            for publisher in 0..<8 {
                group.addTask { Self.flap(broadcast, 16, subject: "subject \(publisher)") }
            }
        }
        for listener in listeners {
            #expect(Self.numbers(await Self.drain(listener)) == Array(1...256))
        }
        #expect(broadcast.condition == .healthy)
    }

    @Test("When many tasks publish the same fault at once, it is announced once")
    func oneWins() async {
        let broadcast = ErrorBroadcast()
        let news = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { broadcast.publish(Self.fault(), at: 0) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(news == 1)
        #expect(broadcast.snapshot.events.count == 1)
    }

    @Test("A subscription above the limit is rejected, until another subscription has ended")
    func listenersAreBounded() async throws {
        let broadcast = ErrorBroadcast(listenerLimit: 2)
        let first = try #require(broadcast.subscribe())
        let second = try #require(broadcast.subscribe())
        #expect(broadcast.subscribe() == nil)
        first.cancel()
        #expect(broadcast.subscriberCount == 1)
        #expect(broadcast.subscribe() != nil)
        _ = await Self.drain(second)
        #expect(broadcast.subscriberCount == 0)
    }

    @Test("Cancelling the task of a subscriber ends its subscription")
    func cancelledTask() async throws {
        let broadcast = ErrorBroadcast()
        let listener = try #require(broadcast.subscribe())
        let task = Task { for await _ in listener {} }
        task.cancel()
        await task.value
        #expect(broadcast.subscriberCount == 0)
    }

    @Test(
        "EventID parses its own ids and rejects every other text",
        arguments: [
            "", "-", "-1", "a-", "a-0", "a--1", "a-+1", "a-1x", "a-9223372036854775808", "a",
            String(repeating: "a", count: 50) + "-1",
        ])
    func hostileIDs(_ text: String) {
        #expect(EventID("9f-7") == EventID(epoch: "9f", number: 7))
        for other in ["9f-07", "9f-+7", "9f-7 "] { #expect(EventID(other) == nil, "\(other)") }
        #expect(EventID("\(EventID(epoch: "a-b", number: .max))") == EventID(epoch: "a-b", number: .max))
        // "a--1" parses as epoch "a-" and number 1: harmless, because no broadcast has such an epoch.
        if let id = EventID(text) { #expect(id.epoch == "a-") }
    }
}
