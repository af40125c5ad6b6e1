// A private PostgreSQL for one data directory: found or made, started or adopted, watched, and stopped. By hand, on the machine's own server
// binaries: there is no library in Swift that does it, and those of other languages bring binaries along, which nobody would keep up to date.
// Used by `welms serve` without a database URL, by `welms url`, and by the tests. Next: ClusterDirectory.swift, Postmaster.swift.
import Glibc
import Logging

/// The embedded PostgreSQL: a cluster of our own under a data directory, served over a unix socket that only its user and root reach.
///
/// One process at a time has it. If that process is killed the server goes on, and the next `start` takes it over.
package actor EmbeddedPostgres {
    /// What happens to a server between its start and its stop.
    package enum Event: Sendable, Hashable {
        /// It ended by itself; the text says how (a signal, an exit status).
        case crashed(String)
        /// It takes connections again.
        case restarted
        /// A new start failed, and there will be another.
        case restartFailed(EmbeddedPostgresError)
        /// Its files were replaced by others that are whole, and it is started anew from them.
        case replaced
    }

    /// The libpq URI for the owner of the database `welms`. It holds no secret: who may connect is decided by the kernel's word on who it is.
    package nonisolated var url: String { url(for: .owner) }
    /// The same for the superuser `postgres` and the database `postgres`.
    package nonisolated let superuserURL: String
    /// Where the cluster lies: below the data directory, or in `/var/lib/welms` for root.
    package nonisolated let directory: String

    private nonisolated let place: PostmasterFile
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

    /// The version of the server programs that ``start(dataDirectory:settings:logger:onEvent:)`` would run, its major one and all of it, such as
    /// 15 and `15.18`; makes and changes nothing.
    /// - Throws: what has to be installed, in one line.
    package static func installedVersion(
        for dataDirectory: String, programs: String? = nil
    ) async throws(EmbeddedPostgresError) -> (major: Int, release: String) {
        let version = PrivateFile.read("\(dataDirectory)/postgres/data/PG_VERSION").flatMap { Int($0.prefix { $0.isNumber }) }
        let found = try await ServerBinaries.find(needed: version, in: programs, for: dataDirectory)
        return (found.version, found.release)
    }

    /// Starts the server of `dataDirectory`, which is made, with a cluster in it, where it isn't there.
    ///
    /// - Parameters:
    ///   - programs: The directory of the server's programs; nil: the newest that is installed, of the version that the data has.
    ///   - settings: PostgreSQL settings for this run beside its own, such as `["max_connections": "300"]`.
    ///   - onEvent: told of each crash and restart, from ``run()``.
    /// - Throws: what has to be done first, in one line; ``EmbeddedPostgresError/cancelled`` if the task is.
    package static func start(
        dataDirectory: String, programs: String? = nil, settings: [String: String] = [:], logger: Logger,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(EmbeddedPostgresError) -> EmbeddedPostgres {
        let directory = try ClusterDirectory.prepare(in: dataDirectory)
        let lock = try await DirectoryLock.take(directory)
        let version = PrivateFile.read("\(directory.data)/PG_VERSION").flatMap { Int($0.prefix { $0.isNumber }) }
        let binaries = try await ServerBinaries.find(needed: version, in: programs, for: directory.dataDirectory)
        let command = ServerCommand(binaries: binaries, directory: directory)
        NewCluster.removeRemains(in: directory)
        if version == nil {
            logger.notice("making a PostgreSQL cluster", metadata: ["directory": "\(directory.path)", "version": "\(binaries.version)"])
            try await NewCluster(command: command).make()
        }
        let socketDirectory = try directory.prepareSocketDirectory()
        var files = ServerFiles(of: binaries)
        let postmaster = try await Postmaster.ready(command, settings: settings, socketDirectory: socketDirectory, logger: logger)
        if postmaster.isAdopted { files = ServerFiles(of: binaries, adoptedAs: postmaster.file.pid) }
        logger.info("PostgreSQL takes connections", metadata: ["directory": "\(directory.path)", "pid": "\(postmaster.file.pid)"])
        return EmbeddedPostgres(command, settings, postmaster, files, lock, logger, onEvent)
    }

    private init(
        _ command: ServerCommand, _ settings: [String: String], _ postmaster: Postmaster, _ files: ServerFiles, _ lock: DirectoryLock,
        _ logger: Logger, _ onEvent: @escaping @Sendable (Event) -> Void
    ) {
        (self.command, self.settings, self.postmaster) = (command, settings, postmaster)
        self.files = ReplacementWatch(running: files)
        (self.lock, self.logger, self.onEvent) = (lock, logger, onEvent)
        directory = command.directory.path
        // An adopted server may listen elsewhere than a new one would.
        socketDirectory = postmaster.file.socketDirectory
        place = postmaster.file
        superuserURL = postmaster.file.url(user: "postgres", database: "postgres")
    }

    /// Watches the server and starts it again when it crashes, first after a tenth of a second, later every five; and when its files were
    /// replaced, as an upgrade does, once the new ones are seen to be whole.
    ///
    /// Returns when the server has been stopped, or when the task is cancelled; the server then goes on unwatched until ``stop(within:)``.
    package func run() async {
        let shortest = Duration.milliseconds(100)
        var wait = shortest
        while !isStopped {
            do { try await Task.sleep(for: wait) } catch { return }
            guard !isStopped else { return }
            guard let ending = postmaster.ending() else {
                let found = ServerFiles(of: command.binaries)
                if files.shouldTry(found, at: .now) { await startAnew(from: found) }
                continue
            }
            if wait == shortest {
                logger.error("PostgreSQL ended by itself and is started again", metadata: ["ending": "\(ending)"])
                onEvent(.crashed(ending))
            }
            isRestarting = true
            defer { isRestarting = false }
            do {
                let found = ServerFiles(of: command.binaries)
                postmaster = try await Postmaster.ready(command, settings: settings, socketDirectory: socketDirectory, logger: logger)
                files.started(from: found)
                logger.notice("PostgreSQL takes connections again", metadata: ["pid": "\(postmaster.file.pid)"])
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

    /// Stops the server and starts it from the files that there are now, if they are whole. If not, it goes on: its open sessions may still serve.
    private func startAnew(from found: ServerFiles) async {
        let old = command.binaries
        let new: ServerCommand
        do {
            let binaries = try await ServerBinaries.find(needed: old.version, in: old.directory, for: command.directory.dataDirectory)
            new = ServerCommand(binaries: binaries, directory: command.directory)
            try await NewCluster(command: new).tryPrograms()
        } catch {
            if isStopped || Task.isCancelled { return }
            files.failed(at: .now)
            logger.error(
                "PostgreSQL's files were replaced by others that don't work: install them again",
                metadata: ["directory": "\(old.directory)", "reason": "\(error)"])
            return
        }
        guard !isStopped, postmaster.ending() == nil, ServerFiles(of: new.binaries) == found else { return }
        logger.notice(
            "PostgreSQL's files were replaced, and it is started anew from them",
            metadata: ["from": "\(old.release)", "to": "\(new.binaries.release)"])
        onEvent(.replaced)
        isRestarting = true
        defer { isRestarting = false }
        await Postmaster.stop(command.directory.data, within: .seconds(5)) { false }
        command = new
        files.replaced(with: found, at: .now)
        // Where it doesn't start it is tried again like one that has crashed.
        guard !isStopped else { return }
        do {
            postmaster = try await Postmaster.ready(new, settings: settings, socketDirectory: socketDirectory, logger: logger)
            logger.notice("PostgreSQL takes connections again", metadata: ["pid": "\(postmaster.file.pid)"])
            onEvent(.restarted)
        } catch {
            if isStopped || Task.isCancelled { return }
            logger.error("\(error)")
            onEvent(.restartFailed(error))
        }
    }

    /// Stops the server: a fast shutdown, which ends its sessions and writes everything down (`SIGINT`).
    ///
    /// One that takes longer than `patience` is ended at once (`SIGQUIT`) and recovers from its log at the next start; nothing committed is lost.
    package func stop(within patience: Duration = .seconds(5)) async {
        isStopped = true
        await Postmaster.stop(command.directory.data, within: patience) { await self.isAnyLeft }
        lock = nil
    }

    /// PostgreSQL's note on a process goes a moment before the process does.
    private var isAnyLeft: Bool { isRestarting || postmaster.ending() == nil }

    /// The libpq URI for one of the roles and the database `welms`.
    package nonisolated func url(for role: ClusterRole) -> String { place.url(user: role.rawValue, database: "welms") }

    /// The same URL of the server that runs on a data directory.
    ///
    /// - Throws: ``EmbeddedPostgresError/notRunning(directory:)`` when none does.
    package static func url(dataDirectory: String, role: ClusterRole = .owner) throws(EmbeddedPostgresError) -> String {
        guard let directory = try ClusterDirectory(in: dataDirectory), let running = Postmaster.process(of: directory.data),
            running.status == "ready"
        else { throw .notRunning(directory: dataDirectory) }
        return running.url(user: role.rawValue, database: "welms")
    }

    /// Whether a cluster was made there, running or not.
    package static func exists(dataDirectory: String) throws(EmbeddedPostgresError) -> Bool {
        try ClusterDirectory(in: dataDirectory) != nil
    }
}
