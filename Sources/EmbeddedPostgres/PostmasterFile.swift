// Reads postmaster.pid in the data directory, PostgreSQL's record of the process that serves the cluster.
import Glibc

/// The relevant lines of `postmaster.pid` (PostgreSQL, src/include/utils/pidfile.h).
struct PostmasterFile: Sendable, Hashable {
    /// The default port. The socket's file name contains a port even without TCP.
    static let port = 5432

    let pid: pid_t
    let port: Int
    let socketDirectory: String
    /// `ready` once connections are accepted; otherwise `starting`, `stopping`, `standby`, or empty just after the
    /// start.
    let status: String

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Just after the start the file has only its first lines: a server exists but is not ready.
        guard let first = lines.first, let pid = pid_t(first), pid > 0 else { return nil }
        self.pid = pid
        port = lines.count > 3 ? Int(lines[3]) ?? Self.port : Self.port
        socketDirectory = lines.count > 4 ? String(lines[4]) : ""
        status = lines.count > 7 ? String(lines[7].prefix { $0 != " " }) : ""
    }

    /// The libpq URI of the server's socket (PostgreSQL manual, 34.1.1.2). It names the port so that PGPORT has no
    /// effect.
    func url(user: String, database: String) -> String {
        var host = ""
        for byte in socketDirectory.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                host.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                host += "%\(digits.count == 1 ? "0" : "")\(digits)"
            }
        }
        return "postgresql://\(user)@/\(database)?host=\(host)&port=\(port)"
    }

    /// The process that a postmaster.pid names.
    enum Holder: Hashable {
        case noProcess
        case postmaster(PostmasterFile)
        /// A live process that is no server of this cluster: its id was reused, for example after a reboot.
        case otherProcess(pid_t)
    }

    /// Returns the process that serves the cluster in `data`, according to the file and the process table.
    static func holder(of data: String) -> Holder {
        guard let file = PrivateFile.read("\(data)/postmaster.pid").flatMap(PostmasterFile.init) else {
            return .noProcess
        }
        // EPERM means another user's process: PostgreSQL also treats the file as stale then.
        guard kill(file.pid, 0) == 0 else { return .noProcess }
        return isServer(file.pid, of: data) ? .postmaster(file) : .otherProcess(file.pid)
    }

    /// Returns whether a process lives and serves the cluster in `data`. Without /proc, it only checks that it lives.
    static func isServer(_ pid: pid_t, of data: String) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        guard PrivateFile.status("/proc/self/stat") != nil else { return true }
        // "4711 (postgres) S 1 …": a zombie (Z) serves nothing. Its parent has not collected its status.
        guard let words = PrivateFile.read("/proc/\(pid)/stat")?.split(separator: " "), words.count > 2 else {
            return false
        }
        guard words[1] == "(postgres)", words[2] != "Z", words[2] != "X" else { return false }
        // A server's working directory is its data directory. Only its own user and root can read the link.
        let path = PrivateFile.canonicalPath("/proc/\(pid)/cwd")
        return path == nil || path == data
    }
}
