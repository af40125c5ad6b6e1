// When guests are told that nobody can order, and when that it is over. Tests Sources/Shop/Faults/OrderingEvidence.swift, values only.
import Testing

@testable import Database
@testable import Postgres
@testable import Shop

@Suite("Whether anybody can order")
struct OrderingEvidenceTests {
    private static let begin = ContinuousClock.now
    private var evidence = OrderingEvidence(quiet: .seconds(10))

    private func at(_ seconds: Double) -> ContinuousClock.Instant { Self.begin + .seconds(seconds) }

    private static func refusal(_ sqlState: String, _ message: String = "x") -> PostgresError {
        .server(
            ServerError(
                sqlState: sqlState, severity: "ERROR", message: message, detail: nil, hint: nil, constraint: nil, table: nil, column: nil,
                position: nil, sourceFunction: nil))
    }

    private mutating func fail(_ error: PostgresError, _ seconds: Double, _ statement: String = "place_orders") -> OrderingEvidence.Response
    {
        evidence.failed(statement, isOrdering: statement != "find_order", DatabaseFault(error), at: at(seconds))
    }

    @Test("A look that fails is told, and its end when one finds all well")
    mutating func seen() {
        evidence.looked(.fails("no right"), since: at(0), at: at(0.1))
        #expect(evidence.fault == "no right")
        evidence.looked(.unknown("no session"), since: at(1), at: at(1.1))
        #expect(evidence.fault != nil)
        evidence.looked(.works, since: at(2), at: at(2.1))
        #expect(evidence.fault == nil)
    }

    @Test("A look that takes its session down is believed the second time, and each time longer left alone")
    mutating func lost() {
        evidence.looked(.lost("gone"), since: at(0), at: at(0.1))
        #expect(evidence.fault == nil && evidence.pause == nil)
        evidence.looked(.works, since: at(2), at: at(2.1))
        #expect(evidence.fault == nil && evidence.pause == nil)
        for pause in [nil, .seconds(2), .seconds(4), .seconds(8), .seconds(8)] as [Duration?] {
            evidence.looked(.lost("gone"), since: at(3), at: at(3.1))
            #expect(evidence.pause == pause)
        }
        #expect(evidence.fault == "gone")
        evidence.looked(.works, since: at(30), at: at(30.1))
        #expect(evidence.fault == nil && evidence.pause == nil)
    }

    @Test("Two silent looks in a row are a fault, the second one follows at once, and a look that works ends the fault")
    mutating func silent() {
        evidence.looked(.silent("no answer"), since: at(0), at: at(0.8))
        #expect(evidence.fault == nil && evidence.isUndecided)
        evidence.looked(.silent("no answer"), since: at(0.8), at: at(1.6))
        #expect(evidence.fault == "no answer" && !evidence.isUndecided && evidence.pause == nil)
        evidence.looked(.silent("no answer"), since: at(3), at: at(3.8))
        #expect(evidence.pause == nil)
        evidence.looked(.works, since: at(5), at: at(5.1))
        #expect(evidence.fault == nil && !evidence.isUndecided)
    }

    @Test("A look whose open connections answer, or that works, separates two silent ones; a lost session counts too")
    mutating func silentOnce() {
        for finding in [OrderingFinding.unknown("no session"), .works] {
            evidence.looked(.silent("no answer"), since: at(0), at: at(0.8))
            evidence.looked(finding, since: at(1), at: at(1.8))
            evidence.looked(.silent("no answer"), since: at(2), at: at(2.8))
            #expect(evidence.fault == nil)
            evidence.looked(.works, since: at(3), at: at(3.1))
        }
        evidence.looked(.lost("gone"), since: at(4), at: at(5.8))
        evidence.looked(.silent("no answer"), since: at(6), at: at(6.8))
        #expect(evidence.fault == "no answer")
    }

