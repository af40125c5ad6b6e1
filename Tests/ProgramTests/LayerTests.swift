// The imports and texts that each module of Sources may contain. SwiftPM rejects imports that Package.swift does not
// list. This test also rejects dependencies that nobody may add to Package.swift, and floating point in modules with
// money.
import Foundation
import Testing

@Suite("Layers")
struct LayerTests {
    /// The rules of a module.
    struct ModuleRules {
        /// The modules of this package that it may import.
        var ours: Set<String> = []
        /// The other modules that it may import; nil: all.
        var others: Set<String>?
        /// Modules that it must not import, although `others` allows them.
        var forbiddenImports: Set<String> = []
        /// Texts that its code must not contain, in lower case.
        var forbiddenTexts: [String] = []
        /// Words that its code must not contain, in lower case, also as parts of names such as `openOrders`.
        var forbiddenWords: Set<String> = []
    }

    static let food = ["menu", "basket", "coupon", "checkout", "burger"]
    static let sql = ["select ", "insert into ", "delete from "]
    /// Texts that only the storage layer may contain: SQL, and the names of PostgreSQL's errors.
    static let storage = sql + ["sqlstate", "postgreserror"]
    static let standard: Set = ["Synchronization", "Glibc", "FoundationEssentials"]
    /// Words of the shop.
    static let domain: Set = [
        "order", "orders", "basket", "baskets", "menu", "menus", "coupon", "coupons", "staff", "dish", "dishes", "shop",
        "shops", "checkout", "checkouts", "guest", "guests", "kitchen", "sale", "sales", "storefront", "photograph",
        "photographs",
    ]
    /// The modules of the server below HTTP.
    static let network: Set = [
        "HummingbirdCore", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL",
    ]

    static let rules: [String: ModuleRules] = [
        "CLibPQ": ModuleRules(others: []),
        "CZlib": ModuleRules(others: []),
        "CJemalloc": ModuleRules(others: []),
        "CMalloc": ModuleRules(others: []),
        "CCurl": ModuleRules(others: []),
        "COpenSSL": ModuleRules(others: []),
        "Digests": ModuleRules(ours: ["COpenSSL"], others: [], forbiddenTexts: food + storage),
        "Postgres": ModuleRules(
            ours: ["CLibPQ"],
            others: standard.union(["DequeModule", "Dispatch", "NIOCore", "Logging", "Metrics", "ServiceLifecycle"]),
            forbiddenTexts: food),
        "EmbeddedPostgres": ModuleRules(others: standard.union(["Subprocess", "Logging"]), forbiddenTexts: food),
        "Photographs": ModuleRules(
            ours: ["Digests", "Ordering"], others: standard.union(["Subprocess"]), forbiddenTexts: food + storage),
        // Pure functions: time, randomness, the environment and the request are parameters.
        "Ordering": ModuleRules(
            others: ["FoundationEssentials"],
            forbiddenTexts: [
                "date()", "date.now", "clock.now", ".random(in", "uuid()", "processinfo", "filemanager",
                "timezone.current", "await ",
                "cursor", "base64",
            ]),
        "ErrorChannel": ModuleRules(others: ["Synchronization"]),
        "Mail": ModuleRules(ours: ["CCurl", "Ordering"], others: standard, forbiddenTexts: storage),
        // Database has no queues, timers or caches, so it may not import the modules that these need.
        "Database": ModuleRules(
            ours: ["Digests", "Ordering", "Postgres"],
            others: ["Foundation", "FoundationEssentials", "Logging", "ServiceLifecycle"]),
        "Shop": ModuleRules(
            ours: ["Digests", "Ordering", "Photographs", "Database", "Mail"],
            others: standard.union(["DequeModule", "Logging", "Metrics", "ServiceLifecycle", "Tracing"]),
            forbiddenTexts: storage),
        "Wire": ModuleRules(others: ["FoundationEssentials"]),
        "HTTPServing": ModuleRules(
            ours: ["CZlib", "Digests"],
            others: standard.union(network).union([
                "DequeModule", "Foundation", "HTTPTypes", "Logging", "Metrics", "ServiceLifecycle", "Tracing",
            ]),
            forbiddenTexts: storage, forbiddenWords: domain),
        // Facts about the shop reach the pages as parameters.
        "Pages": ModuleRules(
            ours: ["HTTPServing"], others: ["Foundation", "HTTPTypes"], forbiddenTexts: storage),
        "Web": ModuleRules(
            ours: ["Digests", "ErrorChannel", "HTTPServing", "Ordering", "Pages", "Photographs", "Shop", "Wire"],
            others: [
                "Foundation", "FoundationEssentials", "HTTPTypes", "Logging", "Metrics", "ServiceLifecycle",
                "Synchronization", "Tracing",
            ],
            forbiddenTexts: storage),
        "StorefrontClient": ModuleRules(
            ours: ["Wire"],
            others: standard.union(["AsyncHTTPClient", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "Tracing"]),
            forbiddenTexts: sql),
        "Origin": ModuleRules(others: ["Foundation", "PackagePlugin"], forbiddenTexts: food + storage),
        "storefront-example": ModuleRules(ours: ["StorefrontClient", "Wire"], others: []),
        "welms": ModuleRules(
            ours: [
                "Postgres", "EmbeddedPostgres", "Ordering", "Photographs", "ErrorChannel", "Database", "Mail", "Shop",
                "Wire", "HTTPServing", "Web", "StorefrontClient",
            ],
            forbiddenTexts: sql),
    ]

