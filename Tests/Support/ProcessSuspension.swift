// Suspends processes. SIGSTOP alone is not enough: kill returns before the last thread has stopped.
import Foundation

/// Suspends these processes, runs `body` once all their threads have stopped, and resumes them.
nonisolated(nonsending) package func whileSuspended<T>(_ processes: [Int32], _ body: () async throws -> T) async throws
    -> T
{
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    try await eventually("all processes stop") { processes.allSatisfy(isStopped) }
    return try await body()
}

/// Whether each thread of the process has stopped; a process that has ended counts as stopped.
/// The state is the field after the name. The name is in parentheses and may contain parentheses (proc_pid_stat(5)).
private func isStopped(_ process: Int32) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.allSatisfy { thread in
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return true }
        return ["T", "Z", "X"].contains(stat[name...].dropFirst(2).first)
    }
}
