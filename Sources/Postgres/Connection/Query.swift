// A statement or script that a task submits to a connection's thread. The task suspends. The thread decodes the rows
// and resumes the task after the Sync.
import CLibPQ
import Synchronization

/// A query without its result type. The connection's thread needs only this.
protocol PendingQuery: AnyObject, Sendable {
    var text: SQLCommand { get }
    /// Called just before sending. Returns false when the task was cancelled or has its answer, so that nothing is
    /// sent.
    func begin() -> Bool
    /// Decodes the rows with the connection's composite types and keeps the result until `finish`.
    func read(_ result: OpaquePointer, _ types: CompositeTypes)
    /// Resumes the task with the decoded result.
    func finish()
    /// Resumes the task with an error.
    func fail(_ error: PostgresError)
}

/// The SQL to send: a statement with its parameters and effect, or a script.
enum SQLCommand: Sendable {
    case statement(Statement, Parameters, Effect)
    case script(String)

    /// The statement's name; a script has none.
    var name: String? { if case .statement(let statement, _, _) = self { statement.name } else { nil } }

    /// Whether it has parameters that depend on the definitions of composite types.
    var hasComposites: Bool {
        if case .statement(_, let parameters, _) = self { parameters.hasComposites } else { false }
    }

    /// Whether the text may change data: a write or a script.
    var isWrite: Bool { if case .statement(_, _, .reads) = self { false } else { true } }
}

/// An operation, its deadlines, and its history.
struct QueuedStatement: Sendable {
    let operation: any PendingQuery
    /// The time at which it fails as `unavailable` if it has not been sent.
    let sendDeadline: ContinuousClock.Instant
    /// The time at which it fails as timed out, sent or not. Nil if only the connection's silence limit applies.
    var answerDeadline: ContinuousClock.Instant?
    /// Whether it was prepared a second time because the server rejected its prepared statement.
    var wasReprepared = false
    /// How many composite types its connection knew before the last lookup for it; nil: there was none.
    var typeCountBeforeLookup: Int?
    /// Whether another statement's failure aborted it. It then gets its own Sync.
    var wasAborted = false
    /// The number of connections that failed while it was in flight.
    var connectionFailureCount = 0
    /// Whether it is the copy of a read on an unresponsive connection. The first answer counts; later ones are ignored.
    var isCopy = false

    /// Whether a lookup of composite types can help it: the first one, and each one after one that found new types.
    /// Otherwise its error is reported.
    func mayLookUpTypes(_ types: CompositeTypes) -> Bool {
        typeCountBeforeLookup.map { types.knownCount > $0 } ?? true
    }

    /// Fails the operation when it cannot be sent. A copy is ignored, because its original is still in flight.
    func failUnlessCopy(_ error: PostgresError) { if !isCopy { operation.fail(error) } }
}

/// An operation with a result of type `Output`.
package final class Query<Output: Sendable>: PendingQuery {
    private struct State {
        var continuation: UnsafeContinuation<Result<Output, PostgresError>, Never>?
        var output: Result<Output, PostgresError>?
        var isSent = false
        var isCancelled = false
    }

    let text: SQLCommand
    private let isStillValid: (@Sendable () -> Bool)?
    private let output: @Sendable (OpaquePointer, CompositeTypes) throws -> Output
    private let state = Mutex(State())

    /// `output` decodes libpq's result on the connection's thread. `isStillValid` is called there before sending; when
    /// it returns false, the query fails as outdated.
    init(
        _ text: SQLCommand, ifStill isStillValid: (@Sendable () -> Bool)? = nil,
        output: @escaping @Sendable (OpaquePointer, CompositeTypes) throws -> Output
    ) {
        (self.text, self.isStillValid, self.output) = (text, isStillValid, output)
    }

    /// Waits for the result. `submit` gives the operation to a thread, which must finish or fail it in every case.
    func submitAndWait(_ submit: (Query) -> Void) async throws(PostgresError) -> Output {
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if wait(continuation) { submit(self) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func begin() -> Bool {
        if let isStillValid, !isStillValid() {
            fail(.outdated)
            return false
        }
        return state.withLock { state in
            state.isSent = true
            return !state.isCancelled
        }
    }

    func read(_ result: OpaquePointer, _ types: CompositeTypes) {
        let output: Result<Output, PostgresError>
        do {
            output = .success(try self.output(result, types))
        } catch let error as PostgresError {
            output = .failure(error)
        } catch {
            output = .failure(.undecodable("decoding threw \(type(of: error))"))
        }
        state.withLock { state in
            // The copy of a read on another connection may have a result, while this connection lacks a type.
            if case .success? = state.output, case .failure = output { return }
            state.output = output
        }
    }

    func finish() {
        let (continuation, output) = state.withLock { ($0.continuation.take(), $0.output.take()) }
        continuation?.resume(returning: output ?? .failure(.undecodable("no result")))
    }

    func fail(_ error: PostgresError) {
        state.withLock { $0.continuation.take() }?.resume(returning: .failure(error))
    }

    private func wait(_ continuation: UnsafeContinuation<Result<Output, PostgresError>, Never>) -> Bool {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.continuation = continuation }
            return state.isCancelled
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled(mayHaveCommitted: false))) }
        return !isCancelled
    }

    private func cancel() {
        let (continuation, isSent) = state.withLock { state in
            state.isCancelled = true
            return (state.continuation.take(), state.isSent)
        }
        continuation?.resume(returning: .failure(.cancelled(mayHaveCommitted: isSent && text.isWrite)))
    }
}

extension Query {
    /// A query that returns one value for each row.
    static func rows<Value>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect,
        ifStill isStillValid: (@Sendable () -> Bool)?,
        _ decode: @escaping @Sendable (inout Row) throws -> Value
    ) -> Query<[Value]> where Output == [Value] {
        Query<[Value]>(.statement(statement, parameters, effect), ifStill: isStillValid) { result, types in
            let columns = PQnfields(result)
            let count = PQntuples(result)
            var values: [Value] = []
            values.reserveCapacity(Int(count))
            for index in 0..<count {
                var row = Row(result: result, index: index, columnCount: columns, types: types)
                values.append(try decode(&row))
            }
            return values
        }
    }
}

extension Query<Void> {
    /// A query that runs a script.
    static func script(_ text: String) -> Query<Void> { Query(.script(text)) { _, _ in } }
}

extension Query<Int> {
    /// A query that returns the number of affected rows.
    static func count(_ statement: Statement, _ parameters: Parameters, _ effect: Effect) -> Query<Int> {
        Query(.statement(statement, parameters, effect)) { result, _ in
            Int(String(cString: PQcmdTuples(result))) ?? 0
        }
    }
}
