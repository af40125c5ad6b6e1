// Folders inside a module must not depend on each other in a cycle. SwiftPM and LayerTests check the modules.
// The check reads the sources: the types that each folder declares, and the names that it uses.
import Foundation
import Support
import Testing

@Suite("Folder dependencies")
struct FolderCycleTests {
    @Test("The folders inside each module of Sources have no dependency cycle")
    func noCycles() throws {
        let sources = "\(Repository.path)/Sources"
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources)
        var count = 0
        for module in modules {
            let folder = "\(sources)/\(module)"
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            let files = try paths.map {
                ("\(module)/\($0)", try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
            }
            #expect(Self.cycles(among: files) == [])
            count += files.count
        }
        #expect(count > 200)
    }

    @Test("The check finds a cycle of two or more folders, and ignores comments, strings and private types")
    func findsCycles() {
        let lower = ("Module/Low/Stone.swift", "package struct Stone {}\nprivate struct House {}\n")
        let upper = ("Module/High/House.swift", "// Roof\nstruct House { let stones: [Stone] }\n")
        let root = ("Module/Street.swift", "let street = \"Roof\" /* Roof */\nfunc build(_ house: House) {}\n")
        let tale = (
            "Module/Low/Tale.swift",
            "let text = \"\"\"\n    A House \"and\" a Roof\n    \"\"\"\nlet raw = #\"a \"House\"\"#\n"
        )
        #expect(Self.cycles(among: [lower, upper, root, tale]) == [])
        let back = ("Module/Low/Sand.swift", "enum Sand { case of(House) }\n")
        #expect(
            Self.cycles(among: [lower, upper, root, back]) == ["Module/High → Module/Low (Stone) → Module/High (House)"]
        )
        let roof = ("Module/Roof/Roof.swift", "typealias Roof = Stone\nfunc end(_: Street.Type) {}\n")
        let street = ("Module/Street.swift", "final class Street { var house: House? }\n")
        let cellar = ("Module/Low/Cellar.swift", "@frozen public indirect enum Cellar { case below(Roof) }\n")
        #expect(
            Self.cycles(among: [lower, upper, street, roof, cellar]) == [
                "Module → Module/High (House) → Module/Low (Stone) → Module/Roof (Roof) → Module (Street)",
                "Module/Low → Module/Roof (Roof) → Module/Low (Stone)",
            ])
    }

    /// The dependency cycles of folders, each once, with a type that causes each dependency.
    private static func cycles(among files: [(path: String, text: String)]) -> [String] {
        let parsed = files.map { file in
            let folder = String(file.path[..<(file.path.lastIndex(of: "/") ?? file.path.startIndex)])
            return (folder: folder, names: names(in: file.text))
        }
        var declaringFolders: [String: Set<String>] = [:]
        for file in parsed {
            for name in file.names.declared { declaringFolders[name, default: []].insert(file.folder) }
        }
        var uses: [String: [String: String]] = [:]
        for file in parsed {
            for name in file.names.used.sorted() {
                guard let folders = declaringFolders[name], folders.count == 1, let folder = folders.first,
                    folder != file.folder
                else { continue }
                if uses[file.folder]?[folder] == nil { uses[file.folder, default: [:]][folder] = name }
            }
        }
        var found: Set<Set<String>> = []
        return uses.keys.sorted().compactMap { folder in
            guard let cycle = shortestCycle(from: folder, in: uses), found.insert(Set(cycle)).inserted else {
                return nil
            }
            return zip(cycle, cycle.dropFirst()).reduce(folder) { "\($0) → \($1.1) (\(uses[$1.0]?[$1.1] ?? ""))" }
        }
    }

    /// The shortest path from a folder back to itself; nil if the folder is in no cycle.
    private static func shortestCycle(from start: String, in uses: [String: [String: String]]) -> [String]? {
        var paths = [[start]]
        var visited: Set<String> = []
        while !paths.isEmpty {
            let path = paths.removeFirst()
            for next in (uses[path.last ?? ""] ?? [:]).keys.sorted() {
                if next == start { return path + [next] }
                if visited.insert(next).inserted { paths.append(path + [next]) }
            }
        }
        return nil
    }

    /// The non-private types that a file declares, and the capitalised words in its code except its private types.
    private static func names(in text: String) -> (declared: Set<String>, used: Set<String>) {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var (declared, hidden, used): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for line in code(of: Array(text.utf8)).split(separator: newline) {
            let words = line.split { !isLetter($0) && !(0x30...0x39).contains($0) }.map {
                String(decoding: $0, as: UTF8.self)
            }
            used.formUnion(words.filter { $0.first?.isUppercase == true })
            guard line.first != UInt8(ascii: " "), let kind = words.firstIndex(where: kinds.contains),
                kind + 1 < words.count
            else {
                continue
            }
            let isHidden = words.contains { $0.hasSuffix("private") }
            if isHidden { hidden.insert(words[kind + 1]) } else { declared.insert(words[kind + 1]) }
        }
        return (declared, used.subtracting(hidden))
    }

    private static let newline = UInt8(ascii: "\n")

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    /// The code without comments and strings. Interpolated expressions count as strings.
    private static func code(of bytes: [UInt8]) -> [UInt8] {
        let ends: [(start: String, end: String, isKept: Bool)] = [
            ("//", "\n", true), ("/*", "*/", false), ("\"\"\"", "\"\"\"", false), ("#\"", "\"#", false),
            ("\"", "\"", false),
        ]
        let marks = ends.map { (start: Array($0.start.utf8), end: Array($0.end.utf8), isKept: $0.isKept) }
        var code: [UInt8] = []
        var index = 0
        func hasMark(_ mark: [UInt8]) -> Bool {
            index + mark.count <= bytes.count && bytes[index..<(index + mark.count)].elementsEqual(mark)
        }
        while index < bytes.count {
            guard [0x22, 0x23, 0x2F].contains(bytes[index]), let mark = marks.first(where: { hasMark($0.start) }) else {
                code.append(bytes[index])
                index += 1
                continue
            }
            index += mark.start.count
            while index < bytes.count, !hasMark(mark.end) { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
            if !mark.isKept { index += mark.end.count }
        }
        return code
    }
}
