// Everything that can be set can be set by a flag, a variable and a key of the settings file; the help and the documentation tell all
// of it; and what is secret is printed nowhere. Tests Sources/welms/Setting.swift and Settings.swift through the program.
import Foundation
import Support
import Testing

@testable import welms

// A server that starts where it should refuse would serve for ever.
@Suite("Settings", .timeLimit(.minutes(5)))
struct SettingsTests {
    /// For each setting a value that can't be right, and what is said of it.
    static let wrong: [(setting: Setting, value: String, words: String)] = [
        (.logLevel, "loud", "write trace"), (.logFormat, "xml", "write text or json"), (.port, "many", "write a number"),
        (.traceLog, "loud", "write one in how many"),
        (.certificate, "/nowhere/c.pem", "go together"), (.certificateKey, "/nowhere/k.pem", "go together"),
        (.staffToken, "two words", "staff token"), (.shards, "0", "write a number"), (.databaseTimeout, "61", "write a number"),
        (.drainSeconds, "6", "write a number"), (.basketLimit, "few", "write how many"), (.checkoutLimit, "0", "write how many"),
        (.couponLimit, "none", "write how many"), (.staffTokenLimit, "few", "write how many"),
        (.connectionLimit, "0", "write a number"), (.clientConnectionLimit, "many", "write a number"),
        (.probeConnectionLimit, "1001", "write a number"), (.clientStreamLimit, "0", "write a number"),
        (.operationsPort, "65536", "write a number"),
        (.trustedProxies, "everybody", "write addresses"), (.allowOrigin, "shop", "shop"), (.pruneEvery, "often", "or off"),
        (.pruneOlderThan, "5m", "1h at least"), (.seedFile, "/nowhere/seed.sql", "/nowhere/seed.sql"),
        (.replicaURL, "postgres://ann:secret@[::1/shop", "--replica-url is malformed: end of string"),
        (.smtpURL, "imap://ann:secret@mail.example", "write smtp://"), (.mailFrom, "Welm's Delivery", "write an address"),
        (.publicURL, "shop.example", "write an address"),
        (.simulatedError, "soon", "write a number"), (.ownerURL, "postgres://127.0.0.1:1/owner", "--database-url"),
    ]

