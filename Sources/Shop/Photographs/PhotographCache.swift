// Caches photographs in memory. The cache also answers while the database is unreachable. The content of a photograph's
// URL never changes, so entries never expire.
import Database
import Ordering

/// One file of a photograph.
package struct PhotographFile: Sendable, Hashable {
    let digest: String
    let width: Int
    let format: PhotographFormat

    /// Names a file by the photograph's digest, the width and the format.
    package init(digest: String, width: Int, format: PhotographFormat) {
        (self.digest, self.width, self.format) = (digest, width, format)
    }
}

/// A least-recently-used cache of the responses for photographs.
package actor PhotographCache<Answer: Sendable> {
    private let load: @Sendable (PhotographFile) async throws -> [UInt8]?
    private let roomInBytes: Int
    private var held: [PhotographFile: (answer: Answer, size: Int, used: UInt64)] = [:]
    private var size = 0
    private var clock: UInt64 = 0
    /// The requests that wait for a load in progress.
    private var reading: [PhotographFile: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter byteLimit: The capacity. A restaurant's menu has 20 to 60 photographs, each of 0.5 to 1 MB in all
    ///   sizes together.
    package init(byteLimit: Int = 48 << 20, load: @escaping @Sendable (PhotographFile) async throws -> [UInt8]?) {
        (self.roomInBytes, self.load) = (byteLimit, load)
    }

    /// The response for a file; nil if the file does not exist.
    package func answer(_ file: PhotographFile, make: @Sendable ([UInt8]) -> Answer) async throws -> Answer? {
        while true {
            if let found = held[file] {
                clock += 1
                held[file]?.used = clock
                return found.answer
            }
            // Concurrent requests share one load. If it fails or is cancelled, the next request loads.
            guard reading[file] != nil else { break }
            await withCheckedContinuation { reading[file]?.append($0) }
        }
        reading[file] = []
        defer { for request in reading.removeValue(forKey: file) ?? [] { request.resume() } }
        guard let bytes = try await load(file) else { return nil }
        let answer = make(bytes)
        store(answer, bytes.count, as: file)
        return answer
    }

    private func store(_ answer: Answer, _ count: Int, as file: PhotographFile) {
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
    /// Makes a cache of photograph responses.
    package func photographCache<Answer: Sendable>(of _: Answer.Type) -> PhotographCache<Answer> {
        PhotographCache { file in
            try await ShopFault.wrapping { () throws(DatabaseFault) in
                try await self.loadPhotograph(file.digest, width: file.width, format: file.format)
            }
        }
    }
}
