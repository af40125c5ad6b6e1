// Sees to it that no server outlives its test run, however that ends: a shell that waits for this process to be gone.
// Used by TestCluster, and by tests that start clusters of their own.
import Glibc
import Subprocess

/// A shell holding the other end of a pipe of ours: when the pipe closes, because this process exited, crashed or was killed,
/// it ends the server of the data directory and removes both.
public enum ClusterGuard {
    /// Watches over a data directory, from before its cluster is made.
    public static func watch(dataDirectory: String) throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
            throw SystemCallFailed(call: "pipe", number: errno)
        }
        let theirs = ends[0]
        // Our end is left open on purpose: only the end of this process closes it.
        var options = PlatformOptions()
        options.createSession = true
        let script = """
            trap '' HUP INT TERM
            cat > /dev/null
            cluster=$(readlink -f "$1/postgres")
            pid=$(head -n 1 "$cluster/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" && while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done
            rm -rf "$(readlink -f "$cluster/socket")" "$cluster" "$1"
            """
        Task { [options] in
            try await run(
                .path("/bin/sh"),
                arguments: ["-c", script, "sh", dataDirectory],
                platformOptions: options,
                input: .fileDescriptor(.init(rawValue: theirs), closeAfterSpawningProcess: true),
                output: .discarded
            )
        }
    }
}

/// A system call that said no.
public struct SystemCallFailed: Error {
    /// Its name.
    public let call: String
    /// What errno was.
    public let number: CInt
}
