// Inside a room the folders have an order: none uses one that uses it back, be it over others. Read from the sources themselves: the types
// that each folder declares, and where their names stand. Between rooms SwiftPM sees to it, and RoomTests.
import Foundation
import Support
import Testing

@Suite("What the app does, 9: no folder reaches back")
struct FolderTests {
    @Test("What the app does, 9: no folder of Sources uses one that uses it back")
    func noCircles() throws {
        let sources = "\(Repository.path)/Sources"
        let rooms = try FileManager.default.contentsOfDirectory(atPath: sources)
        var count = 0
        for room in rooms {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(sources)/\(room)").filter { $0.hasSuffix(".swift") }
            let files = try paths.map { ("\(room)/\($0)", try String(contentsOfFile: "\(sources)/\(room)/\($0)", encoding: .utf8)) }
            #expect(Self.circles(among: files) == [])
            count += files.count
        }
        #expect(count > 200)
    }

    @Test("What the app does, 9: a circle is seen and named, also over a third folder; comments, texts and private types are no use")
    func seen() {
        let lower = ("Room/Low/Stone.swift", "package struct Stone {}\nprivate struct House {}\n")
        let upper = ("Room/High/House.swift", "// Roof\nstruct House { let stones: [Stone] }\n")
        let root = ("Room/Street.swift", "let street = \"Roof\" /* Roof */\nfunc build(_ house: House) {}\n")
        let tale = ("Room/Low/Tale.swift", "let text = \"\"\"\n    A House \"and\" a Roof\n    \"\"\"\nlet raw = #\"a \"House\"\"#\n")
        #expect(Self.circles(among: [lower, upper, root, tale]) == [])
        let back = ("Room/Low/Sand.swift", "enum Sand { case of(House) }\n")
        #expect(Self.circles(among: [lower, upper, root, back]) == ["Room/High → Room/Low (Stone) → Room/High (House)"])
        let roof = ("Room/Roof/Roof.swift", "typealias Roof = Stone\nfunc end(_: Street.Type) {}\n")
        let street = ("Room/Street.swift", "final class Street { var house: House? }\n")
        let cellar = ("Room/Low/Cellar.swift", "@frozen public indirect enum Cellar { case below(Roof) }\n")
        #expect(
            Self.circles(among: [lower, upper, street, roof, cellar]) == [
                "Room → Room/High (House) → Room/Low (Stone) → Room/Roof (Roof) → Room (Street)",
                "Room/Low → Room/Roof (Roof) → Room/Low (Stone)",
            ])
    }

    /// The circles of folders, each once, with a type that leads from one to the next.
    private static func circles(among files: [(path: String, text: String)]) -> [String] {
        let read = files.map { (folder: String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)]), names: names(in: $0.text)) }
        var homes: [String: Set<String>] = [:]
        for file in read { for name in file.names.declared { homes[name, default: []].insert(file.folder) } }
        var uses: [String: [String: String]] = [:]
        for file in read {
            for name in file.names.used.sorted() {
                guard let home = homes[name], home.count == 1, let folder = home.first, folder != file.folder else { continue }
                if uses[file.folder]?[folder] == nil { uses[file.folder, default: [:]][folder] = name }
            }
        }
        var found: Set<Set<String>> = []
        return uses.keys.sorted().compactMap { folder in
            guard let way = way(from: folder, backIn: uses), found.insert(Set(way)).inserted else { return nil }
            return zip(way, way.dropFirst()).reduce(folder) { "\($0) → \($1.1) (\(uses[$1.0]?[$1.1] ?? ""))" }
        }
    }

    /// The shortest way from a folder back to itself; nil if there is none.
    private static func way(from start: String, backIn uses: [String: [String: String]]) -> [String]? {
        var ways = [[start]]
        var met: Set<String> = []
        while !ways.isEmpty {
            let way = ways.removeFirst()
            for next in (uses[way.last ?? ""] ?? [:]).keys.sorted() {
                if next == start { return way + [next] }
                if met.insert(next).inserted { ways.append(way + [next]) }
            }
        }
        return nil
    }

    /// The types that a text declares for other files, and the words of its code that begin with a capital, but for its own private types.
    private static func names(in text: String) -> (declared: Set<String>, used: Set<String>) {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var (declared, hidden, used): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for line in code(of: Array(text.utf8)).split(separator: newline) {
            let words = line.split { !isLetter($0) && !(0x30...0x39).contains($0) }.map { String(decoding: $0, as: UTF8.self) }
            used.formUnion(words.filter { $0.first?.isUppercase == true })
            guard line.first != UInt8(ascii: " "), let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
                continue
            }
            let isHidden = words.contains { $0.hasSuffix("private") }
            if isHidden { hidden.insert(words[kind + 1]) } else { declared.insert(words[kind + 1]) }
        }
        return (declared, used.subtracting(hidden))
    }

    private static let newline = UInt8(ascii: "\n")

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F }

    /// A text without its comments and strings. The rest of an interpolation counts as string too.
    private static func code(of bytes: [UInt8]) -> [UInt8] {
        let ends: [(start: String, end: String, isKept: Bool)] = [
            ("//", "\n", true), ("/*", "*/", false), ("\"\"\"", "\"\"\"", false), ("#\"", "\"#", false), ("\"", "\"", false),
        ]
        let marks = ends.map { (start: Array($0.start.utf8), end: Array($0.end.utf8), isKept: $0.isKept) }
        var code: [UInt8] = []
        var index = 0
        func stands(_ mark: [UInt8]) -> Bool {
            index + mark.count <= bytes.count && bytes[index..<(index + mark.count)].elementsEqual(mark)
        }
        while index < bytes.count {
            guard [0x22, 0x23, 0x2F].contains(bytes[index]), let mark = marks.first(where: { stands($0.start) }) else {
                code.append(bytes[index])
                index += 1
                continue
            }
            index += mark.start.count
            while index < bytes.count, !stands(mark.end) { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
            if !mark.isKept { index += mark.end.count }
        }
        return code
    }
}
