// The order in which jobs wait for slow commits of servers. Covers Sources/Shop/Locks/CommitLine.swift.
import Database
import Ordering
import Testing

@testable import Shop

@Suite("The line for slow commits")
struct CommitLineTests {
    private static let soda = ContestedRow.stock(.item(MenuItemID(rawValue: 4001)))
    private static let pizza = ContestedRow.stock(.item(MenuItemID(rawValue: 2001)))
    private static let coupon = ContestedRow.coupon(CouponID(rawValue: 1))

    @Test("A job is first as soon as no earlier job waits for one of its rows")
    func order() {
        let line = CommitLine()
        #expect(line.isEmpty)
        let first = line.join(for: [Self.soda])
        let second = line.join(for: [Self.soda, Self.coupon])
        let third = line.join(for: [Self.coupon])
        let other = line.join(for: [Self.pizza])
        func areFirst() -> [Bool] { [first, second, third, other].map { line.isFirst($0) } }
        #expect(areFirst() == [true, false, false, true])
        // A later job does not overtake the second one, which waits for the first.
        line.leave(first)
        #expect(areFirst()[1...] == [true, false, true])
        line.leave(second)
        #expect(areFirst()[2...] == [true, true])
        line.leave(third)
        #expect(!line.isEmpty && line.contains(anyOf: [Self.pizza]) && !line.contains(anyOf: [Self.soda]))
        line.leave(other)
        #expect(line.isEmpty)
    }

    @Test("A job that gives up its place lets the next one go first")
    func withdrawal() {
        let line = CommitLine()
        let places = (0..<3).map { _ in line.join(for: [Self.soda]) }
        line.leave(places[1])
        #expect(!line.isFirst(places[2]))
        line.leave(places[0])
        #expect(line.isFirst(places[2]))
    }

    @Test("At most two jobs go first, although each waits for another row")
    func limit() {
        let line = CommitLine()
        let places = [Self.soda, Self.pizza, Self.coupon].map { line.join(for: [$0]) }
        #expect(places.map { line.isFirst($0) } == [true, true, false])
        line.leave(places[0])
        #expect(places[1...].map { line.isFirst($0) } == [true, true])
    }
}
