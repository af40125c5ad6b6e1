// Detects that the files of a running server were replaced, and decides when to restart the server.
import Glibc

/// The identities of the server's files. A running server keeps its old program but loads libraries from the current
/// files. After an upgrade the two may not fit together.
struct ServerFiles: Sendable, Hashable {
    /// A file's identity. Another inode, size or modification time means another file.
    struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let changed: [Int]

        init?(_ path: String) {
            guard let status = PrivateFile.status(path) else { return nil }
            (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            changed = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
        }
    }

    /// The server's program; nil if the file does not exist.
    var program: Identity?
    /// The library of PL/pgSQL, in which the shop's functions are written.
    var library: Identity?

    /// Reads the identities of the current files.
    init(of binaries: ServerBinaries) {
        program = Identity("\(binaries.directory)/postgres")
        library = Identity("\(binaries.libraries)/plpgsql.so")
    }

    /// Reads the current files, but with `program` nil if the adopted process runs a program that has been deleted.
    init(of binaries: ServerBinaries, adoptedAs pid: pid_t) {
        self.init(of: binaries)
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/\(pid)/exe", &target, target.count)
        if length > 0,
            String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).hasSuffix(" (deleted)")
        {
            program = nil
        }
    }
}

/// Decides when to restart a server whose files were replaced. The files must be unchanged for one second, because
/// packages are replaced file by file. The pauses between restarts and between failures grow.
struct ReplacementWatch: Sendable {
    typealias Moment = ContinuousClock.Instant

    private static let settlingTime = Duration.seconds(1)
    private static let failurePause = (first: Duration.seconds(5), maximum: Duration.seconds(60))
    private static let restartPause = (first: Duration.seconds(10), maximum: Duration.seconds(300))
    /// After this time without a restart, the pause begins with its first value again.
    private static let restartPauseReset = Duration.seconds(1800)

    /// The files from which the server was started.
    private var running: ServerFiles
    private var latest: ServerFiles
    private var notBefore: Moment?
    private var failures = 0
    private var restarted: (at: Moment, pause: Duration)?

    init(running: ServerFiles) { (self.running, latest) = (running, running) }

    /// Returns whether to try a restart from the current files.
    mutating func shouldRestart(with files: ServerFiles, at now: Moment) -> Bool {
        if files != latest {
            (latest, failures) = (files, 0)
            notBefore = now + Self.settlingTime
        }
        guard files != running, notBefore.map({ now >= $0 }) ?? true else { return false }
        return restarted.map { now >= $0.at + $0.pause } ?? true
    }

    /// Records that the current files do not work.
    mutating func recordFailure(at now: Moment) {
        let pause = Self.failurePause.first * (1 << min(failures, 8))
        failures += 1
        notBefore = now + min(pause, Self.failurePause.maximum)
    }

    /// Records that the server was restarted from new files.
    mutating func recordRestart(from files: ServerFiles, at now: Moment) {
        recordStart(from: files)
        let next = restarted.flatMap { now - $0.at < Self.restartPauseReset ? $0.pause * 2 : nil }
        restarted = (now, min(next ?? Self.restartPause.first, Self.restartPause.maximum))
    }

    /// Records that the server runs from these files.
    mutating func recordStart(from files: ServerFiles) {
        (running, latest, notBefore, failures) = (files, files, nil, 0)
    }
}
