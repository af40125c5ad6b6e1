// What waits in a queue, what is under way and which worker is woken for what: all that BatchQueue's lock guards.
// Used by BatchQueue alone, which resumes and answers outside of the lock.
import DequeModule

extension BatchQueue {
    struct State {
        var waiting: Deque<Entry> = []
        /// Workers that have nothing to do.
        var idle: [IdleWorker] = []
        /// Of the batches under way.
        var subjects: Set<Job.Subject> = []
        /// The batch of each worker.
        var underWay: [[Entry]]
        /// Jobs that wait for a row.
        var blocked = BlockedJobs<Entry>()
        var isClosed = false

        /// Takes the oldest jobs whose subject is in no other batch and which lie in one shard, if they are worth a batch: beside another one
        /// it should be half as large at least. Otherwise the first answer that a client follows up would take a batch for itself, and all others would wait for it.
        mutating func takeBatch(for worker: Int, atMost limit: Int, ofAnySize: Bool = false) -> [Entry] {
            let others = underWay.reduce(0) { $0 + $1.count }
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
            underWay[worker] = batch
            return batch
        }

        /// Gives what waits to a worker that has nothing to do, if it is worth a batch.
        mutating func wakeWorker(atMost limit: Int, ofAnySize: Bool = false) -> Wake {
            guard let last = idle.last else { return .nobody }
            let batch = takeBatch(for: last.worker, atMost: limit, ofAnySize: ofAnySize)
            if batch.isEmpty { return .nobody }
            idle.removeLast()
            return .worker(last.continuation, batch)
        }

        /// The same for as many workers as there is work for.
        mutating func wakeWorkers(atMost limit: Int, ofAnySize: Bool = false) -> [Wake] {
            var wakes: [Wake] = []
            while case let wake = wakeWorker(atMost: limit, ofAnySize: ofAnySize), case .worker = wake { wakes.append(wake) }
            return wakes
        }
    }

    /// A worker that waits for a batch, or for nil: the end.
    struct IdleWorker {
        let worker: Int
        let continuation: CheckedContinuation<[Entry]?, Never>
    }

    /// What the lock is left with: somebody to wake.
    enum Wake {
        case nobody
        case submitter(ShopFault)
        case worker(CheckedContinuation<[Entry]?, Never>, [Entry]?)

        func callAsFunction(_ submitter: Waiter? = nil) {
            switch self {
            case .nobody: break
            case .submitter(let fault): submitter?.answer(.failure(fault))
            case .worker(let continuation, let batch): continuation.resume(returning: batch)
            }
        }
    }
}