    @Test("One failure asks for a look and no more; a second one that comes later is believed, whatever looks find")
    mutating func believed() {
        let first = fail(Self.refusal("XX000"), 0)
        #expect(first == .look)
        evidence.looked(.works, since: at(0), at: at(0.1))
        let soon = fail(Self.refusal("XX000"), 0.9)
        #expect(soon == .look && evidence.fault == nil)
        let later = fail(Self.refusal("XX000"), 1.1)
        #expect(later == .nothing)
        #expect(evidence.fault?.hasPrefix("place_orders: ERROR XX000") == true)
        evidence.looked(.works, since: at(2), at: at(2.1))
        #expect(evidence.fault != nil, "a look can't see it")
        _ = fail(Self.refusal("XX000"), 5)
        evidence.looked(.works, since: at(12), at: at(12.1))
        #expect(evidence.fault != nil)
        evidence.looked(.works, since: at(15), at: at(15.1))
        #expect(evidence.fault == nil, "nobody has met it for ten seconds")
    }

    @Test("What looks can't see is over three seconds after it failed last, where it comes through again")
    mutating func comesThrough() {
        _ = fail(Self.refusal("XX000"), 0)
        _ = fail(Self.refusal("XX000"), 2)
        evidence.succeeded("place_orders")
        evidence.looked(.works, since: at(3), at: at(3.1))
        #expect(evidence.fault != nil)
        _ = fail(Self.refusal("XX000"), 4)
        evidence.looked(.works, since: at(8), at: at(8.1))
        #expect(evidence.fault != nil, "it failed again, and has not come through since")
        evidence.succeeded("place_orders")
        evidence.looked(.works, since: at(9), at: at(9.1))
        #expect(evidence.fault == nil)
    }

    @Test("Two failures that lie far apart are bad luck twice")
    mutating func farApart() {
        _ = fail(Self.refusal("53200"), 0)
        _ = fail(Self.refusal("53200"), 31)
        #expect(evidence.fault == nil)
    }

    @Test("What fails for one and not for the next is no fault: values, a held row, a statement that takes too long")
    mutating func oneGuests() {
        for error in [Self.refusal("23514"), .timedOut(mayHaveCommitted: false)] {
            let one = fail(error, 0)
            #expect(one == .look)
            evidence.succeeded("place_orders")
            let another = fail(error, 5)
            #expect(another == .look)
            #expect(evidence.fault == nil)
            evidence.succeeded("place_orders")
        }
        for seconds in [0.0, 2, 4, 6] {
            let response = fail(Self.refusal("55P03"), seconds)
            #expect(response == .look)
        }
        for seconds in [0.0, 2, 4, 6] {
            let response = fail(Self.refusal("40P01"), seconds)
            #expect(response == .nothing)
        }
        for seconds in [0.0, 2, 4, 6] {
            let response = fail(Self.refusal("23514"), seconds, "find_order")
            #expect(response == .nothing)
        }
        #expect(evidence.fault == nil)
    }

    @Test("Where nobody gets through it is a fault, and over with the first who does")
    mutating func inVain() {
        _ = fail(.timedOut(mayHaveCommitted: false), 0)
        _ = fail(.timedOut(mayHaveCommitted: false), 5)
        #expect(evidence.fault != nil)
        evidence.looked(.works, since: at(5), at: at(5.1))
        #expect(evidence.fault != nil)
        evidence.succeeded("load_baskets")
        evidence.looked(.works, since: at(6), at: at(6.1))
        #expect(evidence.fault != nil, "another statement says nothing about this one")
        evidence.succeeded("place_orders")
        evidence.looked(.works, since: at(7), at: at(7.1))
        #expect(evidence.fault == nil)
    }

    @Test("What fails during the look that finds all well may have begun before, three times; then looks don't see it")
    mutating func duringTheLook() {
        evidence.looked(.fails("no right"), since: at(0), at: at(0.1))
        _ = fail(Self.refusal("42501"), 1.05)
        evidence.looked(.works, since: at(1), at: at(1.1))
        #expect(evidence.fault != nil)
        evidence.looked(.works, since: at(2), at: at(2.1))
        #expect(evidence.fault == nil)

        evidence.looked(.fails("no right"), since: at(20), at: at(20.1))
        for second in 21...23 {
            _ = fail(Self.refusal("42501"), Double(second) + 0.05)
            evidence.looked(.works, since: at(Double(second)), at: at(Double(second) + 0.1))
        }
        evidence.looked(.works, since: at(25), at: at(25.1))
        #expect(evidence.fault != nil)
        evidence.looked(.works, since: at(33.1), at: at(33.2))
        #expect(evidence.fault == nil)
    }
}
