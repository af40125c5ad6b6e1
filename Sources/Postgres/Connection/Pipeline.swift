// What the server still owes us, in the order it will come: the explicit state of a connection in pipeline mode. Fed with libpq's results by
// ConnectionLoop; resumes tasks at each Sync, and only then, because only then their transaction has ended. Read next: StatementCache.swift.
import CLibPQ
import DequeModule

/// The results that are still to come, and what becomes of their operations.
struct Pipeline {
    /// One result that will come.
    private enum Expected {
        /// Of preparing the statement.
        case preparation(StatementCache.Prepared)
        /// Of the operation, which runs the statement.
        case rows(Request, StatementCache.Prepared)
        /// The end of a transaction, and perhaps of a burst.
        case sync(endsBurst: Bool)
    }

    /// What an operation came to, kept back until its Sync.
    private enum Outcome {
        case answered
        case refused(ServerError)
        case aborted
    }

    private var expected = Deque<Expected>()
    /// Operations since the last Sync.
    private var settled: [(request: Request, statement: StatementCache.Prepared, outcome: Outcome)] = []
    /// An error between an operation and its Sync: what failed was the commit, by a deferred constraint.
    private var commitError: ServerError?
    /// Whether libpq has given a result of the first expected one, and its nil is still to come.
    private var hasResult = false

    /// How many bursts are in flight.
    private(set) var bursts = 0
    /// How many operations have been answered or handed back since the loop looked last.
    var finished = 0
    /// Operations to be sent again, in their order.
    var again: [Request] = []

    var isEmpty: Bool { expected.isEmpty }

    mutating func expectPreparation(of statement: StatementCache.Prepared) {
        expected.append(.preparation(statement))
    }

    mutating func expectRows(of request: Request, statement: StatementCache.Prepared) {
        expected.append(.rows(request, statement))
    }

    mutating func expectSync(endsBurst: Bool) {
        expected.append(.sync(endsBurst: endsBurst))
        if endsBurst { bursts += 1 }
    }

    /// Takes one answer of PQgetResult; nil ends the results of one command. Throws when the connection is lost.
    mutating func receive(_ result: OpaquePointer?, _ statements: inout StatementCache) throws(Loss) {
        guard let result else {
            if hasResult { expected.removeFirst() }
            hasResult = false
            return
        }
        switch (expected.first, PQresultStatus(result)) {
        case (.preparation, PGRES_COMMAND_OK):
            hasResult = true
        case (.preparation(let statement), PGRES_FATAL_ERROR):
            statements.refuse(statement, try report(result))
            hasResult = true
        case (.rows(let request, let statement), PGRES_TUPLES_OK), (.rows(let request, let statement), PGRES_COMMAND_OK),
            (.rows(let request, let statement), PGRES_EMPTY_QUERY):
            request.operation.read(result)
            settled.append((request, statement, .answered))
            hasResult = true
        case (.rows(let request, let statement), PGRES_FATAL_ERROR):
            let error = try report(result)
            settled.append((request, statement, .refused(statements.refusal(of: statement) ?? error)))
            hasResult = true
        case (.rows(let request, let statement), PGRES_PIPELINE_ABORTED):
            settled.append((request, statement, .aborted))
            hasResult = true
        case (.sync, PGRES_FATAL_ERROR):
            commitError = try report(result)
        case (.sync(let endsBurst), PGRES_PIPELINE_SYNC):
            expected.removeFirst()
            if endsBurst { bursts -= 1 }
            settle(&statements)
        case (_, let status):
            throw Loss(reason: "unexpected \(String(cString: PQresStatus(status)))")
        }
    }

    /// Copies of the reads that wait for an earlier transaction to end, to be sent elsewhere: whichever comes back first is the answer.
    func readsBehindTheFirst(without copied: Set<ObjectIdentifier>) -> [Request] {
        var isBehind = false
        var copies: [Request] = []
        for one in expected {
            switch one {
            case .sync: isBehind = true
            case .rows(var request, _)
            where isBehind && !request.isCopy && !request.operation.text.isWrite && !copied.contains(ObjectIdentifier(request.operation)):
                request.isCopy = true
                copies.append(request)
            case .rows, .preparation: break
            }
        }
        return copies
    }

    /// Fails those whose time is over, while their statements go on.
    func failOverdue(_ now: ContinuousClock.Instant) {
        for case .rows(let request, _) in expected {
            guard let answerBy = request.answerBy, answerBy <= now else { continue }
            request.operation.fail(.timedOut(mayHaveCommitted: request.operation.text.isWrite))
        }
    }

    /// The connection is gone: everything that it owed is handed out, in order.
    mutating func abandon() -> [Request] {
        let requests =
            settled.map(\.request) + expected.compactMap { if case .rows(let request, _) = $0 { request } else { nil } }
        settled.removeAll()
        expected.removeAll()
        return requests
    }

    private mutating func settle(_ statements: inout StatementCache) {
        for (request, statement, outcome) in settled {
            switch outcome {
            case .answered:
                if let commitError {
                    request.operation.fail(commitError.asPostgresError)
                } else {
                    request.operation.finish()
                }
                finished += 1
            case .refused(let error) where error.asksForPreparation && !request.wasPreparedAgain && !statements.isInTransaction:
                // It did not run, so that even a write may be sent again.
                statements.forget(statement)
                var request = request
                request.wasPreparedAgain = true
                again.append(request)
            case .refused(let error):
                request.operation.fail(error.asPostgresError)
                finished += 1
            case .aborted:
                var request = request
                request.wasAborted = true
                again.append(request)
            }
        }
        settled.removeAll(keepingCapacity: true)
        commitError = nil
    }

    /// The server's report; an error without one was made by libpq, and one that is fatal is the server's last word.
    private func report(_ result: OpaquePointer) throws(Loss) -> ServerError {
        guard let error = ServerError(result) else {
            throw Loss(reason: String(cString: PQresultErrorMessage(result)).split(whereSeparator: \.isNewline).joined(separator: " "))
        }
        if error.endsConnection { throw Loss(reason: error.description) }
        return error
    }
}
