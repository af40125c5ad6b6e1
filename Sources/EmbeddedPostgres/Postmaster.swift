// The server's main process: started by this process, or adopted from one that was killed.
import Glibc
import Logging

/// A PostgreSQL server process that accepts connections.
final class Postmaster: Sendable {
    /// The contents of the server's postmaster.pid.
    let file: PostmasterFile
    private let data: String
    private let launch: ServerProcess?

    /// Whether another process, which has ended, started the server.
    var isAdopted: Bool { launch == nil }

    private init(file: PostmasterFile, data: String, launch: ServerProcess?) {
        (self.file, self.data, self.launch) = (file, data, launch)
    }

    /// How the process ended; nil while it runs.
    func terminationReason() -> String? {
        if let launch { return launch.terminationReason() }
        return PostmasterFile.isServer(file.pid, of: data) ? nil : "an adopted server left no exit status"
    }

    /// Returns the live server process of a cluster, ready or not.
    static func process(of data: String) -> PostmasterFile? {
        guard case .postmaster(let file) = PostmasterFile.holder(of: data) else { return nil }
        return file
    }

    /// Returns a server that accepts connections: the running one, once it is ready, or a new one.
    static func startOrAdopt(
        _ command: ServerCommand, settings: [String: String], socketDirectory: String, logger: Logger
    ) async throws(EmbeddedPostgresError) -> Postmaster {
        let directory = command.directory
        if let running = process(of: directory.data) {
            logger.notice("adopting the PostgreSQL of a killed server", metadata: ["pid": "\(running.pid)"])
            if let adopted = try await waitUntilReady(directory, launch: nil, logger) { return adopted }
        }
        // The backends of a killed server keep its shared memory until their next wait, and a new server cannot start
        // before. One minute of attempts is longer than most queries.
        for attempt in 0..<120 {
            let launch = try ServerProcess(command, settings: settings, socketDirectory: socketDirectory)
            if let ready = try await waitUntilReady(directory, launch: launch, logger) { return ready }
            let output = PrivateFile.read(directory.startLog) ?? ""
            guard
                output.contains("shared memory block") || output.contains("lock file \"postmaster.pid\" already exists")
            else {
                throw .didNotStart(reason: ServerCommand.lastErrorLine(in: output), log: directory.log)
            }
            if attempt == 0 { logger.notice("waiting for the processes of a killed PostgreSQL to end") }
            try await pause(.milliseconds(500))
        }
        throw .oldProcessesRemain(directory: directory.dataDirectory)
    }

    /// Stops the server process of a cluster, and every one that starts while `isStarting` returns true. Begins with a
    /// fast shutdown, and with an immediate one after `timeout`.
    static func stop(_ data: String, within timeout: Duration, while isStarting: @escaping @Sendable () async -> Bool)
        async
    {
        // An unstructured task, because this must wait even if the caller's task is cancelled.
        await Task {
            let begin = ContinuousClock.now
            var sent: (pid: pid_t, signal: CInt)?
            // After SIGQUIT PostgreSQL waits 5 seconds and then kills its processes. A server that still exists 10
            // seconds after SIGQUIT hangs in the kernel.
            while ContinuousClock.now < begin + timeout + .seconds(10) {
                if let running = process(of: data) {
                    let signal = ContinuousClock.now < begin + timeout ? SIGINT : SIGQUIT
                    if sent?.pid != running.pid || sent?.signal != signal { kill(running.pid, signal) }
                    sent = (running.pid, signal)
                } else if await !isStarting() {
                    return
                }
                do { try await pause(.milliseconds(20)) } catch { return }
            }
        }.value
    }

    /// Waits while the process exists, because crash recovery may take minutes. Returns nil if the process ended.
    private static func waitUntilReady(
        _ directory: ClusterDirectory, launch: ServerProcess?, _ logger: Logger
    ) async throws(EmbeddedPostgresError) -> Postmaster? {
        var rounds = 0
        while launch.map({ $0.terminationReason() == nil }) ?? (process(of: directory.data) != nil) {
            if let file = process(of: directory.data), file.status == "ready" {
                return Postmaster(file: file, data: directory.data, launch: launch)
            }
            rounds += 1
            if rounds.isMultiple(of: 500) { logger.notice("PostgreSQL is still starting or stopping") }
            do {
                try await pause(.milliseconds(20))
            } catch {
                await stop(directory.data, within: .seconds(5)) {
                    launch.map { $0.terminationReason() == nil } ?? false
                }
                throw error
            }
        }
        return nil
    }

    private static func pause(_ duration: Duration) async throws(EmbeddedPostgresError) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}
