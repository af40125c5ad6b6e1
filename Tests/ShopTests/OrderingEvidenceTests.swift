// Failures and probes decide whether ordering works. Covers OrderingEvidence without a database.
import Testing

@testable import Database
@testable import Postgres
@testable import Shop

@Suite("Detection of ordering faults")
struct OrderingEvidenceTests {
    private static let begin = ContinuousClock.now
    private var evidence = OrderingEvidence(recoveryPeriodWithoutSuccess: .seconds(10))

    private func time(_ seconds: Double) -> ContinuousClock.Instant { Self.begin + .seconds(seconds) }

    private static func refusal(_ sqlState: String, _ message: String = "x") -> PostgresError {
        .server(
            ServerError(
                sqlState: sqlState, severity: "ERROR", message: message, detail: nil, hint: nil, constraint: nil,
                table: nil, column: nil,
                position: nil, sourceFunction: nil))
    }

    private mutating func fail(_ error: PostgresError, _ seconds: Double, _ statement: String = "place_orders")
        -> OrderingEvidence.Response
    {
        evidence.recordFailure(
            statement, isOrdering: statement != "find_order", DatabaseFault(error), at: time(seconds))
    }

    @Test("A failed probe reports a fault, and the next successful probe ends the fault")
    mutating func failedProbe() {
        evidence.recordProbe(.failed("no right"), since: time(0), at: time(0.1))
        #expect(evidence.fault == "no right")
        evidence.recordProbe(.unknown("no session"), since: time(1), at: time(1.1))
        #expect(evidence.fault != nil)
        evidence.recordProbe(.succeeded, since: time(2), at: time(2.1))
        #expect(evidence.fault == nil)
    }

    @Test("Two probes in a row that lose their connection are a fault, and further losses double the pause up to 8 s")
    mutating func connectionLost() {
        evidence.recordProbe(.sessionLost("gone"), since: time(0), at: time(0.1))
        #expect(evidence.fault == nil && evidence.probePause == nil)
        evidence.recordProbe(.succeeded, since: time(2), at: time(2.1))
        #expect(evidence.fault == nil && evidence.probePause == nil)
        for pause in [nil, .seconds(2), .seconds(4), .seconds(8), .seconds(8)] as [Duration?] {
            evidence.recordProbe(.sessionLost("gone"), since: time(3), at: time(3.1))
            #expect(evidence.probePause == pause)
        }
        #expect(evidence.fault == "gone")
        evidence.recordProbe(.succeeded, since: time(30), at: time(30.1))
        #expect(evidence.fault == nil && evidence.probePause == nil)
    }

    @Test("Two probes without a response, the second of which follows at once, are a fault until a probe succeeds")
    mutating func noResponse() {
        evidence.recordProbe(.unresponsive("no answer"), since: time(0), at: time(0.8))
        #expect(evidence.fault == nil && evidence.needsImmediateProbe)
        evidence.recordProbe(.unresponsive("no answer"), since: time(0.8), at: time(1.6))
        #expect(evidence.fault == "no answer" && !evidence.needsImmediateProbe && evidence.probePause == nil)
        evidence.recordProbe(.unresponsive("no answer"), since: time(3), at: time(3.8))
        #expect(evidence.probePause == nil)
        evidence.recordProbe(.succeeded, since: time(5), at: time(5.1))
        #expect(evidence.fault == nil && !evidence.needsImmediateProbe)
    }

    @Test("Two probes without a response are no fault if another comes between; a lost connection counts as none")
    mutating func singleMissingResponse() {
        for finding in [OrderingProbeResult.unknown("no session"), .succeeded] {
            evidence.recordProbe(.unresponsive("no answer"), since: time(0), at: time(0.8))
            evidence.recordProbe(finding, since: time(1), at: time(1.8))
            evidence.recordProbe(.unresponsive("no answer"), since: time(2), at: time(2.8))
            #expect(evidence.fault == nil)
            evidence.recordProbe(.succeeded, since: time(3), at: time(3.1))
        }
        evidence.recordProbe(.sessionLost("gone"), since: time(4), at: time(5.8))
        evidence.recordProbe(.unresponsive("no answer"), since: time(6), at: time(6.8))
        #expect(evidence.fault == "no answer")
    }

