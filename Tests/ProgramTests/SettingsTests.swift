// Each setting as a flag, an environment variable and a key of the settings file, and the secrecy of secret values.
import Foundation
import Support
import Testing

@testable import welms

// A server that starts instead of rejecting a setting would run forever, hence the time limit.
@Suite("Settings", .timeLimit(.minutes(5)))
struct SettingsTests {
    /// An invalid value of each setting, and a part of its error message.
    static let invalid: [(setting: Setting, value: String, words: String)] = [
        (.logLevel, "loud", "write trace"), (.logFormat, "xml", "write text or json"),
        (.port, "many", "write a number"),
        (.traceLog, "loud", "write a number"),
        (.certificate, "/nowhere/c.pem", "go together"), (.certificateKey, "/nowhere/k.pem", "go together"),
        (.staffToken, "two words", "staff token"), (.shards, "0", "write a number"),
        (.databaseTimeout, "61", "write a number"),
        (.drainSeconds, "6", "write a number"), (.basketLimit, "few", "write a number per minute"),
        (.checkoutLimit, "0", "write a number per minute"),
        (.couponLimit, "none", "write a number per minute"), (.staffTokenLimit, "few", "write a number per minute"),
        (.connectionLimit, "0", "write a number"), (.clientConnectionLimit, "many", "write a number"),
        (.probeConnectionLimit, "1001", "write a number"), (.clientStreamLimit, "0", "write a number"),
        (.operationsPort, "65536", "write a number"),
        (.trustedProxies, "everybody", "write addresses"), (.allowOrigin, "shop", "shop"),
        (.pruneEvery, "often", "or off"),
        (.pruneOlderThan, "5m", "at least 1h"), (.seedFile, "/nowhere/seed.sql", "/nowhere/seed.sql"),
        (.replicaURL, "postgres://ann:secret@[::1/shop", "--replica-url is malformed: end of string"),
        (.smtpURL, "imap://ann:secret@mail.example", "write smtp://"),
        (.mailFrom, "Welm's Delivery", "write an address"),
        (.publicURL, "shop.example", "write an address"),
        (.simulatedError, "soon", "write a number"), (.ownerURL, "postgres://127.0.0.1:1/owner", "--database-url"),
    ]

    @Test(
        "An invalid flag, variable or key of the settings file is rejected with one line that names it",
        arguments: invalid)
    func threeWays(setting: Setting, value: String, words: String) async throws {
        try await Self.eachWay(setting, value) { arguments, environment, name in
            let refused = try await Program.run(["serve"] + arguments, environment: environment)
            #expect(refused.status == 1 && refused.error.contains(words), "\(name): \(refused)")
            #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(name): \(refused)")
            #expect(!refused.error.contains("secret"))
            if words.hasPrefix("write") { #expect(refused.error.contains(name), "\(name): \(refused)") }
        }
    }

    @Test("A command that a test runs does not change the default data directory of the working directory")
    func defaultDataDirectory() async throws {
        let path = FileManager.default.currentDirectoryPath + "/" + Setting.dataDirectory.defaultValue
        func modificationDate() -> Date? {
            try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
        let before = modificationDate()
        let refused = try await Program.run(["serve", "--port", "0", "--postgres-programs", "/nowhere"])
        #expect(refused.status != 0)
        #expect(modificationDate() == before)
    }

    @Test(
        "An empty flag, variable or key of the settings file is rejected with one line that says what to do",
        arguments: Setting.all)
    func empty(setting: Setting) async throws {
        let isSwitch = [Setting.migrate.key, Setting.seedIfEmpty.key].contains(setting.key)
        for blank in setting.key == Setting.databaseURL.key ? ["", " "] : [""] {
            try await Self.eachWay(setting, blank) { arguments, environment, name in
                if isSwitch, name == setting.flag { return }
                let refused = try await Program.run(["serve"] + arguments, environment: environment)
                let words = "\(name == setting.key ? "\(name) in " : "\(name) is empty")"
                #expect(
                    refused.status == 1 && refused.error.contains(words) && refused.error.contains("is empty: "),
                    "\(name): \(refused)")
                #expect(
                    refused.error.contains("leave it out") && refused.error.contains(setting.defaultValue),
                    "\(name): \(refused)")
                #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(name): \(refused)")
            }
        }
    }

