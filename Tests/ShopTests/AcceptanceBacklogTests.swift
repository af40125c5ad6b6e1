// The older waiting orders that the acceptance timer remembers, and the pages in which it reads them.
import Ordering
import Testing

@testable import Shop

@Suite("The backlog of waiting orders")
struct AcceptanceBacklogTests {
    private static let now = Instant(microseconds: 1_790_000_000_000_000)
    private static let day = UnacceptedOrder.abandonedAfter

    /// An order of this age.
    private static func order(_ number: UInt64, age: Duration) -> UnacceptedOrder {
        UnacceptedOrder(
            id: .make(now: now, random: (1, number)), fulfilment: .delivery, placedAt: now.advanced(by: .zero - age))
    }

    @Test("The first pass begins at the maximum age and ends a day ago, to the microsecond")
    func limits() throws {
        var backlog = AcceptanceBacklog(at: Self.now)
        let pass = try #require(backlog.pass)
        #expect(pass.begin == Self.now.advanced(by: .seconds(-68 * 86_400)) && pass.last == nil)
        #expect(pass.end == Self.now.advanced(by: .seconds(-86_400)) && backlog.end == pass.end)
        let page = [Self.order(1, age: Self.day), Self.order(2, age: Self.day - .microseconds(1))]
        backlog.record(page, isLast: true) { _ in true }
        #expect(backlog.orders == [page[0]] && backlog.pass == nil)
    }

    @Test("A pass continues after the last order that it read, and remembers only orders that may still be settled")
    func pages() {
        var backlog = AcceptanceBacklog(at: Self.now)
        let page = [Self.order(1, age: Self.day * 3), Self.order(2, age: Self.day * 2)]
        backlog.record(page, isLast: false) { $0 == page[0] }
        #expect(backlog.pass?.last == page[1] && backlog.orders == [page[0]])
        // A page without older orders completes the pass.
        backlog.record([Self.order(3, age: .zero)], isLast: false) { _ in true }
        #expect(backlog.pass == nil && backlog.orders == [page[0]])
    }

    @Test("A pass starts a minute after the start of the last one, or when that one is complete")
    func interval() {
        var backlog = AcceptanceBacklog(at: Self.now)
        backlog.startPass(at: Self.now.advanced(by: .seconds(90)))
        #expect(backlog.pass?.startedAt == Self.now)
        backlog.record([], isLast: true) { _ in true }
        backlog.startPass(at: Self.now.advanced(by: .seconds(60) - .microseconds(1)))
        #expect(backlog.pass == nil)
        let later = Self.now.advanced(by: .seconds(60))
        backlog.startPass(at: later)
        #expect(backlog.pass?.startedAt == later && backlog.pass?.last == nil)
    }

    @Test("Each order is read by every poll until a complete pass has remembered it")
    func nextPass() {
        var backlog = AcceptanceBacklog(at: Self.now)
        let old = Self.order(1, age: Self.day * 2)
        backlog.record([old], isLast: true) { _ in true }
        backlog.startPass(at: Self.now.advanced(by: .seconds(60)))
        // A minute ago these orders were not a day old.
        let (returned, recent) = (Self.order(2, age: Self.day * 2), Self.order(3, age: Self.day - .seconds(30)))
        backlog.record([returned, recent], isLast: false) { _ in true }
        #expect(backlog.orders == [old, returned] && backlog.end == Self.now.advanced(by: .zero - Self.day))
        backlog.record([], isLast: true) { _ in true }
        #expect(backlog.orders == [returned, recent])
        #expect(backlog.end == Self.now.advanced(by: .seconds(60) - Self.day))
    }

    @Test("An order that was settled during a pass is forgotten when the pass is complete, too")
    func settled() {
        var backlog = AcceptanceBacklog(at: Self.now)
        let page = [Self.order(1, age: Self.day * 3), Self.order(2, age: Self.day * 2)]
        backlog.record(page, isLast: false) { _ in true }
        backlog.remove([page[0]])
        #expect(backlog.orders == [page[1]])
        backlog.record([], isLast: true) { _ in true }
        #expect(backlog.orders == [page[1]])
    }
}
