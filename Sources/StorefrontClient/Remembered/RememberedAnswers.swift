// What was read last from each path, with its ETag: what is unchanged is not sent again (RFC 9110, section 13.1.2), and the menu can be
// shown while the server is away. Bounded in number and bytes; the one that was asked for longest ago goes first.
// Asked by Exchange/Reading.swift and Menu/MenuReading.swift. Read next: MenuFile.swift, which keeps the menu's over a restart.
import Synchronization

/// An answer, and when the server last said that it holds.
struct RememberedAnswer: Sendable, Equatable {
    let tag: String
    let body: [UInt8]
    /// Seconds since 1970.
    let confirmedAt: Int64
}

/// The answers by path and token.
final class RememberedAnswers: Sendable {
    struct Key: Hashable, Sendable {
        let path: String
        /// The holder of an order's access token is shown more than others.
        var token: String?
    }

    private struct Entry {
        var answer: RememberedAnswer
        var used: Int64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var uses: Int64 = 0
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int, byteLimit: Int) { (self.countLimit, self.byteLimit) = (countLimit, byteLimit) }

    subscript(key: Key) -> RememberedAnswer? {
        state.withLock { state in
            state.uses += 1
            state.entries[key]?.used = state.uses
            return state.entries[key]?.answer
        }
    }

    /// Remembers an answer instead of the one before.
    func keep(_ answer: RememberedAnswer, as key: Key) {
        state.withLock { state in
            forget(key, &state)
            guard answer.body.count <= byteLimit, countLimit > 0 else { return }
            while state.entries.count >= countLimit || state.byteCount + answer.body.count > byteLimit,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key
            {
                forget(oldest, &state)
            }
            state.uses += 1
            state.entries[key] = Entry(answer: answer, used: state.uses)
            state.byteCount += answer.body.count
        }
    }

    /// All of them, the ones asked for last at the end.
    var all: [(key: Key, answer: RememberedAnswer)] {
        state.withLock { state in state.entries.sorted { $0.value.used < $1.value.used }.map { ($0.key, $0.value.answer) } }
    }

    var size: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.byteCount) } }

    private func forget(_ key: Key, _ state: inout State) {
        if let entry = state.entries.removeValue(forKey: key) { state.byteCount -= entry.answer.body.count }
    }
}
