// The article about the data model, and its diagram, show every table of the schema.
import Foundation
import Subprocess
import Support
import Testing

@Suite("The data model's article")
struct DataModelTests {
    static let article = "\(DocumentationTests.articles)/DataModel.md"

    @Test("The article has one row for each table, with the file that creates it")
    func tables() throws {
        let rows = try Repository.text(of: Self.article).split(separator: "\n").filter { $0.hasPrefix("| `") }
        var names: [String] = []
        for row in rows {
            let words = DocumentationTests.codeVoice(in: String(row))
            let name = try #require(words.first)
            let file = try #require(DocumentationTests.paths(in: String(row)).last, "\(name) has no file")
            let text = try Repository.text(of: file)
            #expect(
                text.contains("create table \(name) ") || text.contains("create table if not exists \(name) "),
                "\(file) does not create \(name)")
            names.append(name)
        }
        let folder = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/sql")
        let lines = try folder.filter { $0.hasSuffix(".sql") }.flatMap { name in
            try Repository.text(of: "sql/\(name)").split(separator: "\n")
        }
        let created = lines.filter { $0.hasPrefix("create table ") }.compactMap { line in
            line.split(separator: " ").dropFirst(2).first.map(String.init)
        }
        #expect(names.sorted() == (created + ["schema_migrations"]).sorted())
        #expect(names.count > 30)
    }

    @Test("The committed diagram is the one that its script draws, and shows every table")
    func diagram() async throws {
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: ["-B", "\(Repository.path)/Tests/Tools/Docs/data_model.py", "--check"],
            output: .discarded, error: .string(limit: 1 << 16))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        #expect(try Repository.text(of: Self.article).contains("](data-model.svg)"))
    }
}
