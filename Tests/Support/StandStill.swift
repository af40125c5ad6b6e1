// How tests stop a process for as long as they want. SIGSTOP alone does not do: the call returns before the last thread has noticed.
// Used by tests of servers, of PostgreSQL's processes and of replicas.
import Foundation

/// Stops these processes, runs `body` once none of their threads does anything any more, and lets them go on.
nonisolated(nonsending) package func whileStandingStill<T>(_ processes: [Int32], _ body: () async throws -> T) async throws -> T {
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    try await eventually("all stand still") { processes.allSatisfy(isStopped) }
    return try await body()
}

/// Whether each of its threads has stopped; a process that has gone stands still too.
/// The state is the field behind the name, which stands in parentheses and may hold others (proc_pid_stat(5)).
private func isStopped(_ process: Int32) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.allSatisfy { thread in
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return true }
        return ["T", "Z", "X"].contains(stat[name...].dropFirst(2).first)
    }
}
