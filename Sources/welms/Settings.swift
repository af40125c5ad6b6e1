// Where a setting comes from: a flag wins over the environment, the environment over a JSON file, the file over the default.
// Used by every command.
import ArgumentParser
import Configuration
import Database
import Logging
import Web

/// The flags that name a database, shared by all commands that need one.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "The database to use, as libpq understands it. Without it: an embedded PostgreSQL in --data-dir. [env: DATABASE_URL]")
    var databaseURL: String?

    @Option(
        help:
            "The same database for the role that owns it, which applies the migrations and loads seeds; the server itself then needs no more than the role welms_server may. [env: WELMS_OWNER_URL]"
    )
    var ownerURL: String?

    @Option(help: "Where the embedded PostgreSQL lies; .welms unless said otherwise. [env: DATA_DIR]")
    var dataDir: String?

    @Option(help: "A JSON file with settings. [env: WELMS_CONFIG]")
    var config: String?

    @Option(help: "How much to log: trace, debug, info, notice, warning, error or critical. [env: LOG_LEVEL]")
    var logLevel: String?

    @Option(help: "How to log: text, or json (one object a line). [env: LOG_FORMAT]")
    var logFormat: String?

}

/// The settings of one run.
struct Settings: Sendable {
    private let flags: DatabaseOptions
    private let reader: ConfigReader

    init(_ flags: DatabaseOptions) async throws(CommandFailure) {
        self.flags = flags
        let environment = EnvironmentVariablesProvider(
            secretsSpecifier: .specific(["DATABASE_URL", "REPLICA_URL", "WELMS_OWNER_URL", "WELMS_STAFF_TOKEN"]))
        let path = flags.config ?? ConfigReader(provider: environment).string(forKey: "welms.config")
        guard let path else {
            reader = ConfigReader(provider: environment)
            return
        }
        do {
            let file = try await FileProvider<JSONSnapshot>(filePath: .init(path))
            reader = ConfigReader(providers: [environment, file])
        } catch {
            throw CommandFailure("the settings file \(path) can't be read as JSON: \(error)")
        }
    }

    /// Nil: the embedded PostgreSQL.
    var databaseURL: String? {
        let url = flags.databaseURL ?? reader.string(forKey: "database.url", isSecret: true)
        return url?.isEmpty == true ? nil : url
    }
    /// For what the server's own role may not do; nil: the same as `databaseURL`. `owner.url` in the file.
    var ownerURL: String? {
        let given = [
            flags.ownerURL, reader.string(forKey: "welms.owner.url", isSecret: true), reader.string(forKey: "owner.url", isSecret: true),
        ]
        return given.lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    /// The replicas' URLs, from the flags or else from the environment or the file, where a text is one URL, or several with spaces between.
    func replicaURLs(_ flags: [String]) -> [String] {
        if !flags.isEmpty { return flags }
        if let list = reader.stringArray(forKey: "replica.urls", isSecret: true) { return list }
        let text = reader.string(forKey: "replica.url", isSecret: true) ?? ""
        let words = text.split(separator: " ").map(String.init)
        // A connection string of key words has spaces of its own.
        return words.allSatisfy { $0.contains("://") } ? words : [text]
    }
    var dataDirectory: String { flags.dataDir ?? reader.string(forKey: "data.dir") ?? ".welms" }

    func host(_ flag: String?) -> String { flag ?? reader.string(forKey: "host") ?? "127.0.0.1" }

    func port(_ flag: Int?) throws(CommandFailure) -> Int {
        let text = flag.map { "\($0)" } ?? reader.string(forKey: "port") ?? reader.int(forKey: "port").map { "\($0)" } ?? "8080"
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw CommandFailure("PORT is \"\(text)\": write a number from 1 to 65535, or 0 for any that is free")
        }
        return port
    }

    func shards(_ flag: Int?) throws(CommandFailure) -> Shards {
        let text = flag.map { "\($0)" } ?? reader.string(forKey: "shards") ?? reader.int(forKey: "shards").map { "\($0)" } ?? "1"
        guard let count = Int(text), let shards = Shards(count) else {
            throw CommandFailure("SHARDS is \"\(text)\": write a number from 1 to 1024, that of the table baskets in citus_tables")
        }
        return shards
    }

    /// Five at most: what is in flight then has its time too, and the whole shutdown ten.
    func drainNotice(_ flag: Int?) throws(CommandFailure) -> Duration {
        let fromFile = reader.int(forKey: "drain.seconds").map { "\($0)" }
        let text = flag.map { "\($0)" } ?? reader.string(forKey: "drain.seconds") ?? fromFile ?? "1"
        guard let seconds = Int(text), (0...5).contains(seconds) else {
            throw CommandFailure("DRAIN_SECONDS is \"\(text)\": write a number from 0 to 5")
        }
        return .seconds(seconds)
    }

    /// How long a statement may take.
    func databaseTimeout(_ flag: Int?) throws(CommandFailure) -> Duration {
        let fromFile = reader.int(forKey: "database.timeout").map { "\($0)" }
        let text = flag.map { "\($0)" } ?? reader.string(forKey: "database.timeout") ?? fromFile ?? "5"
        guard let seconds = Int(text), (1...60).contains(seconds) else {
            throw CommandFailure("DATABASE_TIMEOUT is \"\(text)\": write a number from 1 to 60")
        }
        return .seconds(seconds)
    }

    /// What staff show to be let in; nil, or set to nothing: their routes are closed. `staff.token` in the file.
    func staffToken(_ flag: String?) throws(CommandFailure) -> StaffToken? {
        let given = [
            flag, reader.string(forKey: "welms.staff.token", isSecret: true), reader.string(forKey: "staff.token", isSecret: true),
        ]
        guard let text = given.lazy.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        guard let token = StaffToken(text) else {
            throw CommandFailure("the staff token can't be sent in a header: write up to 1000 visible ASCII characters without spaces")
        }
        return token
    }

    /// What the environment calls `WELMS_…`, and the file the same without `welms`; nil where it isn't given, or is empty.
    func text(_ flag: String?, _ key: String) -> String? {
        let given = [
            flag, reader.string(forKey: ConfigKey("welms." + key)), reader.string(forKey: ConfigKey(key)),
            reader.int(forKey: ConfigKey(key)).map { "\($0)" },
        ]
        return given.lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    /// Logs go to standard error, so that what a command prints can be piped.
    func logger() throws(CommandFailure) -> Logger {
        let format = flags.logFormat ?? reader.string(forKey: "log.format") ?? "text"
        guard ["text", "json"].contains(format) else { throw CommandFailure("the log format is \"\(format)\": write text or json") }
        var logger = Logger(label: "welms") { label -> any LogHandler in
            if format == "json" { return JSONLogHandler() }
            return TextLogHandler(label: label)
        }
        let text = flags.logLevel ?? reader.string(forKey: "log.level") ?? "info"
        guard let level = Logger.Level(rawValue: text) else {
            throw CommandFailure("the log level is \"\(text)\": write trace, debug, info, notice, warning, error or critical")
        }
        logger.logLevel = level
        return logger
    }
}

/// What an operator has to mend: one line that says what to do. The program ends with status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
