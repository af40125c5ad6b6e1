// Runs a private PostgreSQL for one data directory with the machine's own server programs, which the package manager
// keeps up to date. No Swift library does this. Libraries of other languages bundle the programs.
import Glibc
import Logging

/// An embedded PostgreSQL: a cluster in a data directory, served over a Unix socket that only its user and root reach.
///
/// One process at a time owns it. If that process is killed, the server keeps running and the next `start` adopts it.
package actor EmbeddedPostgres {
    /// An event between the start and the stop of the server.
    package enum Event: Sendable, Hashable {
        /// The server ended unexpectedly. The text is its signal or exit status.
        case crashed(String)
        /// The server accepts connections again.
        case restarted
        /// A restart failed and will be retried.
        case restartFailed(EmbeddedPostgresError)
        /// The server's files were replaced by working ones, and it restarts from them.
        case replaced
    }

    /// The libpq URI for the owner of the database `welms`. It contains no secret: the kernel authenticates the user.
    package nonisolated var url: String { url(for: .owner) }
    /// The libpq URI for the superuser `postgres` and the database `postgres`.
    package nonisolated let superuserURL: String
    /// The cluster's directory: below the data directory, or in `/var/lib/welms` for root.
    package nonisolated let directory: String

    private nonisolated let postmasterFile: PostmasterFile
    private var command: ServerCommand
    private let settings: [String: String]
    private let socketDirectory: String
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    private var lock: DirectoryLock?
    private(set) var postmaster: Postmaster
    private var files: ReplacementWatch
    private var isRestarting = false
    private var isStopped = false

    /// Returns the version of the server that ``start(dataDirectory:programs:settings:logger:onEvent:)`` would run: its
    /// major version and its full release, such as 15 and `15.18`. Changes nothing.
    /// - Throws: An error whose description says what to install.
    package static func installedVersion(
        for dataDirectory: String, programs: String? = nil
    ) async throws(EmbeddedPostgresError) -> (major: Int, release: String) {
        let version = PrivateFile.read("\(dataDirectory)/postgres/data/PG_VERSION").flatMap {
            Int($0.prefix { $0.isNumber })
        }
        let found = try await ServerBinaries.find(needed: version, in: programs, for: dataDirectory)
        return (found.version, found.release)
    }

    /// Starts the server of `dataDirectory`. Creates the directory and the cluster if they do not exist.
    ///
    /// - Parameters:
    ///   - programs: The directory of the server's programs; nil for the newest installed ones that fit the data.
    ///   - settings: Additional PostgreSQL settings for this run, such as `["max_connections": "300"]`.
    ///   - onEvent: Called for every crash and restart, from ``run()``.
    /// - Throws: An error whose description says what to do; ``EmbeddedPostgresError/cancelled`` if the task is
    ///   cancelled.
    package static func start(
        dataDirectory: String, programs: String? = nil, settings: [String: String] = [:], logger: Logger,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(EmbeddedPostgresError) -> EmbeddedPostgres {
        let directory = try ClusterDirectory.prepare(in: dataDirectory)
        let lock = try await DirectoryLock.acquire(directory)
        let version = PrivateFile.read("\(directory.data)/PG_VERSION").flatMap { Int($0.prefix { $0.isNumber }) }
        let binaries = try await ServerBinaries.find(needed: version, in: programs, for: directory.dataDirectory)
        let command = ServerCommand(binaries: binaries, directory: directory)
        ClusterCreation.removeLeftovers(in: directory)
        if version == nil {
            logger.notice(
                "creating a PostgreSQL cluster",
                metadata: ["directory": "\(directory.path)", "version": "\(binaries.version)"])
            try await ClusterCreation(command: command).create()
        }
        let socketDirectory = try directory.prepareSocketDirectory()
        var files = ServerFiles(of: binaries)
        let postmaster = try await Postmaster.startOrAdopt(
            command, settings: settings, socketDirectory: socketDirectory, logger: logger)
        if postmaster.isAdopted { files = ServerFiles(of: binaries, adoptedAs: postmaster.file.pid) }
        logger.info(
            "PostgreSQL accepts connections",
            metadata: ["directory": "\(directory.path)", "pid": "\(postmaster.file.pid)"])
        return EmbeddedPostgres(command, settings, postmaster, files, lock, logger, onEvent)
    }

    private init(
        _ command: ServerCommand, _ settings: [String: String], _ postmaster: Postmaster, _ files: ServerFiles,
        _ lock: DirectoryLock,
        _ logger: Logger, _ onEvent: @escaping @Sendable (Event) -> Void
    ) {
        (self.command, self.settings, self.postmaster) = (command, settings, postmaster)
        self.files = ReplacementWatch(running: files)
        (self.lock, self.logger, self.onEvent) = (lock, logger, onEvent)
        directory = command.directory.path
        // An adopted server may use another socket directory than a newly started server.
        socketDirectory = postmaster.file.socketDirectory
        postmasterFile = postmaster.file
        superuserURL = postmaster.file.url(user: "postgres", database: "postgres")
    }

    /// Watches the server. Restarts it within 0.1 s after a crash, and retries failed restarts after delays that double
    /// up to 5 s. Also restarts it after an upgrade has replaced its files, if the new files pass a test.
    ///
    /// Returns when the server has been stopped or the task is cancelled. After a cancellation the server keeps
    /// running.
    package func run() async {
        let shortest = Duration.milliseconds(100)
        var wait = shortest
        while !isStopped {
            do { try await Task.sleep(for: wait) } catch { return }
            guard !isStopped else { return }
            guard let ending = postmaster.terminationReason() else {
                let found = ServerFiles(of: command.binaries)
                if files.shouldRestart(with: found, at: .now) { await restart(from: found) }
                continue
            }
            if wait == shortest {
                logger.error("PostgreSQL ended unexpectedly and is restarted", metadata: ["ending": "\(ending)"])
                onEvent(.crashed(ending))
            }
            isRestarting = true
            defer { isRestarting = false }
            do {
                let found = ServerFiles(of: command.binaries)
                postmaster = try await Postmaster.startOrAdopt(
                    command, settings: settings, socketDirectory: socketDirectory, logger: logger)
                files.recordStart(from: found)
                logger.notice("PostgreSQL accepts connections again", metadata: ["pid": "\(postmaster.file.pid)"])
                onEvent(.restarted)
                wait = shortest
            } catch {
                if isStopped || Task.isCancelled { return }
                logger.error("\(error)")
                onEvent(.restartFailed(error))
                wait = min(wait * 2, .seconds(5))
            }
        }
    }

    /// Restarts the server from the current files if they pass a test. Otherwise the old server keeps running, because
    /// its open sessions may still work.
    private func restart(from found: ServerFiles) async {
        let old = command.binaries
        let new: ServerCommand
        do {
            let binaries = try await ServerBinaries.find(
                needed: old.version, in: old.directory, for: command.directory.dataDirectory)
            new = ServerCommand(binaries: binaries, directory: command.directory)
            try await ClusterCreation(command: new).testPrograms()
        } catch {
            if isStopped || Task.isCancelled { return }
            files.recordFailure(at: .now)
            logger.error(
                "PostgreSQL's files were replaced by files that do not work: install PostgreSQL again",
                metadata: ["directory": "\(old.directory)", "reason": "\(error)"])
            return
        }
        guard !isStopped, postmaster.terminationReason() == nil, ServerFiles(of: new.binaries) == found else { return }
        logger.notice(
            "PostgreSQL's files were replaced, and it is restarted from them",
            metadata: ["from": "\(old.release)", "to": "\(new.binaries.release)"])
        onEvent(.replaced)
        isRestarting = true
        defer { isRestarting = false }
        await Postmaster.stop(command.directory.data, within: .seconds(5)) { false }
        command = new
        files.recordRestart(from: found, at: .now)
        // A failed start is retried by `run`, like a crash.
        guard !isStopped else { return }
        do {
            postmaster = try await Postmaster.startOrAdopt(
                new, settings: settings, socketDirectory: socketDirectory, logger: logger)
            logger.notice("PostgreSQL accepts connections again", metadata: ["pid": "\(postmaster.file.pid)"])
            onEvent(.restarted)
        } catch {
            if isStopped || Task.isCancelled { return }
            logger.error("\(error)")
            onEvent(.restartFailed(error))
        }
    }

    /// Stops the server with a fast shutdown (`SIGINT`), which ends its sessions and writes a checkpoint.
    ///
    /// After `timeout` it stops immediately (`SIGQUIT`). Its next start then recovers from the write-ahead log, so no
    /// commit is lost.
    package func stop(within timeout: Duration = .seconds(5)) async {
        isStopped = true
        await Postmaster.stop(command.directory.data, within: timeout) { await self.mayStillRun }
        lock = nil
    }

    /// Whether a server process may still exist. postmaster.pid does not tell this: PostgreSQL deletes it a moment
    /// before the process ends.
    private var mayStillRun: Bool { isRestarting || postmaster.terminationReason() == nil }

    /// Returns the libpq URI for a role and the database `welms`.
    package nonisolated func url(for role: ClusterRole) -> String {
        postmasterFile.url(user: role.rawValue, database: "welms")
    }

    /// Returns the libpq URI of the server that runs on a data directory.
    ///
    /// - Throws: ``EmbeddedPostgresError/notRunning(directory:)`` when no server runs on it.
    package static func url(dataDirectory: String, role: ClusterRole = .owner) throws(EmbeddedPostgresError) -> String {
        guard let directory = try ClusterDirectory(in: dataDirectory),
            let running = Postmaster.process(of: directory.data),
            running.status == "ready"
        else { throw .notRunning(directory: dataDirectory) }
        return running.url(user: role.rawValue, database: "welms")
    }

    /// Returns whether the data directory has a cluster, running or not.
    package static func exists(dataDirectory: String) throws(EmbeddedPostgresError) -> Bool {
        try ClusterDirectory(in: dataDirectory) != nil
    }
}
