// Runs the task of a test on a thread of its own.

import Dispatch

/// Runs the jobs of a task one after the other on its own dispatch queue.
///
/// All tests share the few threads of the concurrency runtime. Calculations of other tests can occupy these threads
/// for longer than a server waits for a client.
package final class DispatchQueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "client of a test")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Sleeps without the shared threads. `Task.sleep` needs one of them to wake up.
    package func sleep(for duration: Duration) async {
        let nanoseconds = Int(duration / .nanoseconds(1))
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
        }
    }
}