    @Test(
        "A setting that is wrong is refused alike as a flag, a variable and a key of the file, in one line that names it", arguments: wrong)
    func threeWays(setting: Setting, value: String, words: String) async throws {
        try await Self.eachWay(setting, value) { arguments, environment, name in
            let refused = try await Program.run(["serve"] + arguments, environment: environment)
            #expect(refused.status == 1 && refused.error.contains(words), "\(name): \(refused)")
            #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(name): \(refused)")
            #expect(!refused.error.contains("secret"))
            if words.hasPrefix("write") { #expect(refused.error.contains(name), "\(name): \(refused)") }
        }
    }

    @Test("What tests run leaves nothing in the checkout, and minds nothing that lies there")
    func nothingLeft() async throws {
        let here = FileManager.default.currentDirectoryPath + "/" + Setting.dataDirectory.normally
        func changed() -> Date? { try? FileManager.default.attributesOfItem(atPath: here)[.modificationDate] as? Date }
        let before = changed()
        let refused = try await Program.run(["serve", "--port", "0", "--postgres-programs", "/nowhere"])
        #expect(refused.status != 0)
        #expect(changed() == before)
    }

    @Test("A setting that is said and empty is refused alike in each way, in one line that says what to do", arguments: Setting.all)
    func empty(setting: Setting) async throws {
        let isSwitch = [Setting.migrate.key, Setting.seedIfEmpty.key].contains(setting.key)
        for blank in setting.key == Setting.databaseURL.key ? ["", " "] : [""] {
            try await Self.eachWay(setting, blank) { arguments, environment, name in
                if isSwitch, name == setting.flag { return }
                let refused = try await Program.run(["serve"] + arguments, environment: environment)
                let words = "\(name == setting.key ? "\(name) in " : "\(name) is empty")"
                #expect(refused.status == 1 && refused.error.contains(words) && refused.error.contains("is empty: "), "\(name): \(refused)")
                #expect(refused.error.contains("leave it out") && refused.error.contains(setting.normally), "\(name): \(refused)")
                #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(name): \(refused)")
            }
        }
    }

    @Test("An empty name of a settings file is refused too, and an empty member of a list")
    func emptyFile() async throws {
        for (arguments, environment) in [(["--config", ""], [:]), ([], ["WELMS_CONFIG": ""])] as [([String], [String: String])] {
            let refused = try await Program.run(["migrate", "--status"] + arguments, environment: environment)
            #expect(refused.status == 1 && refused.error.contains("is empty: name a settings file"), "\(refused)")
        }
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try Data(#"{"replica": {"url": ["postgres://a/b", ""]}}"#.utf8).write(to: URL(fileURLWithPath: path))
            let refused = try await Program.run(["serve", "--config", path])
            #expect(refused.status == 1 && refused.error.contains("replica.url in \(path) has an empty member"), "\(refused)")
        }
    }

    @Test(
        "A URL of another database is refused in one line that says what is right",
        arguments: [Setting.databaseURL, .ownerURL, .replicaURL])
    func otherDatabases(setting: Setting) async throws {
        for url in ["mysql://ann:secret@127.0.0.1/shop", "jdbc:postgresql://127.0.0.1/shop", "postgresql+psycopg2://127.0.0.1/shop"] {
            try await Self.eachWay(setting, url) { arguments, environment, name in
                let base = setting.key == Setting.ownerURL.key ? ["--database-url", "postgres://127.0.0.1:1/nobody"] : []
                let refused = try await Program.run(["serve"] + base + arguments, environment: environment)
                #expect(refused.status == 1 && refused.error.contains("postgres://welms_server@"), "\(name): \(refused)")
                #expect(refused.error.trimmed.split(separator: "\n").count == 1 && !refused.error.contains("secret"), "\(name): \(refused)")
                if setting.key != Setting.replicaURL.key { #expect(refused.error.contains(name), "\(name): \(refused)") }
            }
        }
        if setting.key != Setting.replicaURL.key {
            let refused = try await Program.run(["migrate"], environment: [setting.variable: "mysql://127.0.0.1/shop"])
            #expect(refused.status == 1 && refused.error.contains("\(setting.variable) is malformed"), "\(refused)")
        }
    }

    @Test(
        "Switches are set by a flag, a variable or the file; a word that is neither true nor false is refused",
        arguments: [Setting.migrate, .seedIfEmpty])
    func switches(setting: Setting) async throws {
        try await Self.eachWay(setting, "maybe") { arguments, environment, name in
            guard name != setting.flag else { return }
            let refused = try await Program.run(["serve"] + arguments, environment: environment)
            #expect(refused.status == 1 && refused.error.contains("\(name)") && refused.error.contains("true or false"), "\(refused)")
        }
        try await TestDatabase.with { database in
            try await Self.eachWay(.migrate, "false") { arguments, environment, name in
                let arguments = name == Setting.migrate.flag ? ["--no-migrate"] : arguments
                let refused = try await Program.run(
                    ["serve", "--port", "0", "--database-url", database.url] + arguments, environment: environment)
                #expect(refused.status == 1, "nothing was migrated, so there is no shop: \(refused)")
                let isEmpty = try await database.psql("select to_regclass('shop') is null")
                #expect(isEmpty == "t")
            }
        }
    }

    @Test("The database, the host and the data directory too", arguments: [Setting.databaseURL, .dataDirectory, .host, .programs])
    func places(setting: Setting) async throws {
        let wrong = [
            Setting.databaseURL.key: ("postgres://127.0.0.1:1/nobody", "127.0.0.1"),
            Setting.dataDirectory.key: ("/dev/null/data", "/dev/null/data"),
            Setting.host.key: ("203.0.113.1", "203.0.113.1"),
            Setting.programs.key: ("/nowhere/bin", "/nowhere/bin"),
        ]
        let (value, words) = try #require(wrong[setting.key])
        try await TestDatabase.with(.seeded) { database in
            try await Self.eachWay(setting, value) { arguments, environment, _ in
                let needs = setting.key == Setting.host.key ? ["--database-url", database.url] : []
                let refused = try await Program.run(["serve", "--port", "0"] + arguments + needs, environment: environment)
                #expect(refused.status == 1 && refused.error.contains(words), "\(refused)")
            }
        }
    }

    @Test("A replica is named by a flag, a variable or the file; one that is away keeps nobody waiting, and /readyz says so")
    func replica() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await Self.eachWay(.replicaURL, "postgres://127.0.0.1:1/replica") { arguments, environment, name in
                let port = try Program.freePort()
                let all = database.serveArguments + ["--port", "\(port)"] + arguments
                _ = try await Program.serve(all, environment: environment) { _ in
                    try await TestServer.at(port: port) { client in
                        try await eventually("degraded by \(name)") { try await client.get("/readyz").text.contains("degraded") }
                    }
                }
            }
        }
    }

    @Test("Every setting is in one of these tests")
    func complete() {
        let tested = Self.wrong.map(\.setting) + [.migrate, .seedIfEmpty, .databaseURL, .dataDirectory, .host, .programs]
        #expect(Set(tested.map(\.key)) == Set(Setting.all.map(\.key)) && tested.count == Setting.all.count)
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
    }

