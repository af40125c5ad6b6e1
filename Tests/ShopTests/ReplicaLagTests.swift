// How the lag of a replica is measured, and which orders must not be read from a replica. Needs no database.
// WebTests/ReplicaTests uses real servers.
import Foundation
import Ordering
import Testing

@testable import Database
@testable import Shop

@Suite("Replica lag and recently changed orders")
struct ReplicaLagTests {
    @Test("A replica's lag is the age of the last primary position that the replica has replayed")
    func lag() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        #expect(lag.lag(at: 1000, start) == nil, "nothing is known yet")
        for second in 0..<10 { lag.recordPrimary(at: 1000 + Int64(second) * 100, start + .seconds(second)) }
        let now = start + .seconds(9)
        #expect(lag.lag(at: 1900, now) == .zero)
        #expect(lag.lag(at: 5000, now) == .zero, "the replica may be ahead of the last known position")
        #expect(lag.lag(at: 1899, now) == .seconds(1))
        #expect(lag.lag(at: 1450, now) == .seconds(5))
        #expect(lag.lag(at: 999, now) == nil, "the replica is behind the oldest known position")
    }

    @Test("Without new positions, the lag grows while the primary is reachable, but not while it is unreachable")
    func silentPrimary() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        for second in 0...3 { lag.recordPrimary(at: 1000 + Int64(second) * 100, start + .seconds(second)) }
        let later = start + .seconds(13)
        #expect(lag.lag(at: 1300, later) == .seconds(10), "the replica has replayed the last known position")
        #expect(lag.lag(at: 1200, later) == .seconds(11))
        #expect(lag.lag(at: 1300, nil) == .zero)
        #expect(lag.lag(at: 1200, nil) == .seconds(1))
        #expect(lag.lag(at: 999, nil) == nil)
    }

    @Test("While nothing is written, a replica that has replayed everything has no lag, however old the last write is")
    func idle() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        for second in 0..<1000 { lag.recordPrimary(at: 7, start + .seconds(second)) }
        let now = start + .seconds(999)
        #expect(lag.lag(at: 7, now) == .zero)
        #expect(lag.lag(at: 6, now) == nil)
    }

    @Test("After the primary is restored from a backup, its earlier positions do not count")
    func restored() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        lag.recordPrimary(at: 900, start)
        lag.recordPrimary(at: 500, start + .seconds(1))
        #expect(lag.lag(at: 500, start + .seconds(1)) == .zero)
        #expect(lag.lag(at: 499, start + .seconds(1)) == nil)
    }

    @Test("A changed order is not settled while a replica may lag; without notifications, no order is settled")
    func moves() {
        let now = ContinuousClock.now
        let changes = RecentlyChangedOrders(memory: .seconds(8))
        let (changed, other) = (OrderID(UUID()), OrderID(UUID()))
        #expect(!changes.isSettledOnReplicas(changed, at: now + .seconds(100)), "no notifications are received")
        changes.listeningBegan()
        #expect(!changes.isSettledOnReplicas(changed, at: now), "earlier changes are unknown")
        #expect(changes.isSettledOnReplicas(changed, at: now + .seconds(9)))
        changes.record(changed, at: now + .seconds(20))
        #expect(!changes.isSettledOnReplicas(changed, at: now + .seconds(27)))
        #expect(changes.isSettledOnReplicas(other, at: now + .seconds(27)))
        #expect(changes.isSettledOnReplicas(changed, at: now + .seconds(28)))
        changes.received(.orderMoved(other, step: 4))
        #expect(!changes.isSettledOnReplicas(other, at: now + .seconds(7)))
        changes.listeningEnded()
        #expect(!changes.isSettledOnReplicas(other, at: now + .seconds(100)))
    }

    @Test("After more changes than the limit, no order counts as settled until the changes are old")
    func manyMoves() {
        let now = ContinuousClock.now
        let changes = RecentlyChangedOrders(memory: .seconds(8))
        changes.listeningBegan()
        let later = now + .seconds(20)
        for _ in 0...10_000 { changes.record(OrderID(UUID()), at: later) }
        let otherOrder = OrderID(UUID())
        #expect(!changes.isSettledOnReplicas(otherOrder, at: later + .seconds(7)))
        #expect(changes.isSettledOnReplicas(otherOrder, at: later + .seconds(8)))
        // The old changes are forgotten, so there is room for the new one.
        changes.record(otherOrder, at: later + .seconds(9))
        #expect(!changes.isSettledOnReplicas(otherOrder, at: later + .seconds(10)))
        #expect(changes.isSettledOnReplicas(OrderID(UUID()), at: later + .seconds(10)))
    }
}
