// The cached menu as a file, for a storefront that starts while the server is unreachable. The file is replaced
// atomically. An unreadable or too large file, or one of another server or language, counts as missing.
import FoundationEssentials
import Logging
import NIOPosix
import Synchronization

/// The cached menu responses on disk.
final class MenuFile: Sendable {
    /// The JSON content of the file.
    private struct Contents: Codable {
        struct Answer: Codable {
            let path: String
            let tag: String
            let body: String
            let confirmedAt: Int64
        }

        /// The version of the format. A file with another version is ignored.
        var version = 1
        let server: String
        var languages: String?
        let answers: [Answer]
    }

    /// An unchanged menu is saved at most once in this time, to update the time of its confirmation.
    private static let secondsBetweenConfirmations: Int64 = 60

    private let path: String
    private let server: String
    private let languages: String?
    private let byteLimit: Int
    private let logger: Logger
    /// The last saved responses by path.
    private let savedResponses = Mutex([String: CachedResponse]())

    init(path: String, server: String, languages: String?, byteLimit: Int, logger: Logger) {
        (self.path, self.server, self.languages, self.byteLimit, self.logger) = (
            path, server, languages, byteLimit, logger
        )
    }

    func load() async -> [(key: ResponseCache.Key, answer: CachedResponse)] {
        await run([]) { [self] in
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            guard let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int,
                size <= byteLimit * 2
            else { return [] }
            let contents = try JSONDecoder().decode(Contents.self, from: try Data(contentsOf: URL(filePath: path)))
            guard contents.version == 1, contents.server == server, contents.languages == languages else { return [] }
            let now = Int64(Date.now.timeIntervalSince1970)
            return contents.answers.map {
                // If the system clock was set back, the confirmation must not be in the future.
                (
                    .init(path: $0.path),
                    .init(tag: $0.tag, body: Array($0.body.utf8), confirmedAt: min($0.confirmedAt, now))
                )
            }
        }
    }

    /// Saves the cached menu if it differs enough from the file.
    func save(_ rememberedMenu: ResponseCache) async {
        await run(()) { [self] in
            // Reads the cache inside the lock, so that the last writer saves the newest menu.
            try savedResponses.withLock { saved in
                let menu = rememberedMenu.entries
                guard menu.contains(where: { needsSaving($0.answer, after: saved[$0.key.path]) }) else { return }
                let answers = menu.map { key, answer in
                    Contents.Answer(
                        path: key.path, tag: answer.tag, body: String(decoding: answer.body, as: UTF8.self),
                        confirmedAt: answer.confirmedAt
                    )
                }
                try JSONEncoder().encode(Contents(server: server, languages: languages, answers: answers)).write(
                    to: URL(filePath: path), options: .atomic)
                saved = Dictionary(menu.map { ($0.key.path, $0.answer) }) { _, last in last }
            }
        }
    }

    private func needsSaving(_ answer: CachedResponse, after saved: CachedResponse?) -> Bool {
        guard let saved, saved.tag == answer.tag else { return true }
        return answer.confirmedAt - saved.confirmedAt >= Self.secondsBetweenConfirmations
    }

    /// Runs blocking file access on a thread pool. The menu works without a file, so errors are only logged.
    private func run<Value: Sendable>(_ fallback: Value, _ body: @escaping @Sendable () throws -> Value) async -> Value
    {
        do {
            return try await NIOThreadPool.singleton.runIfActive(body)
        } catch {
            logger.warning(
                "The menu file can't be read or written", metadata: ["path": "\(path)", "error": "\(error)"])
            return fallback
        }
    }
}
