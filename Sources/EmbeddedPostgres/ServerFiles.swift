// The files that a server is made of, and when one whose files were replaced is to be started anew. Values only, but for a look at the files.
// Used by EmbeddedPostgres.run. Read next: NewCluster.swift, whose trial says whether the new ones are whole.
import Glibc

/// Which files the server's programs are. A session of a server that runs is made of its program as it was, and loads its libraries as they are
/// by now: after an upgrade the two need not fit.
struct ServerFiles: Sendable, Hashable {
    /// Another inode, size or time is another file.
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

    /// The server's program; nil where it isn't there.
    var program: Identity?
    /// The library that runs the shop's functions.
    var library: Identity?

    init(of binaries: ServerBinaries) {
        program = Identity("\(binaries.directory)/postgres")
        library = Identity("\(binaries.libraries)/plpgsql.so")
    }

    /// As they are now, but for the program of a process that runs another one: the file that it was started from is gone.
    init(of binaries: ServerBinaries, adoptedAs pid: pid_t) {
        self.init(of: binaries)
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/\(pid)/exe", &target, target.count)
        if length > 0, String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).hasSuffix(" (deleted)") {
            program = nil
        }
    }
}

/// When a server is to be started anew because its files are others: once they have been the same for a second, for a package is replaced file
/// by file; not again and again; and less and less often where they are no good.
struct ReplacementWatch: Sendable {
    typealias Moment = ContinuousClock.Instant

    private static let settled = Duration.seconds(1)
    private static let afterFailure = (first: Duration.seconds(5), most: Duration.seconds(60))
    private static let afterRestart = (first: Duration.seconds(10), most: Duration.seconds(300))
    /// After so long a time without a restart the next one is the first.
    private static let forgotten = Duration.seconds(1800)

    /// Those that the server was started from.
    private var running: ServerFiles
    private var seen: ServerFiles
    private var notBefore: Moment?
    private var failures = 0
    private var restarted: (at: Moment, pause: Duration)?

    init(running: ServerFiles) { (self.running, seen) = (running, running) }

    /// Whether to try the files that there are now.
    mutating func shouldTry(_ files: ServerFiles, at now: Moment) -> Bool {
        if files != seen {
            (seen, failures) = (files, 0)
            notBefore = now + Self.settled
        }
        guard files != running, notBefore.map({ now >= $0 }) ?? true else { return false }
        return restarted.map { now >= $0.at + $0.pause } ?? true
    }

    /// They are no good, as of now.
    mutating func failed(at now: Moment) {
        let wait = Self.afterFailure.first * (1 << min(failures, 8))
        failures += 1
        notBefore = now + min(wait, Self.afterFailure.most)
    }

    /// The server runs from these now, because they were new.
    mutating func replaced(with files: ServerFiles, at now: Moment) {
        started(from: files)
        let last = restarted.flatMap { now - $0.at < Self.forgotten ? $0.pause * 2 : nil }
        restarted = (now, min(last ?? Self.afterRestart.first, Self.afterRestart.most))
    }

    /// The server runs from these now.
    mutating func started(from files: ServerFiles) { (running, seen, notBefore, failures) = (files, files, nil, 0) }
}
