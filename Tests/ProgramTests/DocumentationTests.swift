// The README and the articles: every file, suite, test, command and link that they name exists.
import Foundation
import Support
import Testing

@Suite("README and documentation")
struct DocumentationTests {
    static let articles = "Sources/welms/welms.docc"

    static func documents() throws -> [String] {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/Sources")
        return ["README.md"] + sources.filter { $0.hasSuffix(".md") }.map { "Sources/\($0)" }
    }

    @Test("Every file that the README and the documentation name exists", arguments: try documents())
    func paths(document: String) throws {
        for path in Self.paths(in: try Repository.text(of: document)) {
            #expect(Repository.contains(path), "\(document) names \(path)")
        }
    }

    @Test("CheckoutStepByStep names at least 12 files, ChangingIt at least 40, and the check finds a missing file")
    func count() throws {
        #expect(Self.paths(in: try Repository.text(of: "\(Self.articles)/CheckoutStepByStep.md")).count >= 12)
        #expect(Self.paths(in: try Repository.text(of: "\(Self.articles)/ChangingIt.md")).count >= 40)
        #expect(
            Self.paths(in: "See `Sources/Wire/None.swift`, `a b`, `sql/` and ``Wire/Page``.") == [
                "Sources/Wire/None.swift", "sql/",
            ])
        #expect(!Repository.contains("Sources/Wire/None.swift"))
    }

    @Test("Every suite, test, command and file name in the README and the documentation exists")
    func shown() throws {
        let all = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/Tests").filter {
            $0.hasSuffix(".swift") || $0.hasSuffix(".py")
        }
        let tests = try all.map { try Repository.text(of: "Tests/\($0)") }.joined(separator: "\n")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/Sources")
        let commands = try sources.filter { $0.hasPrefix("welms/") && $0.hasSuffix(".swift") }.map {
            try Repository.text(of: "Sources/\($0)")
        }.joined()
        let makefile = try Repository.text(of: "Makefile").split(separator: "\n").filter {
            !$0.hasPrefix("\t") && $0.contains(":")
        }
        let targets = Set(makefile.flatMap { $0.prefix { $0 != ":" }.split(separator: " ").map(String.init) })
        var counts: [String: Int] = [:]
        for document in try Self.documents() {
            for name in Self.codeVoice(in: try Repository.text(of: document)) {
                let words = name.split(separator: " ").map(String.init)
                if words.first == "make", words.count > 1 {
                    #expect(targets.contains(words[1]), "\(document): \(name)")
                    counts["make", default: 0] += 1
                } else if words.first == "welms", words.count > 1 {
                    #expect(commands.contains("commandName: \"\(words[1])\""), "\(document): \(name)")
                    counts["welms", default: 0] += 1
                } else if words.count == 1, name.hasSuffix("Tests"), name != "Tests", !name.contains("/") {
                    #expect(tests.contains("struct \(name) {"), "\(document): \(name)")
                    counts["suite", default: 0] += 1
                } else if words.count == 1, name.hasPrefix("test_"), name != "test_" {
                    #expect(tests.contains("def \(name)("), "\(document): \(name)")
                    counts["test", default: 0] += 1
                } else if words.count == 1, name.hasSuffix(".swift"), !name.contains("/") {
                    #expect(sources.contains { $0.hasSuffix("/\(name)") }, "\(document): \(name)")
                }
            }
        }
        #expect(
            counts["make", default: 0] > 8 && counts["welms", default: 0] > 2 && counts["suite", default: 0] > 60
                && counts["test", default: 0] > 30)
    }

    @Test("FeaturesAndTests.md names the folder of each suite that it mentions")
    func folders() throws {
        func suites(in text: String) -> Set<String> {
            let names = Self.codeVoice(in: text).filter { $0.hasSuffix("Tests") && $0 != "Tests" }
            return Set(names.filter { !$0.contains(" ") && !$0.contains("/") })
        }
        let article = try Repository.text(of: "\(Self.articles)/FeaturesAndTests.md")
        let parts = article.components(separatedBy: "\n## Folders of the suites\n")
        try #require(parts.count == 2)
        var listed: Set<String> = []
        for row in parts[1].split(separator: "\n").map(String.init) where row.hasPrefix("| `Tests/") {
            let folder = try #require(Self.paths(in: row).first)
            let files = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/\(folder)")
            let tests = try files.filter { $0.hasSuffix(".swift") }.map { try Repository.text(of: "\(folder)/\($0)") }
                .joined(separator: "\n")
            for suite in suites(in: row) { #expect(tests.contains("struct \(suite) {"), "\(folder): \(suite)") }
            listed.formUnion(suites(in: row))
        }
        #expect(listed == suites(in: parts[0]))
    }

    @Test("The README has at most 12,000 bytes")
    func length() throws {
        #expect(try Repository.text(of: "README.md").utf8.count <= 12_000)
    }

    @Test("The README's links lead to existing files, and the README and the first article link every article")
    func links() throws {
        let links = Self.links(in: try Repository.text(of: "README.md"))
        for link in links where !link.hasPrefix("https://") {
            #expect(Repository.contains(link), "\(link)")
        }
        let first = try Repository.text(of: "\(Self.articles)/Welms.md")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/\(Self.articles)").filter {
            $0.hasSuffix(".md") && $0 != "Welms.md"
        }
        for name in names {
            #expect(links.contains("\(Self.articles)/\(name)"), "\(name)")
            #expect(first.contains("- <doc:\(name.dropLast(3))>"), "\(name)")
        }
        #expect(names.count >= 11)
    }

    @Test("Every picture in the README and the documentation exists and is smaller than 200 kB")
    func pictures() throws {
        var count = 0
        for document in try Self.documents() {
            let folder = document.lastIndex(of: "/").map { document[...$0] } ?? ""
            let pictures = try Repository.text(of: document).split { "\"()".contains($0) }.filter {
                $0.hasSuffix(".png") || $0.hasSuffix(".svg")
            }
            for picture in pictures {
                let path = "\(Repository.path)/\(folder)\(picture)"
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                #expect(size ?? .max < 200_000, "\(document): \(picture)")
                count += 1
            }
        }
        #expect(count >= 4)
    }

    /// The targets of a text's links.
    static func links(in text: String) -> [String] {
        text.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
    }

    /// The texts in single backticks, without those in code blocks.
    static func codeVoice(in text: String) -> [String] {
        let prose = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            .joined()
        return prose.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map {
                String($0.element)
            }
    }

    /// The texts in single backticks that begin with one of the repository's folders.
    static func paths(in text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, part in
            let isPath = ["Sources/", "Tests/", "sql/", "seed/"].contains { part.hasPrefix($0) }
            return isPath && index % 2 == 1 && !part.contains { $0.isWhitespace || $0 == "*" } ? String(part) : nil
        }
    }
}
