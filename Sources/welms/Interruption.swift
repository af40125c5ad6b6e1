// What SIGTERM and Ctrl-C do: it depends on how far a command is. Used by ServeCommand and by the commands that work on the database.
import ArgumentParser
import EmbeddedPostgres
import Glibc
import Logging
import Synchronization
import UnixSignals

/// The first SIGTERM or SIGINT that the program gets. As process 1 of a container it would get none that it doesn't ask for.
final class Interruption: Sendable {
    private struct State {
        var answer: (@Sendable () async -> Void)?
        var first: (signal: Int32, time: ContinuousClock.Instant)?
    }

    private let state = Mutex(State())

    private init() {}

    /// From now on a signal ends the program at once, with 128 and its number as the shell has it, until there is something better to do.
    static func watch() async -> Interruption {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let interruption = Interruption()
        // Held by nobody and never cancelled: as long as the program.
        Task { for await signal in signals { await interruption.receive(signal.rawValue) } }
        return interruption
    }

    /// Says what a signal does from now on; those after the first do nothing more.
    func answer(with action: @escaping @Sendable () async -> Void) { state.withLock { $0.answer = action } }

    var signal: Int32? { state.withLock { $0.first?.signal } }

    /// How long PostgreSQL may take for its shutdown now, before it is ended at once.
    var patience: Duration { Self.patience(after: state.withLock { $0.first.map { .now - $0.time } } ?? .zero) }

    /// The end is promised within ten seconds of the signal: of these nine are left to what comes before, but for one at least.
    static func patience(after elapsed: Duration) -> Duration { max(.seconds(1), min(.seconds(5), .seconds(9) - elapsed)) }

    private func receive(_ signal: Int32) async {
        let (isFirst, answer) = state.withLock { state in
            defer { if state.first == nil { state.first = (signal, .now) } }
            return (state.first == nil, state.answer)
        }
        guard isFirst else { return }
        guard let answer else {
            // What was printed; and no cleaning up beside threads that are at work.
            fflush(nil)
            _exit(128 + signal)
        }
        await answer()
    }
}

/// Does `work` with an embedded PostgreSQL that is stopped afterwards. A signal cancels it, and stops PostgreSQL, too, unless `work` says
/// something else about signals; the program then ends with 128 and the signal's number.
func withEmbeddedPostgres(
    _ dataDirectory: String, _ programs: String?, _ interruption: Interruption, _ logger: Logger,
    _ work: @escaping @Sendable (EmbeddedPostgres) async throws -> Void
) async throws {
    let task = Task {
        let embedded = try await EmbeddedPostgres.start(dataDirectory: dataDirectory, programs: programs, logger: logger)
        do {
            try await withTaskCancellationHandler {
                try await work(embedded)
            } onCancel: {
                // A statement under way ends with its session, however long it takes.
                Task { await embedded.stop() }
            }
            await embedded.stop(within: interruption.patience)
        } catch {
            await embedded.stop(within: interruption.patience)
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