    @Test("A file with an unknown key, without JSON, or that is not there is refused in one line that names it")
    func file() async throws {
        try await TemporaryDirectory.with { directory in
            for (content, words) in [
                (#"{"port": 8080, "tls": {"certificat": "x"}}"#, "tls.certificat"), (#"{"prot": 8080}"#, "prot"),
                (#"{"port": {"number": 1}}"#, "port.number"), ("port: 8080", "not a JSON object"), ("[]", "not a JSON object"),
            ] {
                let path = directory + "/settings.json"
                try Data(content.utf8).write(to: URL(fileURLWithPath: path))
                let refused = try await Program.run(["doctor", "--config", path])
                #expect(refused.status == 1 && refused.error.contains(words) && refused.error.contains(path), "\(refused)")
            }
            let missing = try await Program.run(["migrate"], environment: ["WELMS_CONFIG": directory + "/none.json"])
            #expect(missing.status == 1 && missing.error.contains("none.json"), "\(missing)")
        }
    }

    @Test("A list in the file is refused in one line where one value belongs, and taken where there may be several", arguments: Setting.all)
    func list(setting: Setting) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try JSONSerialization.data(withJSONObject: [setting.key: ["s3cretW0rd", "::1"]]).write(to: URL(fileURLWithPath: path))
            let several: [Setting] = [.replicaURL, .allowOrigin, .seedFile]
            do throws(CommandFailure) {
                _ = try SettingsFile.read(path)
                #expect(several.contains { $0.key == setting.key }, "\(setting.key)")
            } catch {
                #expect(error.description == "\(setting.key) in \(path) is a list: write one value, as for \(setting.flag)")
                #expect(!several.contains { $0.key == setting.key })
            }
        }
    }

    @Test("The help of serve tells each setting: its flag, its variable, its key, and what holds otherwise")
    func help() async throws {
        let help = try await Program.run(["serve", "--help"], environment: ["COLUMNS": "200"]).output
        // Lines are broken where they are full.
        let words = help.split { $0.isWhitespace }.joined(separator: " ")
        for setting in Setting.all {
            #expect(words.contains(setting.flag), "\(setting.flag)")
            #expect(words.contains("(\(setting.normally)) [env: \(setting.variable), file: \(setting.key)]"), "\(setting.flag)")
        }
        #expect(words.contains("--config") && words.contains("WELMS_CONFIG"))
    }

    @Test("The documentation's table is the list of settings")
    func table() throws {
        let article = try Repository.text(of: "Sources/welms/welms.docc/Settings.md")
        let rows = Setting.all.map { "| `\($0.flag)` | `\($0.variable)` | `\($0.key)` | \($0.normally) | \($0.help) |" }
        let there = article.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map(String.init)
        #expect(there == rows, "it should be:\n\(rows.joined(separator: "\n"))")
    }

    @Test("Nothing prints a secret: no help, no refusal, no log, no finding of doctor, whichever way it was given")
    func secrets() async throws {
        let secret = "s3cretW0rd"
        let broken = "postgres://welms:\(secret)@127.0.0.1:1/welms"
        let values = [
            [broken, broken, broken, secret, "smtp://ann:\(secret)@127.0.0.1:1"],
            ["postgres://welms:\(secret)@[/welms", broken, broken, "two \(secret) words", "smtp://ann:\(secret)@["],
            [
                "host=127.0.0.1 port=1 password=\(secret) oops", broken, "postgres://u:\(secret)@127.0.0.1:none/", "\u{7f}\(secret)",
                "\(secret)",
            ],
        ]
        let settings = [Setting.databaseURL, .ownerURL, .replicaURL, .staffToken, .smtpURL]
        #expect(settings.map(\.key).sorted() == Setting.all.filter(\.isSecret).map(\.key).sorted())
        try await TemporaryDirectory.with { directory in
            for texts in values {
                let pairs = Array(zip(settings, texts))
                let path = directory + "/settings.json"
                try JSONSerialization.data(withJSONObject: Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $1) })).write(
                    to: URL(fileURLWithPath: path))
                let environment = Dictionary(uniqueKeysWithValues: pairs.map { ($0.variable, $1) })
                for command in ["serve", "doctor", "migrate", "seed", "prune"] {
                    let flags = pairs.filter {
                        ["serve", "doctor"].contains(command) || !["staff.token", "replica.url", "smtp.url"].contains($0.0.key)
                    }
                    let ways: [(arguments: [String], environment: [String: String])] = [
                        (flags.flatMap { [$0.flag, $1] }, [:]), ([], environment), (["--config", path], [:]), (["--help"], environment),
                    ]
                    for way in ways {
                        let ended = try await Program.run(
                            [command, "--log-level", "trace"] + way.arguments, environment: way.environment)
                        #expect(!ended.output.contains(secret) && !ended.error.contains(secret), "\(command) \(way.arguments.first ?? "")")
                        #expect(ended.status != nil)
                    }
                }
            }
        }
    }

    /// Does `body` once for each of the three ways, with what the refusal should call the setting.
    private static func eachWay(
        _ setting: Setting, _ value: String,
        _ body: (_ arguments: [String], _ environment: [String: String], _ name: String) async throws -> Void
    ) async throws {
        try await body([setting.flag, value], [:], setting.flag)
        try await body([], [setting.variable: value], setting.variable)
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try JSONSerialization.data(withJSONObject: nested(setting.key.split(separator: ".").map(String.init), value)).write(
                to: URL(fileURLWithPath: path))
            try await body(["--config", path], [:], setting.key)
        }
    }

    private static func nested(_ path: [String], _ value: String) -> [String: Any] {
        guard let first = path.first, path.count > 1 else { return [path.first ?? "": value] }
        return [first: nested(Array(path.dropFirst()), value)]
    }
}
