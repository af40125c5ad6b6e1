// PostgreSQL's own note on who serves a cluster: postmaster.pid in the data directory.
// Read by Postmaster to wait and to adopt, and by EmbeddedPostgres.url.
import Glibc

/// The lines of `postmaster.pid` that matter here (PostgreSQL, src/include/utils/pidfile.h).
struct PostmasterFile: Sendable, Hashable {
    /// The file name of the socket carries a port even where no TCP is spoken.
    static let port = 5432

    let pid: pid_t
    let port: Int
    let socketDirectory: String
    /// `ready` once connections are taken; `starting`, `stopping`, `standby`, or empty in the first moments.
    let status: String

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // In its first moments the file has no more than the first lines; a server then is there, but not ready.
        guard let first = lines.first, let pid = pid_t(first), pid > 0 else { return nil }
        self.pid = pid
        port = lines.count > 3 ? Int(lines[3]) ?? Self.port : Self.port
        socketDirectory = lines.count > 4 ? String(lines[4]) : ""
        status = lines.count > 7 ? String(lines[7].prefix { $0 != " " }) : ""
    }

    /// The libpq URI of the server's socket (PostgreSQL manual, 34.1.1.2). The port is spelled out so that no PGPORT gets in.
    func url(user: String, database: String) -> String {
        var host = ""
        for byte in socketDirectory.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                host.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                host += "%\(digits.count == 1 ? "0" : "")\(digits)"
            }
        }
        return "postgresql://\(user)@/\(database)?host=\(host)&port=\(port)"
    }

    enum Holder: Hashable {
        case nobody
        case postmaster(PostmasterFile)
        /// A live process that is no server of this cluster: the id was given anew, as happens after a restart of the machine.
        case stranger(pid_t)
    }

    /// Who serves the cluster in `data`, as the file says and the process table agrees.
    static func holder(of data: String) -> Holder {
        guard let file = PrivateFile.read("\(data)/postmaster.pid").flatMap(PostmasterFile.init) else { return .nobody }
        // EPERM is another user's process: to PostgreSQL, too, the file is stale then.
        guard kill(file.pid, 0) == 0 else { return .nobody }
        return isServer(file.pid, of: data) ? .postmaster(file) : .stranger(file.pid)
    }

    /// Whether a process lives and serves the cluster in `data`; without /proc, whether it lives.
    static func isServer(_ pid: pid_t, of data: String) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        guard PrivateFile.status("/proc/self/stat") != nil else { return true }
        // "4711 (postgres) S 1 …": a zombie (Z) serves nobody, it waits for a parent that doesn't look.
        guard let words = PrivateFile.read("/proc/\(pid)/stat")?.split(separator: " "), words.count > 2 else { return false }
        guard words[1] == "(postgres)", words[2] != "Z", words[2] != "X" else { return false }
        // A server stands in its data directory. Only its own user and a full root may look.
        let place = PrivateFile.canonicalPath("/proc/\(pid)/cwd")
        return place == nil || place == data
    }
}