    @Test("An empty name of a settings file and an empty member of a list are rejected")
    func emptyFile() async throws {
        for (arguments, environment) in [(["--config", ""], [:]), ([], ["WELMS_CONFIG": ""])]
            as [([String], [String: String])]
        {
            let refused = try await Program.run(["migrate", "--status"] + arguments, environment: environment)
            #expect(refused.status == 1 && refused.error.contains("is empty: name a settings file"), "\(refused)")
        }
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try Data(#"{"replica": {"url": ["postgres://a/b", ""]}}"#.utf8).write(to: URL(fileURLWithPath: path))
            let refused = try await Program.run(["serve", "--config", path])
            #expect(
                refused.status == 1 && refused.error.contains("replica.url in \(path) has an empty member"),
                "\(refused)")
        }
    }

    @Test(
        "A URL of another database system is rejected with one line that shows a valid URL",
        arguments: [Setting.databaseURL, .ownerURL, .replicaURL])
    func otherDatabases(setting: Setting) async throws {
        for url in [
            "mysql://ann:secret@127.0.0.1/shop", "jdbc:postgresql://127.0.0.1/shop",
            "postgresql+psycopg2://127.0.0.1/shop",
        ] {
            try await Self.eachWay(setting, url) { arguments, environment, name in
                let base =
                    setting.key == Setting.ownerURL.key ? ["--database-url", "postgres://127.0.0.1:1/nobody"] : []
                let refused = try await Program.run(["serve"] + base + arguments, environment: environment)
                #expect(
                    refused.status == 1 && refused.error.contains("postgres://welms_server@"), "\(name): \(refused)")
                #expect(
                    refused.error.trimmed.split(separator: "\n").count == 1 && !refused.error.contains("secret"),
                    "\(name): \(refused)")
                if setting.key != Setting.replicaURL.key {
                    #expect(refused.error.contains(name), "\(name): \(refused)")
                }
            }
        }
        if setting.key != Setting.replicaURL.key {
            let refused = try await Program.run(["migrate"], environment: [setting.variable: "mysql://127.0.0.1/shop"])
            #expect(refused.status == 1 && refused.error.contains("\(setting.variable) is malformed"), "\(refused)")
        }
    }

    @Test(
        "A switch is set by a flag, a variable or the file, and a value other than true and false is rejected",
        arguments: [Setting.migrate, .seedIfEmpty])
    func switches(setting: Setting) async throws {
        try await Self.eachWay(setting, "maybe") { arguments, environment, name in
            guard name != setting.flag else { return }
            let refused = try await Program.run(["serve"] + arguments, environment: environment)
            #expect(
                refused.status == 1 && refused.error.contains("\(name)") && refused.error.contains("true or false"),
                "\(refused)")
        }
        try await TestDatabase.with { database in
            try await Self.eachWay(.migrate, "false") { arguments, environment, name in
                let arguments = name == Setting.migrate.flag ? ["--no-migrate"] : arguments
                let refused = try await Program.run(
                    ["serve", "--port", "0", "--database-url", database.url] + arguments, environment: environment)
                #expect(refused.status == 1, "without migration there is no shop: \(refused)")
                let isEmpty = try await database.psql("select to_regclass('shop') is null")
                #expect(isEmpty == "t")
            }
        }
    }

    @Test(
        "The database, the data directory, the host and the programs are set by a flag, a variable or the file",
        arguments: [Setting.databaseURL, .dataDirectory, .host, .programs])
    func places(setting: Setting) async throws {
        let invalid = [
            Setting.databaseURL.key: ("postgres://127.0.0.1:1/nobody", "127.0.0.1"),
            Setting.dataDirectory.key: ("/dev/null/data", "/dev/null/data"),
            Setting.host.key: ("203.0.113.1", "203.0.113.1"),
            Setting.programs.key: ("/nowhere/bin", "/nowhere/bin"),
        ]
        let (value, words) = try #require(invalid[setting.key])
        try await TestDatabase.with(.seeded) { database in
            try await Self.eachWay(setting, value) { arguments, environment, _ in
                let databaseArguments = setting.key == Setting.host.key ? ["--database-url", database.url] : []
                let refused = try await Program.run(
                    ["serve", "--port", "0"] + arguments + databaseArguments, environment: environment)
                #expect(refused.status == 1 && refused.error.contains(words), "\(refused)")
            }
        }
    }

    @Test("A replica is set by a flag, a variable or the file; while it is unreachable, /readyz reports degraded")
    func replica() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await Self.eachWay(.replicaURL, "postgres://127.0.0.1:1/replica") { arguments, environment, name in
                let port = try Program.freePort()
                let all = database.serveArguments + ["--port", "\(port)"] + arguments
                _ = try await Program.serve(all, environment: environment) { _ in
                    try await TestServer.connect(port: port) { client in
                        try await eventually("/readyz reports degraded with \(name)") {
                            try await client.get("/readyz").text.contains("degraded")
                        }
                    }
                }
            }
        }
    }

    @Test("The tests of this suite cover every setting, and every variable is unique")
    func complete() {
        let tested =
            Self.invalid.map(\.setting) + [.migrate, .seedIfEmpty, .databaseURL, .dataDirectory, .host, .programs]
        #expect(Set(tested.map(\.key)) == Set(Setting.all.map(\.key)) && tested.count == Setting.all.count)
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
    }

    @Test("A settings file that has an unknown key, is no JSON object or does not exist is rejected by its name")
    func file() async throws {
        try await TemporaryDirectory.with { directory in
            for (content, words) in [
                (#"{"port": 8080, "tls": {"certificat": "x"}}"#, "tls.certificat"), (#"{"prot": 8080}"#, "prot"),
                (#"{"port": {"number": 1}}"#, "port.number"), ("port: 8080", "not a JSON object"),
                ("[]", "not a JSON object"),
            ] {
                let path = directory + "/settings.json"
                try Data(content.utf8).write(to: URL(fileURLWithPath: path))
                let refused = try await Program.run(["doctor", "--config", path])
                #expect(
                    refused.status == 1 && refused.error.contains(words) && refused.error.contains(path), "\(refused)")
            }
            let missing = try await Program.run(["migrate"], environment: ["WELMS_CONFIG": directory + "/none.json"])
            #expect(missing.status == 1 && missing.error.contains("none.json"), "\(missing)")
        }
    }

    @Test(
        "A list in the settings file is accepted for a setting with several values, and rejected for others",
        arguments: Setting.all)
    func list(setting: Setting) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try JSONSerialization.data(withJSONObject: [setting.key: ["s3cretW0rd", "::1"]]).write(
                to: URL(fileURLWithPath: path))
            let several: [Setting] = [.replicaURL, .allowOrigin, .seedFile]
            do throws(CommandFailure) {
                _ = try SettingsFile.read(path)
                #expect(several.contains { $0.key == setting.key }, "\(setting.key)")
            } catch {
                #expect(
                    error.description == "\(setting.key) in \(path) is a list: write one value, as for \(setting.flag)")
                #expect(!several.contains { $0.key == setting.key })
            }
        }
    }

    @Test("serve --help shows each setting's flag, variable, key and default")
    func help() async throws {
        let help = try await Program.run(["serve", "--help"], environment: ["COLUMNS": "200"]).output
        // The help wraps its lines.
        let words = help.split { $0.isWhitespace }.joined(separator: " ")
        for setting in Setting.all {
            #expect(words.contains(setting.flag), "\(setting.flag)")
            #expect(
                words.contains("(\(setting.defaultValue)) [env: \(setting.variable), file: \(setting.key)]"),
                "\(setting.flag)")
        }
        #expect(words.contains("--config") && words.contains("WELMS_CONFIG"))
    }

    @Test("The table in the documentation matches the list of settings")
    func table() throws {
        let article = try Repository.text(of: "Sources/welms/welms.docc/Settings.md")
        let rows = Setting.all.map {
            "| `\($0.flag)` | `\($0.variable)` | `\($0.key)` | \($0.defaultValue) | \($0.help) |"
        }
        let documented = article.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map(String.init)
        #expect(documented == rows, "it should be:\n\(rows.joined(separator: "\n"))")
    }

    @Test("No help, error, log line or doctor finding contains a secret of a flag, a variable or the file")
    func secrets() async throws {
        let secret = "s3cretW0rd"
        let unreachable = "postgres://welms:\(secret)@127.0.0.1:1/welms"
        let values = [
            [unreachable, unreachable, unreachable, secret, "smtp://ann:\(secret)@127.0.0.1:1"],
            [
                "postgres://welms:\(secret)@[/welms", unreachable, unreachable, "two \(secret) words",
                "smtp://ann:\(secret)@[",
            ],
            [
                "host=127.0.0.1 port=1 password=\(secret) oops", unreachable, "postgres://u:\(secret)@127.0.0.1:none/",
                "\u{7f}\(secret)",
                "\(secret)",
            ],
        ]
        let settings = [Setting.databaseURL, .ownerURL, .replicaURL, .staffToken, .smtpURL]
        #expect(settings.map(\.key).sorted() == Setting.all.filter(\.isSecret).map(\.key).sorted())
        try await TemporaryDirectory.with { directory in
            for texts in values {
                let pairs = Array(zip(settings, texts))
                let path = directory + "/settings.json"
                try JSONSerialization.data(withJSONObject: Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $1) }))
                    .write(
                        to: URL(fileURLWithPath: path))
                let environment = Dictionary(uniqueKeysWithValues: pairs.map { ($0.variable, $1) })
                for command in ["serve", "doctor", "migrate", "seed", "prune"] {
                    let flags = pairs.filter {
                        ["serve", "doctor"].contains(command)
                            || !["staff.token", "replica.url", "smtp.url"].contains($0.0.key)
                    }
                    let ways: [(arguments: [String], environment: [String: String])] = [
                        (flags.flatMap { [$0.flag, $1] }, [:]), ([], environment), (["--config", path], [:]),
                        (["--help"], environment),
                    ]
                    for way in ways {
                        let ended = try await Program.run(
                            [command, "--log-level", "trace"] + way.arguments, environment: way.environment)
                        #expect(
                            !ended.output.contains(secret) && !ended.error.contains(secret),
                            "\(command) \(way.arguments.first ?? "")")
                        #expect(ended.status != nil)
                    }
                }
            }
        }
    }

    /// Runs `body` for a flag, a variable and a file, with the setting's name in the expected error.
    private static func eachWay(
        _ setting: Setting, _ value: String,
        _ body: (_ arguments: [String], _ environment: [String: String], _ name: String) async throws -> Void
    ) async throws {
        try await body([setting.flag, value], [:], setting.flag)
        try await body([], [setting.variable: value], setting.variable)
        try await TemporaryDirectory.with { directory in
            let path = directory + "/settings.json"
            try JSONSerialization.data(
                withJSONObject: nested(setting.key.split(separator: ".").map(String.init), value)
            ).write(
                to: URL(fileURLWithPath: path))
            try await body(["--config", path], [:], setting.key)
        }
    }

    private static func nested(_ path: [String], _ value: String) -> [String: Any] {
        guard let first = path.first, path.count > 1 else { return [path.first ?? "": value] }
        return [first: nested(Array(path.dropFirst()), value)]
    }
}
