// The operating system's user who owns the cluster and runs the server.
import Glibc

/// A user of the operating system, according to the password database.
struct SystemUser: Sendable, Hashable {
    let id: uid_t
    let group: gid_t
    /// Nil for an id without a user, with which containers sometimes run.
    let name: String?

    /// The user of this process.
    static var current: SystemUser { withID(geteuid(), group: getegid()) }

    static func named(_ name: String) -> SystemUser? {
        lookUp { entry, texts, size, found in getpwnam_r(name, &entry, texts, size, &found) }
    }

    /// Returns the user with the id; without a name if the password database has none.
    static func withID(_ id: uid_t, group: gid_t) -> SystemUser {
        lookUp { entry, texts, size, found in getpwuid_r(id, &entry, texts, size, &found) }
            ?? SystemUser(id: id, group: group, name: nil)
    }

    private static func lookUp(
        _ call: (inout passwd, UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<passwd>?) -> CInt
    ) -> SystemUser? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // Debian's entries are below 1 KiB (sysconf(_SC_GETPW_R_SIZE_MAX)). The name points into this buffer and is
        // copied.
        var texts = [CChar](repeating: 0, count: 16_384)
        return texts.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, call(&entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return SystemUser(id: entry.pw_uid, group: entry.pw_gid, name: String(cString: name))
        }
    }
}
