// The photographs that guests look at: read once from the database, then held in memory, as many as have room. Asked by Web's PhotographRoutes.
// What is held is served while the database is away; an address means the same bytes for ever, so nothing held grows old.
import Database
import Ordering

/// One file of a photograph.
package struct PhotographFile: Sendable, Hashable {
    let digest: String
    let width: Int
    let format: PhotographFormat

    package init(digest: String, width: Int, format: PhotographFormat) { (self.digest, self.width, self.format) = (digest, width, format) }
}

/// Holds the answers that Web makes of files.
package actor ShownPhotographs<Answer: Sendable> {
    private let load: @Sendable (PhotographFile) async throws -> [UInt8]?
    private let roomInBytes: Int
    private var held: [PhotographFile: (answer: Answer, size: Int, used: UInt64)] = [:]
    private var size = 0
    private var clock: UInt64 = 0
    /// Those who wait for a file that somebody reads already.
    private var reading: [PhotographFile: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter roomInBytes: The menu of a restaurant has 20 to 60 photographs of 0.5 to 1 MB in all their sizes.
    package init(roomInBytes: Int = 48 << 20, load: @escaping @Sendable (PhotographFile) async throws -> [UInt8]?) {
        (self.roomInBytes, self.load) = (roomInBytes, load)
    }

    /// The answer for a file; nil where there is no such file.
    package func answer(_ file: PhotographFile, make: @Sendable ([UInt8]) -> Answer) async throws -> Answer? {
        while true {
            if let found = held[file] {
                clock += 1
                held[file]?.used = clock
                return found.answer
            }
            // A crowd that comes at once reads it once. Who reads it may fail or go away: then the next one does.
            guard reading[file] != nil else { break }
            await withCheckedContinuation { reading[file]?.append($0) }
        }
        reading[file] = []
        defer { for one in reading.removeValue(forKey: file) ?? [] { one.resume() } }
        guard let bytes = try await load(file) else { return nil }
        let answer = make(bytes)
        keep(answer, bytes.count, as: file)
        return answer
    }

    private func keep(_ answer: Answer, _ count: Int, as file: PhotographFile) {
        guard count <= roomInBytes / 4 else { return }
        clock += 1
        held[file] = (answer, count, clock)
        size += count
        while size > roomInBytes, let oldest = held.min(by: { $0.value.used < $1.value.used }) {
            held[oldest.key] = nil
            size -= oldest.value.size
        }
    }
}

extension RunningShop {
    /// A memory of what guests look at.
    package func shownPhotographs<Answer: Sendable>(of _: Answer.Type) -> ShownPhotographs<Answer> {
        ShownPhotographs { file in
            try await ShopFault.of { () throws(DatabaseFault) in
                try await self.loadPhotograph(file.digest, width: file.width, format: file.format)
            }
        }
    }
}
