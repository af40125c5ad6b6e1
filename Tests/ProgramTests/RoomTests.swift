// The rooms of the house stay apart: who may import whom is read from the sources themselves. SwiftPM forbids what Package.swift does
// not list; this forbids what nobody should list. It also keeps floating point out of the rooms that money goes through.
import Foundation
import Testing

@Suite("What the app does, 9: separate layers")
struct RoomTests {
    /// What a room may import: of our own rooms these, of everything else `others`, or anything where that is nil, but never `never`.
    struct Room {
        var ours: Set<String> = []
        var others: Set<String>?
        var never: Set<String> = []
        /// What its code never says, in lower case.
        var unspoken: [String] = []
    }

    static let food = ["menu", "basket", "coupon", "checkout", "burger"]
    static let sql = ["select ", "insert into ", "delete from "]
    /// What only storage says: SQL, and PostgreSQL's own words for what went wrong.
    static let storage = sql + ["sqlstate", "postgreserror"]
    static let standard: Set = ["Synchronization", "Glibc", "FoundationEssentials"]

    static let rooms: [String: Room] = [
        "CLibPQ": Room(others: []),
        "CZlib": Room(others: []),
        "CJemalloc": Room(others: []),
        "CMalloc": Room(others: []),
        "CCurl": Room(others: []),
        "COpenSSL": Room(others: []),
        "Digests": Room(ours: ["COpenSSL"], others: [], unspoken: food + storage),
        "Postgres": Room(
            ours: ["CLibPQ"],
            others: standard.union(["DequeModule", "Dispatch", "NIOCore", "Logging", "Metrics", "ServiceLifecycle"]), unspoken: food),
        "EmbeddedPostgres": Room(others: standard.union(["Subprocess", "Logging"]), unspoken: food),
        "Photographs": Room(ours: ["Digests", "Ordering"], others: standard.union(["Subprocess"]), unspoken: food + storage),
        // Pure: whatever it needs to know of the world, time and chance too, comes in as a value; so does what a request says.
        "Ordering": Room(
            others: ["FoundationEssentials"],
            unspoken: [
                "date()", "date.now", "clock.now", ".random(in", "uuid()", "processinfo", "filemanager", "timezone.current", "await ",
                "cursor", "base64",
            ]),
        "ErrorChannel": Room(others: ["Synchronization"]),
        "Mail": Room(ours: ["CCurl", "Ordering"], others: standard, unspoken: storage),
        // No queue, no timer, no cache: none of what they are made of.
        "Database": Room(
            ours: ["Digests", "Ordering", "Postgres"], others: ["Foundation", "FoundationEssentials", "Logging", "ServiceLifecycle"]),
        "Shop": Room(
            ours: ["Digests", "Ordering", "Photographs", "Database", "Mail"],
            others: standard.union(["DequeModule", "Logging", "Metrics", "ServiceLifecycle", "Tracing"]), unspoken: storage),
        "Wire": Room(others: ["FoundationEssentials"]),
        "Web": Room(ours: ["CZlib", "Digests", "Ordering", "Photographs", "Shop", "ErrorChannel", "Wire"], unspoken: storage),
        "StorefrontClient": Room(
            ours: ["Wire"], others: standard.union(["AsyncHTTPClient", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "Tracing"]),
            unspoken: sql),
        "Origin": Room(others: ["Foundation", "PackagePlugin"], unspoken: food + storage),
        "storefront-example": Room(ours: ["StorefrontClient", "Wire"], others: []),
        "welms": Room(
            ours: [
                "Postgres", "EmbeddedPostgres", "Ordering", "Photographs", "ErrorChannel", "Database", "Mail", "Shop", "Wire", "Web",
                "StorefrontClient",
            ],
            unspoken: sql),
    ]

    @Test("What the app does, 9: every room imports only what it may, and speaks only of what is its own")
    func layers() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
        #expect(folders.filter { Self.rooms[$0] == nil } == [], "a room without a line in this table")
        #expect(folders.count >= 10)
        for folder in folders {
            for (path, text) in try Self.files(in: folder) {
                #expect(Self.breaches(of: Self.rooms[folder] ?? Room(), in: text) == [], "\(folder)/\(path)")
            }
        }
    }

    @Test("What the app does, 9: a breach is seen, however the import is written")
    func breaches() throws {
        let web = try #require(Self.rooms["Web"])
        let ordering = try #require(Self.rooms["Ordering"])
        let shop = try #require(Self.rooms["Shop"])
        for line in [
            "import CLibPQ", "@preconcurrency public import CLibPQ // so", "    import func CLibPQ.PQexec", "import EmbeddedPostgres",
            "import Postgres", "import Database", "catch let error as PostgresError {", "// a fault\nif sqlState == code {",
        ] {
            #expect(Self.breaches(of: web, in: "// A file.\n\(line)\n").count == 1, "\(line)")
        }
        for line in [
            "import Hummingbird", "import Foundation", "@testable import Database", "let now = Date.now", "import struct Wire.Page",
        ] {
            #expect(Self.breaches(of: ordering, in: line).count == 1, "\(line)")
        }
        for line in ["import Postgres", "import Web", "let text = \"select 1\"", "if refusal.sqlState == code {"] {
            #expect(Self.breaches(of: shop, in: line).count == 1, "\(line)")
        }
        #expect(Self.breaches(of: shop, in: "import Database\nimport Ordering\nimport Tracing") == [])
        #expect(Self.breaches(of: web, in: "let text = \"SELECT 1\"").count == 1)
        #expect(
            Self.breaches(of: web, in: "import Hummingbird\nimport Wire\n// select it where you import CLibPQ\nlet important = 1") == [])
    }

    @Test("Promise 5: no floating point in the rooms that money goes through", arguments: ["Ordering", "Wire", "Database", "Mail", "Shop"])
    func noFloatingPoint(room: String) throws {
        let floats: Set<Substring> = ["Double", "Float", "Float16", "Float32", "Float64", "Float80", "CGFloat", "Decimal", "NSNumber"]
        func words(_ text: String) -> Set<Substring> { Set(Self.code(text).flatMap { $0.split { !$0.isLetter && !$0.isNumber } }) }
        #expect(words("let price: [Double] // Float\n") == ["let", "price", "Double"])
        let files = try Self.files(in: room)
        #expect(!files.isEmpty)
        for (path, text) in files { #expect(words(text).isDisjoint(with: floats), "\(room)/\(path)") }
    }

    private static var sources: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardizedFileURL.path
    }

    private static func files(in room: String) throws -> [(path: String, text: String)] {
        let folder = sources + "/" + room
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
    }

    /// The lines without comments.
    private static func code(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line }
    }

    private static func breaches(of room: Room, in text: String) -> [String] {
        code(text).flatMap { line in
            var breaches = room.unspoken.filter { line.lowercased().contains($0) }.map { "\($0): \(line)" }
            if let module = importedModule(line), !room.permits(module) { breaches.append("import \(module)") }
            return breaches
        }
    }

    /// The module of an import line, whatever stands before and behind its name.
    private static func importedModule(_ line: Substring) -> String? {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let words = line.split { $0 == " " || $0 == ";" }.drop { $0.hasPrefix("@") || levels.contains($0) }
        guard words.first == "import" else { return nil }
        return words.dropFirst().first { !kinds.contains($0) }?.split(separator: ".").first.map(String.init)
    }
}

extension RoomTests.Room {
    fileprivate func permits(_ module: String) -> Bool {
        if never.contains(module) { return false }
        if RoomTests.rooms[module] != nil { return ours.contains(module) }
        return others.map { $0.contains(module) } ?? true
    }
}
