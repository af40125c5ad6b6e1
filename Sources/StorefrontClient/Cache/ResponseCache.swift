// The response cache with ETags (RFC 9110, section 13.1.2). The number of entries and their size are limited; the least
// recently used entry is evicted first. AsyncHTTPClient has no cache.
import Synchronization

/// A response, and the time at which the server last confirmed it.
struct CachedResponse: Sendable, Equatable {
    let tag: String
    let body: [UInt8]
    /// Seconds since 1970.
    let confirmedAt: Int64
}

/// Responses by path and token.
final class ResponseCache: Sendable {
    struct Key: Hashable, Sendable {
        let path: String
        /// The order token, because its holder gets more data.
        var token: String?
    }

    private struct Entry {
        var answer: CachedResponse
        var lastUse: Int64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var useCount: Int64 = 0
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int, byteLimit: Int) { (self.countLimit, self.byteLimit) = (countLimit, byteLimit) }

    subscript(key: Key) -> CachedResponse? {
        state.withLock { state in
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return state.entries[key]?.answer
        }
    }

    /// Stores a response and replaces the previous one of the key.
    func store(_ answer: CachedResponse, for key: Key) {
        state.withLock { state in
            remove(key, &state)
            guard answer.body.count <= byteLimit, countLimit > 0 else { return }
            while state.entries.count >= countLimit || state.byteCount + answer.body.count > byteLimit,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                remove(oldest, &state)
            }
            state.useCount += 1
            state.entries[key] = Entry(answer: answer, lastUse: state.useCount)
            state.byteCount += answer.body.count
        }
    }

    /// All entries, the most recently used one last.
    var entries: [(key: Key, answer: CachedResponse)] {
        state.withLock { state in
            state.entries.sorted { $0.value.lastUse < $1.value.lastUse }.map { ($0.key, $0.value.answer) }
        }
    }

    var size: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.byteCount) } }

    private func remove(_ key: Key, _ state: inout State) {
        if let entry = state.entries.removeValue(forKey: key) { state.byteCount -= entry.answer.body.count }
    }
}