    @Test("One failure only triggers a probe; a second one at least a second later is a fault, even if probes succeed")
    mutating func repeatedFailure() {
        let first = fail(Self.refusal("XX000"), 0)
        #expect(first == .probe)
        evidence.recordProbe(.succeeded, since: time(0), at: time(0.1))
        let soon = fail(Self.refusal("XX000"), 0.9)
        #expect(soon == .probe && evidence.fault == nil)
        let later = fail(Self.refusal("XX000"), 1.1)
        #expect(later == .nothing)
        #expect(evidence.fault?.hasPrefix("place_orders: ERROR XX000") == true)
        evidence.recordProbe(.succeeded, since: time(2), at: time(2.1))
        #expect(evidence.fault != nil, "a probe cannot detect this fault")
        _ = fail(Self.refusal("XX000"), 5)
        evidence.recordProbe(.succeeded, since: time(12), at: time(12.1))
        #expect(evidence.fault != nil)
        evidence.recordProbe(.succeeded, since: time(15), at: time(15.1))
        #expect(evidence.fault == nil, "the fault has not occurred for ten seconds")
    }

    @Test("A fault that no probe detects ends three seconds after its last failure, if the statement succeeds")
    mutating func statementSucceeds() {
        _ = fail(Self.refusal("XX000"), 0)
        _ = fail(Self.refusal("XX000"), 2)
        evidence.recordSuccess("place_orders")
        evidence.recordProbe(.succeeded, since: time(3), at: time(3.1))
        #expect(evidence.fault != nil)
        _ = fail(Self.refusal("XX000"), 4)
        evidence.recordProbe(.succeeded, since: time(8), at: time(8.1))
        #expect(evidence.fault != nil, "the statement failed again and has not succeeded since")
        evidence.recordSuccess("place_orders")
        evidence.recordProbe(.succeeded, since: time(9), at: time(9.1))
        #expect(evidence.fault == nil)
    }

    @Test("Two failures that are far apart are no fault")
    mutating func farApart() {
        _ = fail(Self.refusal("53200"), 0)
        _ = fail(Self.refusal("53200"), 31)
        #expect(evidence.fault == nil)
    }

    @Test("A failure of a single request is no fault: invalid values, a locked row, or a statement that times out")
    mutating func singleFailures() {
        for error in [Self.refusal("23514"), .timedOut(mayHaveCommitted: false)] {
            let one = fail(error, 0)
            #expect(one == .probe)
            evidence.recordSuccess("place_orders")
            let another = fail(error, 5)
            #expect(another == .probe)
            #expect(evidence.fault == nil)
            evidence.recordSuccess("place_orders")
        }
        for seconds in [0.0, 2, 4, 6] {
            let response = fail(Self.refusal("55P03"), seconds)
            #expect(response == .probe)
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

    @Test("A statement that fails for every request is a fault until it succeeds")
    mutating func everyRequestFails() {
        _ = fail(.timedOut(mayHaveCommitted: false), 0)
        _ = fail(.timedOut(mayHaveCommitted: false), 5)
        #expect(evidence.fault != nil)
        evidence.recordProbe(.succeeded, since: time(5), at: time(5.1))
        #expect(evidence.fault != nil)
        evidence.recordSuccess("load_baskets")
        evidence.recordProbe(.succeeded, since: time(6), at: time(6.1))
        #expect(evidence.fault != nil, "the success of another statement does not end the fault")
        evidence.recordSuccess("place_orders")
        evidence.recordProbe(.succeeded, since: time(7), at: time(7.1))
        #expect(evidence.fault == nil)
    }

    @Test("A failure during a successful probe prolongs a fault; after three, it ends 10 s after the last failure")
    mutating func duringProbe() {
        evidence.recordProbe(.failed("no right"), since: time(0), at: time(0.1))
        _ = fail(Self.refusal("42501"), 1.05)
        evidence.recordProbe(.succeeded, since: time(1), at: time(1.1))
        #expect(evidence.fault != nil)
        evidence.recordProbe(.succeeded, since: time(2), at: time(2.1))
        #expect(evidence.fault == nil)

        evidence.recordProbe(.failed("no right"), since: time(20), at: time(20.1))
        for second in 21...23 {
            _ = fail(Self.refusal("42501"), Double(second) + 0.05)
            evidence.recordProbe(.succeeded, since: time(Double(second)), at: time(Double(second) + 0.1))
        }
        evidence.recordProbe(.succeeded, since: time(25), at: time(25.1))
        #expect(evidence.fault != nil)
        evidence.recordProbe(.succeeded, since: time(33.1), at: time(33.2))
        #expect(evidence.fault == nil)
    }
}
