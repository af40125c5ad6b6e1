// The server's process: started by us, or adopted from a server of ours that was killed.
// Held by EmbeddedPostgres, which watches it and starts another when it ends.
import Glibc
import Logging

/// A PostgreSQL server process that takes connections.
final class Postmaster: Sendable {
    /// PostgreSQL's own note on it.
    let file: PostmasterFile
    private let data: String
    private let launch: Launch?

    /// Whether it was started by a process that is gone.
    var isAdopted: Bool { launch == nil }

    private init(file: PostmasterFile, data: String, launch: Launch?) {
        (self.file, self.data, self.launch) = (file, data, launch)
    }

    /// How it ended; nil while it runs.
    func ending() -> String? {
        if let launch { return launch.ending() }
        return PostmasterFile.isServer(file.pid, of: data) ? nil : "an adopted server left no exit status"
    }

    /// The live server process of a cluster, ready or not.
    static func process(of data: String) -> PostmasterFile? {
        guard case .postmaster(let file) = PostmasterFile.holder(of: data) else { return nil }
        return file
    }

    /// A server that takes connections: the one that runs, once it is ready, or a new one.
    static func ready(
        _ command: ServerCommand, settings: [String: String], socketDirectory: String, logger: Logger
    ) async throws(EmbeddedPostgresError) -> Postmaster {
        let directory = command.directory
        if let running = process(of: directory.data) {
            logger.notice("adopting the PostgreSQL of a killed server", metadata: ["pid": "\(running.pid)"])
            if let adopted = try await waitUntilReady(directory, launch: nil, logger) { return adopted }
        }
        // Old backends notice the death of their server when they next wait for something; a minute is many queries.
        for attempt in 0..<120 {
            let launch = try Launch(command, settings: settings, socketDirectory: socketDirectory)
            if let ready = try await waitUntilReady(directory, launch: launch, logger) { return ready }
            let output = PrivateFile.read(directory.startLog) ?? ""
            guard output.contains("shared memory block") || output.contains("lock file \"postmaster.pid\" already exists") else {
                throw .didNotStart(reason: ServerCommand.lastComplaint(in: output), log: directory.log)
            }
            if attempt == 0 { logger.notice("waiting for the processes of a killed PostgreSQL to end") }
            try await pause(.milliseconds(500))
        }
        throw .oldProcessesRemain(directory: directory.dataDirectory)
    }

    /// Ends the server process of a cluster, and whichever comes up while `isStarting`: fast first, at once when `patience` is over.
    static func stop(_ data: String, within patience: Duration, while isStarting: @escaping @Sendable () async -> Bool) async {
        // A task of its own: this has to wait also where the caller's has been cancelled.
        await Task {
            let begin = ContinuousClock.now
            var sent: (pid: pid_t, signal: CInt)?
            // PostgreSQL kills what has not followed a SIGQUIT after 5 seconds; what is left then hangs in the kernel.
            while ContinuousClock.now < begin + patience + .seconds(10) {
                if let running = process(of: data) {
                    let signal = ContinuousClock.now < begin + patience ? SIGINT : SIGQUIT
                    if sent?.pid != running.pid || sent?.signal != signal { kill(running.pid, signal) }
                    sent = (running.pid, signal)
                } else if await !isStarting() {
                    return
                }
                do { try await pause(.milliseconds(20)) } catch { return }
            }
        }.value
    }

    /// Waits as long as there is a process: the recovery after a crash may take minutes. Nil when it ended instead.
    private static func waitUntilReady(
        _ directory: ClusterDirectory, launch: Launch?, _ logger: Logger
    ) async throws(EmbeddedPostgresError) -> Postmaster? {
        var rounds = 0
        while launch.map({ $0.ending() == nil }) ?? (process(of: directory.data) != nil) {
            if let file = process(of: directory.data), file.status == "ready" {
                return Postmaster(file: file, data: directory.data, launch: launch)
            }
            rounds += 1
            if rounds.isMultiple(of: 500) { logger.notice("PostgreSQL is still starting or stopping") }
            do {
                try await pause(.milliseconds(20))
            } catch {
                await stop(directory.data, within: .seconds(5)) { launch.map { $0.ending() == nil } ?? false }
                throw error
            }
        }
        return nil
    }

    private static func pause(_ duration: Duration) async throws(EmbeddedPostgresError) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}
