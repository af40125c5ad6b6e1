// Where a setting comes from: a flag wins over the environment, the environment over a JSON file, the file over what holds normally.
// Used by every command. Read next: Setting.swift, the list of them.
import ArgumentParser
import Configuration
import Logging
import Postgres

/// The flags that name a database, shared by all commands that need one.
struct DatabaseOptions: ParsableArguments {
    @Option(name: Setting.databaseURL.argument, help: Setting.databaseURL.argumentHelp) var databaseURL: String?
    @Option(name: Setting.ownerURL.argument, help: Setting.ownerURL.argumentHelp) var ownerURL: String?
    @Option(name: Setting.dataDirectory.argument, help: Setting.dataDirectory.argumentHelp) var dataDirectory: String?
    @Option(name: Setting.programs.argument, help: Setting.programs.argumentHelp) var programs: String?
    @Option(name: Setting.logLevel.argument, help: Setting.logLevel.argumentHelp) var logLevel: String?
    @Option(name: Setting.logFormat.argument, help: Setting.logFormat.argumentHelp) var logFormat: String?
    @Option(help: "A JSON file with settings, such as {\"port\": 8080, \"log\": {\"level\": \"debug\"}}. (none) [env: WELMS_CONFIG]")
    var config: String?
}

struct Settings: Sendable {
    private let flags: DatabaseOptions
    private let environment: ConfigReader
    private let file: ConfigReader?
    private let path: String

    /// A value, and what the operator called it.
    struct Given {
        let text: String
        let name: String
    }

    init(_ flags: DatabaseOptions) throws(CommandFailure) {
        self.flags = flags
        let secrets = Setting.all.filter(\.isSecret).map(\.variable)
        environment = ConfigReader(provider: EnvironmentVariablesProvider(secretsSpecifier: .specific(Set(secrets))))
        let named = flags.config ?? environment.string(forKey: "welms.config")
        if let named, named.isEmpty {
            throw CommandFailure("\(flags.config == nil ? "WELMS_CONFIG" : "--config") is empty: name a settings file, or leave it out")
        }
        path = named ?? ""
        file = try named.map { name throws(CommandFailure) in ConfigReader(provider: try SettingsFile.read(name)) }
    }

    /// What was said about a setting; nil where nobody said anything. What is said and empty is refused: most often it is the value of a variable
    /// that was not set, and a server that took it for nothing said would serve another shop's menu from another database.
    func given(_ setting: Setting, _ flag: String? = nil) throws(CommandFailure) -> Given? {
        guard let given = said(setting, flag) else { return nil }
        guard given.text.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure(
                "\(given.name) is empty: give it a value, or leave it out to have what holds normally: \(setting.normally)")
        }
        return given
    }

    private func said(_ setting: Setting, _ flag: String?) -> Given? {
        if let flag { return Given(text: flag, name: setting.flag) }
        if let text = environment.string(forKey: setting.environmentKey, isSecret: setting.isSecret) {
            return Given(text: text, name: setting.variable)
        }
        return file?.string(forKey: ConfigKey(setting.key), isSecret: setting.isSecret).map {
            Given(text: $0, name: "\(setting.key) in \(path)")
        }
    }

    /// The same for what there may be several of, in the order in which they were said.
    func givenList(_ setting: Setting, _ flags: [String], split: (String) -> [String]) throws(CommandFailure) -> [String] {
        for flag in flags { _ = try given(setting, flag) }
        if !flags.isEmpty { return flags }
        if let text = try given(setting)?.text { return split(text) }
        let listed = file?.stringArray(forKey: ConfigKey(setting.key), isSecret: setting.isSecret) ?? []
        guard !listed.contains("") else { throw CommandFailure("\(setting.key) in \(path) has an empty member: leave it out") }
        return listed
    }

    /// What a setting says, understood; what can't be is refused, and `expected` says what would be right.
    func parse<Value>(
        _ setting: Setting, _ flag: String?, write expected: String, _ understand: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        guard let given = try given(setting, flag) else { return nil }
        guard let value = understand(given.text) else {
            throw CommandFailure("\(given.name) is \(setting.isSecret ? "not right" : "\"\(given.text)\""): write \(expected)")
        }
        return value
    }

    func number(_ setting: Setting, _ flag: String?, in range: ClosedRange<Int>, write expected: String) throws(CommandFailure) -> Int? {
        try parse(setting, flag, write: expected) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Nil: the embedded PostgreSQL.
    var databaseURL: String? { get throws(CommandFailure) { try url(.databaseURL, flags.databaseURL) } }
    /// For what the server's own role may not do; nil: the same as `databaseURL`.
    var ownerURL: String? { get throws(CommandFailure) { try url(.ownerURL, flags.ownerURL) } }
    var dataDirectory: String {
        get throws(CommandFailure) { try given(.dataDirectory, flags.dataDirectory)?.text ?? Setting.dataDirectory.normally }
    }

    private func url(_ setting: Setting, _ flag: String?) throws(CommandFailure) -> String? {
        guard let given = try given(setting, flag) else { return nil }
        if let fault = ConnectionString.fault(in: given.text) {
            throw CommandFailure("\(given.name) is malformed: \(fault); write it like postgres://welms_server@host/welms")
        }
        return given.text
    }

    /// The programs of the embedded PostgreSQL; nil: those that are found.
    var programs: String? { get throws(CommandFailure) { try given(.programs, flags.programs)?.text } }

    /// Logs go to standard error, so that what a command prints can be piped.
    func logger() throws(CommandFailure) -> Logger {
        let formats = ["text", "json"]
        let format = try parse(.logFormat, flags.logFormat, write: "text or json") { formats.contains($0) ? $0 : nil }
        var logger = Logger(label: "welms") { label -> any LogHandler in
            if format == "json" { return JSONLogHandler() }
            return TextLogHandler(label: label)
        }
        let levels = "trace, debug, info, notice, warning, error or critical"
        logger.logLevel = try parse(.logLevel, flags.logLevel, write: levels, Logger.Level.init(rawValue:)) ?? .info
        return logger
    }
}
