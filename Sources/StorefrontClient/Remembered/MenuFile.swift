// The last good menu in a file, for a storefront that starts while the server is away. One file, replaced as a whole: whoever reads it, and
// whenever the machine stops, finds an old one or a new one. A file that can't be read, is another server's, in other languages or too large counts as none.
// Read when a client is made, written when the menu was read. Read next: RememberedAnswers.swift.
import FoundationEssentials
import Logging
import NIOPosix
import Synchronization

/// The menu's answers on disk.
final class MenuFile: Sendable {
    /// What stands in the file, as JSON.
    private struct Contents: Codable {
        struct Answer: Codable {
            let path: String
            let tag: String
            let body: String
            let confirmedAt: Int64
        }

        /// Another number is another file.
        var version = 1
        let server: String
        var languages: String?
        let answers: [Answer]
    }

    /// An unchanged menu is written once in so many seconds, for the time at which it was confirmed.
    private static let secondsBetweenConfirmations: Int64 = 60

    private let path: String
    private let server: String
    private let languages: String?
    private let byteLimit: Int
    private let logger: Logger
    /// What the file holds, as far as this client knows.
    private let written = Mutex([String: RememberedAnswer]())

    init(path: String, server: String, languages: String?, byteLimit: Int, logger: Logger) {
        (self.path, self.server, self.languages, self.byteLimit, self.logger) = (path, server, languages, byteLimit, logger)
    }

    func load() async -> [(key: RememberedAnswers.Key, answer: RememberedAnswer)] {
        await run([]) { [self] in
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            guard let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= byteLimit * 2 else { return [] }
            let contents = try JSONDecoder().decode(Contents.self, from: try Data(contentsOf: URL(filePath: path)))
            guard contents.version == 1, contents.server == server, contents.languages == languages else { return [] }
            let now = Int64(Date.now.timeIntervalSince1970)
            return contents.answers.map {
                // A clock that was set back must not make a menu of the future.
                (.init(path: $0.path), .init(tag: $0.tag, body: Array($0.body.utf8), confirmedAt: min($0.confirmedAt, now)))
            }
        }
    }

    /// Writes what is remembered of the menu, if it is worth it.
    func save(_ rememberedMenu: RememberedAnswers) async {
        await run(()) { [self] in
            // Looked at inside the lock, so that the last one to write writes the newest.
            try written.withLock { written in
                let menu = rememberedMenu.all
                guard menu.contains(where: { isNews($0.answer, after: written[$0.key.path]) }) else { return }
                let answers = menu.map { key, answer in
                    Contents.Answer(
                        path: key.path, tag: answer.tag, body: String(decoding: answer.body, as: UTF8.self), confirmedAt: answer.confirmedAt
                    )
                }
                try JSONEncoder().encode(Contents(server: server, languages: languages, answers: answers)).write(
                    to: URL(filePath: path), options: .atomic)
                written = Dictionary(menu.map { ($0.key.path, $0.answer) }) { _, last in last }
            }
        }
    }

    private func isNews(_ answer: RememberedAnswer, after written: RememberedAnswer?) -> Bool {
        guard let written, written.tag == answer.tag else { return true }
        return answer.confirmedAt - written.confirmedAt >= Self.secondsBetweenConfirmations
    }

    /// Runs on a thread that may wait for the disk. A menu without a file is still a menu: what fails is logged.
    private func run<Value: Sendable>(_ instead: Value, _ body: @escaping @Sendable () throws -> Value) async -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive(body)
        } catch {
            logger.warning("The menu's file is of no use", metadata: ["path": "\(path)", "error": "\(error)"])
            return instead
        }
    }
}
