// Order states, estimates, and the totals of an order's lines.
import Testing

@testable import Ordering

@Suite("Orders")
struct OrderTests {
    @Test("An order moves from placed to delivered, guests cancel placed orders, and staff reject undelivered ones")
    func transitions() {
        let allowed: Set<[OrderState]> = [
            [.placed, .accepted], [.accepted, .preparing], [.preparing, .onTheWay], [.onTheWay, .delivered],
            [.placed, .cancelled],
            [.placed, .rejected], [.accepted, .rejected], [.preparing, .rejected], [.onTheWay, .rejected],
        ]
        for from in OrderState.allCases {
            for to in OrderState.allCases {
                #expect(from.canMove(to: to) == allowed.contains([from, to]), "\(from) to \(to)")
            }
        }
    }

    @Test("Cancelled and rejected orders are not live, and orders that can still move are open")
    func liveAndOpen() {
        #expect(OrderState.allCases.filter(\.isLive) == [.placed, .accepted, .preparing, .onTheWay, .delivered])
        #expect(OrderState.allCases.filter(\.isOpen) == [.placed, .accepted, .preparing, .onTheWay])
        #expect(OrderState.allCases.filter(\.canBeTakenBack) == [.accepted, .preparing, .onTheWay])
    }

    @Test("Order states have the documented names")
    func names() {
        let names = ["placed", "accepted", "preparing", "on_the_way", "delivered", "cancelled", "rejected"]
        #expect(OrderState.allCases.map(\.rawValue) == names)
    }

    @Test("The delivery estimate is 15 to 60 minutes in steps of five and grows with the open orders")
    func eta() {
        let eta = { ShopTerms().etaMinutes(.delivery, at: Instant(microseconds: 0), openOrders: $0) }
        let minutes = (0...500).map(eta)
        #expect(minutes.first == 15 && minutes.last == 60)
        #expect(Set(minutes) == Set(stride(from: 15, through: 60, by: 5)))
        #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(eta(.min) == 15 && eta(.max) == 60)
    }

    @Test("The estimate adds busy and travel minutes to the larger of lead time and load, up to 240 minutes")
    func etaWithRows() {
        let now = Instant(microseconds: 0)
        let terms = ShopTerms(
            delivery: FulfilmentTerms(leadMinutes: 22), busyMinutes: 8, busyUntil: now.advanced(by: .seconds(1)))
        let area = DeliveryArea(id: 1, title: "Far", postcodes: [], extraMinutes: 12)
        func eta(_ fulfilment: Fulfilment, busy: Bool = false, _ openOrders: Int, _ area: DeliveryArea? = nil) -> Int {
            terms.etaMinutes(
                fulfilment, at: busy ? now : now.advanced(by: .seconds(1)), openOrders: openOrders, area: area)
        }
        #expect([0, 4, 7, 8].map { eta(.delivery, $0) } == [25, 25, 25, 25])
        #expect([0, 4, 8, 12].map { eta(.pickup, $0) } == [15, 20, 25, 30])
        #expect(
            eta(.delivery, busy: true, 0) == 30 && eta(.delivery, 0, area) == 35
                && eta(.delivery, busy: true, 0, area) == 45)
        let slow = ShopTerms(
            delivery: FulfilmentTerms(leadMinutes: 180), busyMinutes: 180, busyUntil: now.advanced(by: .seconds(1)))
        #expect(slow.etaMinutes(.delivery, at: now, openOrders: 0, area: area) == 240)
    }

    @Test("A line costs its unit price times its quantity, and a set costs the sum of its items")
    func totals() throws {
        func line(_ id: MenuItemID, _ quantity: Int, _ price: Int64) throws -> OrderLine {
            let item = ItemSnapshot(kind: .regular, title: "Any", regularUnitPrice: Money(unchecked: price * 2))
            return OrderLine(try #require(Line(1, id, quantity, Money(unchecked: price))), item, discount: .zero)
        }
        #expect(try line(2001, 3, 805).total.minorUnits == 2415)
        #expect(
            try OrderSet(salesGroupID: 400, title: "Any", items: [line(1002, 1, 1799), line(1003, 2, 1679)]).total
                .minorUnits == 5157)
    }
}