    @Test("Every module imports only permitted modules and contains no text of another layer")
    func layers() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
        #expect(folders.filter { Self.rules[$0] == nil } == [], "every module has rules in this table")
        #expect(folders.count >= 10)
        for folder in folders {
            for (path, text) in try Self.files(in: folder) {
                #expect(Self.violations(of: Self.rules[folder] ?? ModuleRules(), in: text) == [], "\(folder)/\(path)")
            }
        }
    }

    @Test("The check finds a forbidden import in any notation, and a forbidden text")
    func findsViolations() throws {
        let web = try #require(Self.rules["Web"])
        let ordering = try #require(Self.rules["Ordering"])
        let shop = try #require(Self.rules["Shop"])
        let serving = try #require(Self.rules["HTTPServing"])
        let pages = try #require(Self.rules["Pages"])
        for line in [
            "import CLibPQ", "@preconcurrency public import CLibPQ // so", "    import func CLibPQ.PQexec",
            "import EmbeddedPostgres",
            "import Postgres", "import Database", "import NIOCore", "catch let error as PostgresError {",
            "// a fault\nif sqlState == code {",
        ] {
            #expect(Self.violations(of: web, in: "// A file.\n\(line)\n").count == 1, "\(line)")
        }
        for line in [
            "import Hummingbird", "import Foundation", "@testable import Database", "let now = Date.now",
            "import struct Wire.Page",
        ] {
            #expect(Self.violations(of: ordering, in: line).count == 1, "\(line)")
        }
        for line in ["import Postgres", "import Web", "let text = \"select 1\"", "if refusal.sqlState == code {"] {
            #expect(Self.violations(of: shop, in: line).count == 1, "\(line)")
        }
        for line in [
            "import Wire", "import Ordering", "import Database", "import Subprocess", "let openOrders = 1",
            "throw Problem(.notFound, \"basket_gone\")", "func add(_ order: Int)", "struct StaffRoutes: Routes {",
        ] {
            #expect(Self.violations(of: serving, in: line).count == 1, "\(line)")
        }
        for line in ["import Shop", "import Ordering", "import Wire", "import Digests", "import NIOCore"] {
            #expect(Self.violations(of: pages, in: line).count == 1, "\(line)")
        }
        #expect(
            Self.violations(of: serving, in: "import NIOCore\n// An order.\nborder.add(1, ordering: .relaxed)") == [])
        #expect(Self.violations(of: shop, in: "import Database\nimport Ordering\nimport Tracing") == [])
        #expect(Self.violations(of: web, in: "let text = \"SELECT 1\"").count == 1)
        #expect(
            Self.violations(
                of: web, in: "import Logging\nimport Wire\n// select it where you import CLibPQ\nlet important = 1")
                == [])
    }

    @Test(
        "A module with money contains no floating point types",
        arguments: ["Ordering", "Wire", "Database", "Mail", "Shop"])
    func noFloatingPoint(module: String) throws {
        let floats: Set<Substring> = [
            "Double", "Float", "Float16", "Float32", "Float64", "Float80", "CGFloat", "Decimal", "NSNumber",
        ]
        func words(_ text: String) -> Set<Substring> {
            Set(Self.code(text).flatMap { $0.split { !$0.isLetter && !$0.isNumber } })
        }
        #expect(words("let price: [Double] // Float\n") == ["let", "price", "Double"])
        let files = try Self.files(in: module)
        #expect(!files.isEmpty)
        for (path, text) in files { #expect(words(text).isDisjoint(with: floats), "\(module)/\(path)") }
    }

    private static var sources: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardizedFileURL
            .path
    }

    private static func files(in module: String) throws -> [(path: String, text: String)] {
        let folder = sources + "/" + module
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
    }

    /// The lines without comments.
    private static func code(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line }
    }

    private static func violations(of rules: ModuleRules, in text: String) -> [String] {
        code(text).flatMap { line in
            var violations = rules.forbiddenTexts.filter { line.lowercased().contains($0) }.map { "\($0): \(line)" }
            if let module = importedModule(line), !rules.permits(module) { violations.append("import \(module)") }
            violations += words(in: line).intersection(rules.forbiddenWords).sorted().map { "\($0): \(line)" }
            return violations
        }
    }

    /// The words of a line in lower case. A capital letter begins a word, so `openOrders` has two.
    private static func words(in line: Substring) -> Set<String> {
        var words: Set<String> = []
        var word = ""
        for character in line {
            if !character.isLetter || character.isUppercase {
                words.insert(word)
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
        }
        words.insert(word)
        return words
    }

    /// The module of an import line, with any attributes, access levels and kinds.
    private static func importedModule(_ line: Substring) -> String? {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let words = line.split { $0 == " " || $0 == ";" }.drop { $0.hasPrefix("@") || levels.contains($0) }
        guard words.first == "import" else { return nil }
        return words.dropFirst().first { !kinds.contains($0) }?.split(separator: ".").first.map(String.init)
    }
}

extension LayerTests.ModuleRules {
    fileprivate func permits(_ module: String) -> Bool {
        if forbiddenImports.contains(module) { return false }
        if LayerTests.rules[module] != nil { return ours.contains(module) }
        return others.map { $0.contains(module) } ?? true
    }
}
