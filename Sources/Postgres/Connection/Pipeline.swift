// The state of a connection in pipeline mode: the results that the server still has to send, in order.
// Tasks are resumed only at a Sync, because only then their transaction has ended.
import CLibPQ
import DequeModule

/// The expected results and the operations that wait for them.
struct Pipeline {
    /// A result that is expected.
    private enum Expected {
        /// The result of preparing a statement.
        case preparation(StatementCache.Prepared)
        /// The result of an operation that executes a prepared statement.
        case rows(QueuedStatement, StatementCache.Prepared)
        /// The end of a transaction, and possibly of a burst.
        case sync(endsBurst: Bool)
    }

    /// The outcome of an operation, held back until its Sync.
    private enum Outcome {
        case succeeded
        /// Executed, but the result cannot be decoded with the composite types that the connection knows.
        case undecoded(ResultHandle)
        case rejected(ServerError)
        /// Not executed, because an earlier statement of the same transaction failed.
        case aborted
    }

    /// An operation that continues after a lookup of the composite types.
    struct Suspended {
        enum Cause {
            /// The result has to be decoded again.
            case undecoded(ResultHandle)
            /// The statement is sent again if a type has changed.
            case rejected(ServerError)
        }

        let request: QueuedStatement
        let cause: Cause
    }

    private let types: CompositeTypes
    private var expected = Deque<Expected>()
    /// The operations with an outcome since the last Sync.
    private var settled: [(request: QueuedStatement, statement: StatementCache.Prepared, outcome: Outcome)] = []
    /// An error between the last operation and its Sync: the commit failed, for example on a deferred constraint.
    private var commitError: ServerError?
    /// Whether libpq has returned the result of the first expectation. Then libpq returns nil next.
    private var hasResult = false

    /// The number of bursts in flight.
    private(set) var burstCount = 0
    /// The number of operations that were answered or failed since the loop last reset this count.
    var finishedCount = 0
    /// The operations to send again, in order.
    var retries: [QueuedStatement] = []
    /// The operations that wait for a lookup of the composite types.
    private(set) var suspended: [Suspended] = []

    init(types: CompositeTypes) { self.types = types }

    /// Whether no result is expected.
    var isEmpty: Bool { expected.isEmpty }

    mutating func expectPreparation(of statement: StatementCache.Prepared) {
        expected.append(.preparation(statement))
    }

    mutating func expectRows(of request: QueuedStatement, statement: StatementCache.Prepared) {
        expected.append(.rows(request, statement))
    }

    mutating func expectSync(endsBurst: Bool) {
        expected.append(.sync(endsBurst: endsBurst))
        if endsBurst { burstCount += 1 }
    }

    /// Handles one result of PQgetResult; nil ends the results of a command. Throws when the connection has failed.
    mutating func receive(_ handle: ResultHandle?, _ statements: inout StatementCache) throws(ConnectionFailure) {
        guard let handle else {
            if hasResult { expected.removeFirst() }
            hasResult = false
            return
        }
        let result = handle.result
        switch (expected.first, PQresultStatus(result)) {
        case (.preparation, PGRES_COMMAND_OK):
            hasResult = true
        case (.preparation(let statement), PGRES_FATAL_ERROR):
            statements.recordRejection(of: statement, try report(result))
            hasResult = true
        case (.rows(let request, let statement), PGRES_TUPLES_OK),
            (.rows(let request, let statement), PGRES_COMMAND_OK),
            (.rows(let request, let statement), PGRES_EMPTY_QUERY):
            let requests = types.requestCount
            request.operation.read(result, types)
            let isDecoded = types.requestCount == requests || !request.mayLookUpTypes(types)
            settled.append((request, statement, isDecoded ? .succeeded : .undecoded(handle)))
            hasResult = true
        case (.rows(let request, let statement), PGRES_FATAL_ERROR):
            let error = try report(result)
            settled.append((request, statement, .rejected(statements.rejection(of: statement) ?? error)))
            hasResult = true
        case (.rows(let request, let statement), PGRES_PIPELINE_ABORTED):
            settled.append((request, statement, .aborted))
            hasResult = true
        case (.sync, PGRES_FATAL_ERROR):
            commitError = try report(result)
        case (.sync(let endsBurst), PGRES_PIPELINE_SYNC):
            expected.removeFirst()
            if endsBurst { burstCount -= 1 }
            settle(&statements)
        case (_, let status):
            throw ConnectionFailure(reason: "unexpected \(String(cString: PQresStatus(status)))")
        }
    }

