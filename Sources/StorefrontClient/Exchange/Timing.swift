// Any clock as two functions, so that the client can hold a clock whose type it does not know.

/// A clock's time since the client was made, and its way to wait.
struct Timing: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
