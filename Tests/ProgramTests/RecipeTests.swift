// The recipes of ChangingIt.md list every file of Sources and sql that their examples touch.
import Foundation
import Support
import Testing

@Suite("Recipes for changes")
struct RecipeTests {
    /// A recipe of the article.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let title: String
        /// The identifiers of the example. A file belongs to the example if it contains one of them.
        let identifiers: Set<String>
        /// The files of the numbered steps.
        let files: Set<String>
        /// The files and folders whose difference the recipe explains. A folder ends with a slash.
        let exceptions: [String]

        var testDescription: String { title }
    }

    /// The file types that are searched.
    static let suffixes = [".swift", ".sql", ".js", ".json", ".css", ".html"]

    /// The identifiers of each file of Sources and sql, without comments and articles.
    static let identifiers: Result<[String: Set<String>], any Error> = Result {
        var found: [String: Set<String>] = [:]
        for folder in ["Sources", "sql"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/\(folder)") {
                guard suffixes.contains(where: name.hasSuffix), !name.contains(".docc/") else { continue }
                let path = "\(folder)/\(name)"
                found[path] = words(in: try Repository.text(of: path), isSQL: folder == "sql")
            }
        }
        return found
    }

    static func recipes() throws -> [Recipe] {
        recipes(in: try Repository.text(of: "\(DocumentationTests.articles)/ChangingIt.md"))
    }

    @Test("A recipe lists each file that contains its example, or explains the difference", arguments: try recipes())
    func files(recipe: Recipe) throws {
        #expect(!recipe.identifiers.isEmpty && recipe.files.count >= 5)
        #expect(Self.faults(of: recipe, in: try Self.identifiers.get()) == [])
    }

    @Test("ChangingIt.md has seven recipes, and their examples are searched in all sources")
    func count() throws {
        #expect(try Self.recipes().count == 7)
        #expect(try Self.identifiers.get().count > 400)
    }

    @Test("A missing file, an unrelated file and an unnecessary exception are reported")
    func reported() throws {
        let article = """
            # Changing the code

            ### A colour

            Example: `red`, `dark_red`, for `GET /colours`.

            1. `Sources/A.swift` and `sql/b.sql`, with a method in `Sources/Shop`.

            Depending on the change:

            - `Sources/E.swift` changes only for a new shade.

            Exceptions:

            - `Sources/C/` and `Sources/D.swift` use the word for other things.
            """
        let recipe = try #require(Self.recipes(in: article).first)
        #expect(recipe.title == "A colour" && recipe.identifiers == ["red", "dark_red"])
        #expect(recipe.files == ["Sources/A.swift", "sql/b.sql"])
        #expect(recipe.exceptions == ["Sources/C/", "Sources/D.swift"])
        var files: [String: Set<String>] = [
            "Sources/A.swift": ["red"], "sql/b.sql": ["dark_red"], "Sources/C/C.swift": ["red"],
            "Sources/D.swift": ["red"], "Sources/E.swift": ["blue"],
        ]
        #expect(Self.faults(of: recipe, in: files) == [])
        files["Sources/F.swift"] = ["red"]
        files["sql/b.sql"] = []
        files["Sources/D.swift"] = []
        #expect(
            Self.faults(of: recipe, in: files) == [
                "Sources/F.swift contains the example and is not listed",
                "sql/b.sql is listed and does not contain the example",
                "Sources/D.swift needs no exception",
            ])
    }

    @Test("The search ignores the words of comments")
    func comments() {
        let swift = "/// Red.\nlet red = blue // green\n  // yellow\n/** A black\n * white */\n\"https://grey\""
        #expect(Self.words(in: swift, isSQL: false) == ["let", "red", "blue", "https", "grey"])
        #expect(Self.words(in: "-- Red.\nselect dark_red -- blue\n", isSQL: true) == ["select", "dark_red"])
    }

    /// Reads the recipes of an article: the sections of the third level that have a line with an example.
    private static func recipes(in article: String) -> [Recipe] {
        article.components(separatedBy: "\n### ").dropFirst().compactMap { section in
            let lines = section.split(separator: "\n").map(String.init)
            guard let title = lines.first,
                let example = lines.first(where: { $0.hasPrefix("Example: ") })
            else { return nil }
            let parts = section.components(separatedBy: "\nExceptions:\n")
            let steps = parts[0].components(separatedBy: "\nDepending on the change:\n")[0]
            let identifiers = DocumentationTests.codeVoice(in: example).filter {
                $0.utf8.allSatisfy(isPartOfIdentifier)
            }
            return Recipe(
                title: title,
                identifiers: Set(identifiers),
                files: Set(sources(in: steps).filter { suffixes.contains(where: $0.hasSuffix) }),
                exceptions: sources(in: parts.dropFirst().joined()))
        }
    }

    /// The differences that a recipe does not explain, and its unnecessary exceptions.
    private static func faults(of recipe: Recipe, in identifiers: [String: Set<String>]) -> [String] {
        let matches = Set(identifiers.filter { !$0.value.isDisjoint(with: recipe.identifiers) }.keys)
        let differences = matches.symmetricDifference(recipe.files)
        func explains(_ exception: String, _ file: String) -> Bool {
            file == exception || exception.hasSuffix("/") && file.hasPrefix(exception)
        }
        let unexplained = differences.filter { file in !recipe.exceptions.contains { explains($0, file) } }
        let unnecessary = recipe.exceptions.filter { exception in !differences.contains { explains(exception, $0) } }
        let listing = unexplained.sorted().map { file in
            matches.contains(file)
                ? "\(file) contains the example and is not listed"
                : "\(file) is listed and does not contain the example"
        }
        return listing + unnecessary.sorted().map { "\($0) needs no exception" }
    }

    /// The paths of Sources and sql in a text.
    private static func sources(in text: String) -> [String] {
        DocumentationTests.paths(in: text).filter { $0.hasPrefix("Sources/") || $0.hasPrefix("sql/") }
    }

    /// The identifiers and other words of a text, outside of comments.
    private static func words(in text: String, isSQL: Bool) -> Set<String> {
        let starts = isSQL ? ["--"] : ["//", "/*", "* "]
        let code = text.split(separator: "\n").filter { line in
            let trimmed = line.drop { $0 == " " }
            return !starts.contains { trimmed.hasPrefix($0) }
        }
        let lines = code.map { line in line.range(of: isSQL ? " -- " : " // ").map { line[..<$0.lowerBound] } ?? line }
        return Set(
            lines.flatMap { line in
                line.utf8.split { !isPartOfIdentifier($0) }.map { String(decoding: $0, as: UTF8.self) }
            })
    }

    private static func isPartOfIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
