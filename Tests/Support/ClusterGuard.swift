// Ends a test run's PostgreSQL servers however the run ends: a shell waits for this process to exit.
import Glibc
import Subprocess
import TestBasics

/// A shell that reads a pipe of this process. The pipe closes when the process exits, crashes or is killed.
/// The shell then ends the PostgreSQL server of the data directory and removes both.
package struct ClusterGuard: Sendable {
    private let pipeEnd: CInt
    private let shell: Task<Void, any Error>

    /// Watches a data directory, from before its cluster is created until ``tearDown()`` or the end of this process.
    @discardableResult
    package static func watch(dataDirectory: String) throws -> ClusterGuard {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
        else {
            throw SystemCallFailed(call: "pipe", number: errno)
        }
        let readEnd = ends[0]
        var options = PlatformOptions()
        options.createSession = true
        // After a kill, initdb may still run, or a server may not have written its process id yet.
        // The shell therefore repeats its work for two seconds.
        let script = """
            trap '' HUP INT TERM
            rounds=$(cat)
            cluster=$(readlink -f "$1/postgres")
            for round in ${rounds:-1 2 3 4 5 6 7 8 9 10}; do
                [ "$round" = 1 ] || sleep 0.2
                pid=$(head -n 1 "$cluster/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" \\
                    && while kill -0 "$pid"; do sleep 0.05; done
                rm -rf "$(readlink -f "$cluster/socket")" "$cluster" "$1"
            done
            """
        let shell = Task { [options] in
            _ = try await run(
                .path("/bin/sh"),
                arguments: ["-c", script, "sh", dataDirectory],
                platformOptions: options,
                input: .fileDescriptor(.init(rawValue: readEnd), closeAfterSpawningProcess: true),
                output: .discarded
            )
        }
        return ClusterGuard(pipeEnd: ends[1], shell: shell)
    }

    /// Ends the server if it still runs, and removes the cluster and the data directory.
    package func tearDown() async throws {
        let isWritten = write(pipeEnd, "1", 1) == 1
        close(pipeEnd)
        guard isWritten else { throw SystemCallFailed(call: "write", number: errno) }
        try await shell.value
    }

    /// Gives `body` an empty data directory of mode 0700, and removes it afterwards.
    package static func withDataDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
        TestStart.record()
        let dataDirectory = try TemporaryDirectory.make()
        let cluster = try watch(dataDirectory: dataDirectory)
        do {
            let result = try await body(dataDirectory)
            try await cluster.tearDown()
            return result
        } catch {
            try await cluster.tearDown()
            throw error
        }
    }
}

/// A system call that failed.
package struct SystemCallFailed: Error {
    /// The name of the system call.
    package let call: String
    /// The value of errno.
    package let number: CInt
}
