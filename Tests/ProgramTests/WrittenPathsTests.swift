// What is written about the code names files: in the README, and in the documentation of the libraries. Each of them has to be there.
import Foundation
import Support
import Testing

@Suite("What is written about the code")
struct WrittenPathsTests {
    static func documents() throws -> [String] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/Sources")
        return ["README.md"] + sources.filter { $0.hasSuffix(".md") }.map { "Sources/\($0)" }
    }

    @Test("Every file that the README and the documentation name exists", arguments: try documents())
    func paths(document: String) throws {
        for path in Self.paths(in: try Repository.text(of: document)) {
            #expect(Repository.holds(path), "\(document) names \(path)")
        }
    }

    @Test("The ways through the code are told with files, and a name that is gone would be seen")
    func count() throws {
        #expect(Self.paths(in: try Repository.text(of: "Sources/welms/welms.docc/TheWayOfACheckout.md")).count >= 12)
        #expect(Self.paths(in: "See `Sources/Wire/None.swift`, `a b`, `sql/` and ``Wire/Page``.") == ["Sources/Wire/None.swift", "sql/"])
        #expect(!Repository.holds("Sources/Wire/None.swift"))
    }

    /// What stands in code voice and begins with one of the repository's folders.
    static func paths(in text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, part in
            let isPath = ["Sources/", "Tests/", "sql/", "seed/"].contains { part.hasPrefix($0) }
            return isPath && index % 2 == 1 && !part.contains { $0.isWhitespace || $0 == "*" } ? String(part) : nil
        }
    }
}
