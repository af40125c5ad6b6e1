// How a test keeps a connection's thread from doing anything for exactly as long as it wants: the thread is at a row, and waits there.

import Foundation
import Postgres

/// A read whose row holds up the thread of its connection until it is let go.
struct HeldThread: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let seen = AsyncStream.makeStream(of: Int32.self)

    /// Asks for the row, and answers once the thread was let go.
    func hold(_ pool: PostgresPool) async throws {
        _ = try await pool.query(Statement("held", "select pg_backend_pid()"), .reads) { row throws in
            seen.continuation.yield(try row.next(Int32.self))
            gate.wait()
            gate.signal()
        }
    }

    /// Waits until the thread is at the row; answers which server process is behind its connection.
    func processID() async throws -> Int32 {
        for await processID in seen.stream { return processID }
        throw NeverHappened(what: "the thread is at the row")
    }

    func letGo() {
        gate.signal()
    }
}
