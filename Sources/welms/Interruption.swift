// Handles SIGTERM and Ctrl-C. Each command can set its own handler while it runs.
import ArgumentParser
import EmbeddedPostgres
import Glibc
import Logging
import Synchronization
import UnixSignals

/// The first SIGTERM or SIGINT that the program receives.
///
/// Process 1 of a container receives only the signals that it has a handler for.
final class Interruption: Sendable {
    private struct State {
        var handler: (@Sendable () async -> Void)?
        var first: (signal: Int32, time: ContinuousClock.Instant)?
    }

    private let state = Mutex(State())

    private init() {}

    /// Starts to watch. Until a handler is set, a signal ends the program at once with the status 128 + signal.
    static func watch() async -> Interruption {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let interruption = Interruption()
        // Never cancelled: runs as long as the program.
        Task { for await signal in signals { await interruption.receive(signal.rawValue) } }
        return interruption
    }

    /// Sets the handler of the first signal. Later signals are ignored.
    func answer(with action: @escaping @Sendable () async -> Void) { state.withLock { $0.handler = action } }

    var signal: Int32? { state.withLock { $0.first?.signal } }

    /// The time that PostgreSQL now has for a fast shutdown, before an immediate one.
    var shutdownTimeout: Duration {
        Self.shutdownTimeout(after: state.withLock { $0.first.map { .now - $0.time } } ?? .zero)
    }

    /// The program ends within 10 s of the signal. PostgreSQL gets what is left of 9 s: at least 1 s, at most 5 s.
    static func shutdownTimeout(after elapsed: Duration) -> Duration {
        max(.seconds(1), min(.seconds(5), .seconds(9) - elapsed))
    }

    private func receive(_ signal: Int32) async {
        let (isFirst, handler) = state.withLock { state in
            defer { if state.first == nil { state.first = (signal, .now) } }
            return (state.first == nil, state.handler)
        }
        guard isFirst else { return }
        guard let handler else {
            // Flushes the output. exit(3) would run clean-up handlers while other threads still work.
            fflush(nil)
            _exit(128 + signal)
        }
        await handler()
    }
}

/// Runs `work` with an embedded PostgreSQL that is stopped afterwards.
///
/// A signal cancels `work` and stops PostgreSQL, unless `work` sets another handler.
/// The program then ends with the status 128 + signal.
func withEmbeddedPostgres(
    _ dataDirectory: String, _ programs: String?, _ interruption: Interruption, _ logger: Logger,
    _ work: @escaping @Sendable (EmbeddedPostgres) async throws -> Void
) async throws {
    let task = Task {
        let embedded = try await EmbeddedPostgres.start(
            dataDirectory: dataDirectory, programs: programs, logger: logger)
        do {
            try await withTaskCancellationHandler {
                try await work(embedded)
            } onCancel: {
                // Stopping PostgreSQL ends the session, and so a running statement, however long it would take.
                Task { await embedded.stop() }
            }
            await embedded.stop(within: interruption.shutdownTimeout)
        } catch {
            await embedded.stop(within: interruption.shutdownTimeout)
            throw error
        }
    }
    interruption.answer { task.cancel() }
    do {
        try await task.value
    } catch {
        guard task.isCancelled, let signal = interruption.signal else { throw error }
        throw ExitCode(128 + signal)
    }
}
