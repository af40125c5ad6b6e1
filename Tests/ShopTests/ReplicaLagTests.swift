// When a replica is up to date, and which orders it can't be asked about: both without a database.
// With real servers: WebTests/ReplicaTests.swift.
import Foundation
import Ordering
import Testing

@testable import Database
@testable import Shop

@Suite("Replicas: lag and recent moves")
struct ReplicaLagTests {
    @Test("A replica is as far behind as the last moment whose writes it has all replayed")
    func lag() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        #expect(lag.lag(at: 1000, start) == nil, "nothing is known yet")
        for second in 0..<10 { lag.recordPrimary(at: 1000 + Int64(second) * 100, start + .seconds(second)) }
        let now = start + .seconds(9)
        #expect(lag.lag(at: 1900, now) == .zero)
        #expect(lag.lag(at: 5000, now) == .zero, "it may be further than the last look")
        #expect(lag.lag(at: 1899, now) == .seconds(1))
        #expect(lag.lag(at: 1450, now) == .seconds(5))
        #expect(lag.lag(at: 999, now) == nil, "further behind than is known")
    }

    @Test("A primary that does not say where it stands writes on: the last look gets old, but while it is away")
    func silentPrimary() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        for second in 0...3 { lag.recordPrimary(at: 1000 + Int64(second) * 100, start + .seconds(second)) }
        let later = start + .seconds(13)
        #expect(lag.lag(at: 1300, later) == .seconds(10), "though it has all that was written by the last look")
        #expect(lag.lag(at: 1200, later) == .seconds(11))
        #expect(lag.lag(at: 1300, nil) == .zero)
        #expect(lag.lag(at: 1200, nil) == .seconds(1))
        #expect(lag.lag(at: 999, nil) == nil)
    }

    @Test("While nothing is written a replica that has all is not behind, however long ago that was")
    func idle() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        for second in 0..<1000 { lag.recordPrimary(at: 7, start + .seconds(second)) }
        let now = start + .seconds(999)
        #expect(lag.lag(at: 7, now) == .zero)
        #expect(lag.lag(at: 6, now) == nil)
    }

    @Test("After the primary was put back from a backup nothing of before counts")
    func restored() {
        let start = ContinuousClock.now
        var lag = ReplicaLag()
        lag.recordPrimary(at: 900, start)
        lag.recordPrimary(at: 500, start + .seconds(1))
        #expect(lag.lag(at: 500, start + .seconds(1)) == .zero)
        #expect(lag.lag(at: 499, start + .seconds(1)) == nil)
    }

    @Test("An order that moved is not settled for as long as a replica may be behind; without announcements none is")
    func moves() {
        let now = ContinuousClock.now
        let moves = RecentMoves(memory: .seconds(8))
        let (one, other) = (OrderID(UUID()), OrderID(UUID()))
        #expect(!moves.isSettled(one, at: now + .seconds(100)), "nobody listens")
        moves.listeningBegan()
        #expect(!moves.isSettled(one, at: now), "what moved before is not known")
        #expect(moves.isSettled(one, at: now + .seconds(9)))
        moves.note(one, at: now + .seconds(20))
        #expect(!moves.isSettled(one, at: now + .seconds(27)))
        #expect(moves.isSettled(other, at: now + .seconds(27)))
        #expect(moves.isSettled(one, at: now + .seconds(28)))
        moves.announced(.orderMoved(other, step: 4))
        #expect(!moves.isSettled(other, at: now + .seconds(7)))
        moves.listeningEnded()
        #expect(!moves.isSettled(other, at: now + .seconds(100)))
    }

    @Test("More moves than are remembered: nothing is settled until they are old")
    func manyMoves() {
        let now = ContinuousClock.now
        let moves = RecentMoves(memory: .seconds(8))
        moves.listeningBegan()
        let later = now + .seconds(20)
        for _ in 0...10_000 { moves.note(OrderID(UUID()), at: later) }
        let stranger = OrderID(UUID())
        #expect(!moves.isSettled(stranger, at: later + .seconds(7)))
        #expect(moves.isSettled(stranger, at: later + .seconds(8)))
        // Those that are old make room.
        moves.note(stranger, at: later + .seconds(9))
        #expect(!moves.isSettled(stranger, at: later + .seconds(10)))
        #expect(moves.isSettled(OrderID(UUID()), at: later + .seconds(10)))
    }
}
