// Blocks a connection's thread for as long as a test needs, in the decoding of a row.

import Foundation
import Postgres

/// A read whose decoding blocks the thread of its connection until it is released.
struct BlockedThread: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let blocked = AsyncStream.makeStream(of: Int32.self)

    /// Runs the read. Returns after the thread has been released.
    func block(_ pool: PostgresPool) async throws {
        _ = try await pool.query(Statement("held", "select pg_backend_pid()"), .reads) { row throws in
            blocked.continuation.yield(try row.next(Int32.self))
            gate.wait()
            gate.signal()
        }
    }

    /// Waits until the thread is blocked. Returns the id of its connection's server process.
    func processID() async throws -> Int32 {
        for await processID in blocked.stream { return processID }
        throw NeverHappened(what: "the thread is blocked")
    }

    func release() {
        gate.signal()
    }
}
