// The state of BatchQueue: waiting jobs, batches in progress and idle workers. Guarded by the queue's lock;
// continuations are resumed outside of it.
import DequeModule

extension BatchQueue {
    struct State {
        var waiting: Deque<Entry> = []
        /// The workers without a batch.
        var idle: [IdleWorker] = []
        /// The subjects of the batches in progress.
        var subjects: Set<Job.Subject> = []
        /// The running batch of each worker; empty while the worker is idle.
        var batchesInProgress: [[Entry]]
        /// The jobs that wait for a locked row.
        var blocked = BlockedJobs<Entry>()
        /// How long the last successful batch took.
        var lastDuration = Duration.zero
        var isClosed = false

        /// Takes the oldest jobs of one shard whose subjects are in no other batch. Takes none while fewer jobs wait
        /// than half of those in the running batches, because later jobs would wait for a small batch.
        mutating func takeBatch(for worker: Int, atMost limit: Int, ofAnySize: Bool = false) -> [Entry] {
            let others = batchesInProgress.reduce(0) { $0 + $1.count }
            guard ofAnySize || 2 * waiting.count >= min(others, limit) else { return [] }
            var batch: [Entry] = []
            var skipped: [Entry] = []
            while batch.count < limit, let entry = waiting.popFirst() {
                if subjects.contains(entry.job.subject) || batch.first.map({ $0.shard != entry.shard }) ?? false {
                    skipped.append(entry)
                } else {
                    batch.append(entry)
                }
            }
            if !skipped.isEmpty { waiting.prepend(contentsOf: skipped) }
            for entry in batch { subjects.insert(entry.job.subject) }
            batchesInProgress[worker] = batch
            return batch
        }

        /// Gives a batch to one idle worker, unless too few jobs wait.
        mutating func wakeWorker(atMost limit: Int, ofAnySize: Bool = false) -> Wake {
            guard let last = idle.last else { return .nothing }
            let batch = takeBatch(for: last.worker, atMost: limit, ofAnySize: ofAnySize)
            if batch.isEmpty { return .nothing }
            idle.removeLast()
            return .worker(last.continuation, batch)
        }

        /// Gives batches to idle workers until no worker is idle or too few jobs wait.
        mutating func wakeWorkers(atMost limit: Int, ofAnySize: Bool = false) -> [Wake] {
            var wakes: [Wake] = []
            while case let wake = wakeWorker(atMost: limit, ofAnySize: ofAnySize), case .worker = wake {
                wakes.append(wake)
            }
            return wakes
        }
    }

    /// A worker that waits for a batch. Resuming its continuation with nil ends the worker.
    struct IdleWorker {
        let worker: Int
        let continuation: CheckedContinuation<[Entry]?, Never>
    }

    /// The continuation to resume after the lock is released.
    enum Wake {
        case nothing
        case submitter(ShopFault)
        case worker(CheckedContinuation<[Entry]?, Never>, [Entry]?)

        func callAsFunction(_ submitter: Waiter? = nil) {
            switch self {
            case .nothing: break
            case .submitter(let fault): submitter?.answer(.failure(fault))
            case .worker(let continuation, let batch): continuation.resume(returning: batch)
            }
        }
    }
}