    /// Returns copies of the reads behind the first pending transaction, so that other connections can execute them.
    /// The first answer counts.
    func copiesOfBlockedReads(excluding copied: Set<ObjectIdentifier>) -> [QueuedStatement] {
        var isBehind = false
        var copies: [QueuedStatement] = []
        for expectation in expected {
            switch expectation {
            case .sync: isBehind = true
            case .rows(var request, _)
            where isBehind && !request.isCopy && !request.operation.text.isWrite
                && !copied.contains(ObjectIdentifier(request.operation)):
                request.isCopy = true
                copies.append(request)
            case .rows, .preparation: break
            }
        }
        return copies
    }

    /// Fails the operations whose time limit has passed, although their statements still run.
    func failOverdue(at now: ContinuousClock.Instant) {
        let waiting =
            suspended.map(\.request)
            + expected.compactMap { if case .rows(let request, _) = $0 { request } else { nil } }
        for request in waiting {
            guard let answerBy = request.answerDeadline, answerBy <= now else { continue }
            request.operation.fail(.timedOut(mayHaveCommitted: request.operation.text.isWrite))
        }
    }

    /// Lets an operation wait for a lookup.
    mutating func suspend(_ request: QueuedStatement, _ cause: Suspended.Cause) {
        suspended.append(Suspended(request: request, cause: cause))
    }

    /// Removes and returns the operations that waited for a lookup.
    mutating func takeSuspended() -> [Suspended] {
        defer { suspended = [] }
        return suspended
    }

    /// Returns all unfinished operations, in order, after the connection has failed.
    mutating func removeAll() -> [QueuedStatement] {
        let requests =
            takeSuspended().map(\.request) + settled.map(\.request)
            + expected.compactMap { if case .rows(let request, _) = $0 { request } else { nil } }
        settled.removeAll()
        expected.removeAll()
        return requests
    }

    private mutating func settle(_ statements: inout StatementCache) {
        for (request, statement, outcome) in settled {
            switch outcome {
            case .succeeded, .undecoded:
                if let commitError {
                    request.operation.fail(commitError.asPostgresError)
                } else if case .undecoded(let handle) = outcome {
                    suspend(request, .undecoded(handle))
                    continue
                } else {
                    request.operation.finish()
                }
                finishedCount += 1
            case .rejected(let error)
            where error.requiresPreparation && !request.wasReprepared && !statements.isInTransaction:
                // The statement did not run, so even a write is safe to retry.
                statements.invalidate(statement)
                var request = request
                request.wasReprepared = true
                retries.append(request)
            case .rejected(let error)
            where error.mayMeanAlteredType && request.operation.text.hasComposites && request.mayLookUpTypes(types)
                && !statements.isInTransaction:
                types.requestLookup()
                suspend(request, .rejected(error))
            case .rejected(let error):
                request.operation.fail(error.asPostgresError)
                finishedCount += 1
            case .aborted:
                var request = request
                request.wasAborted = true
                retries.append(request)
            }
        }
        settled.removeAll(keepingCapacity: true)
        commitError = nil
    }

    /// Returns the server's error. Throws if libpq made the error itself or if the error ends the connection.
    private func report(_ result: OpaquePointer) throws(ConnectionFailure) -> ServerError {
        guard let error = ServerError(result) else {
            throw ConnectionFailure(
                reason: String(cString: PQresultErrorMessage(result)).split(whereSeparator: \.isNewline).joined(
                    separator: " "))
        }
        if error.endsConnection { throw ConnectionFailure(reason: error.description) }
        return error
    }
}

/// A result of libpq, which is cleared with the last reference to it.
final class ResultHandle {
    let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }
}
