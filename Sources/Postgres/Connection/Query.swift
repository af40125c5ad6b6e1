// One statement or script on its way from a task to a connection's thread and back. The task waits here; the thread reads the rows into it and
// resumes the task when the Sync has come back. Made by PostgresPool and PostgresConnection, carried by Request. Read next: Mailbox.swift.
import CLibPQ
import Synchronization

/// What a connection's thread sees of a query, whatever its rows become.
protocol Operation: AnyObject, Sendable {
    var text: OperationText { get }
    /// Called when it is about to be sent; false when the task has gone, or has its answer now, and nothing is to be sent.
    func begin() -> Bool
    /// Reads the rows; the answer is kept back until `finish`.
    func read(_ result: OpaquePointer)
    /// Resumes the task with what was read.
    func finish()
    func fail(_ error: PostgresError)
}

/// What is to be sent.
enum OperationText: Sendable {
    case statement(Statement, Parameters, Effect)
    case script(String)

    /// What the statement is called; a script has no name.
    var name: String? { if case .statement(let statement, _, _) = self { statement.name } else { nil } }

    /// Whether it may have been committed once it was sent.
    var isWrite: Bool { if case .statement(_, _, .reads) = self { false } else { true } }
}

/// An operation, where it waits for a connection until when, and what it has been through.
struct Request: Sendable {
    let operation: any Operation
    /// When it fails as `unavailable` if it still has not been sent.
    let deadline: ContinuousClock.Instant
    /// When it fails as timed out, wherever it is; it may have been sent late. Nil: its connection's silence alone ends it.
    var answerBy: ContinuousClock.Instant?
    /// Set once it was prepared anew because its plan or its name was gone.
    var wasPreparedAgain = false
    /// Set once a neighbour's failure aborted it; from then on it has a Sync of its own.
    var wasAborted = false
    /// How many connections were lost under it.
    var losses = 0
    /// Set on the copy of a read whose connection is quiet. The first answer counts; what comes later finds that nobody waits.
    var isCopy = false

    /// Resumes the task with an error that is about the way and not about the statement. A copy has none: its original is still under way.
    func refuse(_ error: PostgresError) { if !isCopy { operation.fail(error) } }
}

/// An operation that answers with an `Output`.
package final class Query<Output: Sendable>: Operation {
    private struct State {
        var continuation: UnsafeContinuation<Result<Output, PostgresError>, Never>?
        var output: Result<Output, PostgresError>?
        var isSent = false
        var isCancelled = false
    }

    let text: OperationText
    private let holds: (@Sendable () -> Bool)?
    private let output: @Sendable (OpaquePointer) throws -> Output
    private let state = Mutex(State())

    /// `output` makes the answer from libpq's result, on the connection's thread. `holds` is asked there, before anything is sent: if what the
    /// statement was made from does not hold any more, it fails as outdated.
    init(
        _ text: OperationText, ifStill holds: (@Sendable () -> Bool)? = nil, output: @escaping @Sendable (OpaquePointer) throws -> Output
    ) {
        (self.text, self.holds, self.output) = (text, holds, output)
    }

    /// Waits for the answer; `submit` hands the operation to a thread, which must answer it, whatever happens.
    func answer(_ submit: (Query) -> Void) async throws(PostgresError) -> Output {
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
        if let holds, !holds() {
            fail(.outdated)
            return false
        }
        return state.withLock { state in
            state.isSent = true
            return !state.isCancelled
        }
    }

    func read(_ result: OpaquePointer) {
        let output: Result<Output, PostgresError>
        do {
            output = .success(try self.output(result))
        } catch let error as PostgresError {
            output = .failure(error)
        } catch {
            output = .failure(.undecodable("decoding threw \(type(of: error))"))
        }
        state.withLock { $0.output = output }
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
    /// An operation that answers with one value for each row.
    static func rows<Value>(
        _ statement: Statement, _ parameters: Parameters, _ effect: Effect, ifStill holds: (@Sendable () -> Bool)?,
        _ decode: @escaping @Sendable (inout Row) throws -> Value
    ) -> Query<[Value]> where Output == [Value] {
        Query<[Value]>(.statement(statement, parameters, effect), ifStill: holds) { result in
            let columns = PQnfields(result)
            let count = PQntuples(result)
            var values: [Value] = []
            values.reserveCapacity(Int(count))
            for index in 0..<count {
                var row = Row(result: result, index: index, columnCount: columns)
                values.append(try decode(&row))
            }
            return values
        }
    }
}

extension Query<Void> {
    static func script(_ text: String) -> Query<Void> { Query(.script(text)) { _ in } }
}

extension Query<Int> {
    /// An operation that answers with the number of rows touched.
    static func count(_ statement: Statement, _ parameters: Parameters, _ effect: Effect) -> Query<Int> {
        Query(.statement(statement, parameters, effect)) { Int(String(cString: PQcmdTuples($0))) ?? 0 }
    }
}
