// Reads settings. A flag wins over the environment, the environment over the settings file, the file over the default.
import ArgumentParser
import Configuration
import Logging
import Postgres

/// The flags that all commands with a database share.
struct DatabaseOptions: ParsableArguments {
    @Option(name: Setting.databaseURL.argument, help: Setting.databaseURL.argumentHelp) var databaseURL: String?
    @Option(name: Setting.ownerURL.argument, help: Setting.ownerURL.argumentHelp) var ownerURL: String?
    @Option(name: Setting.dataDirectory.argument, help: Setting.dataDirectory.argumentHelp) var dataDirectory: String?
    @Option(name: Setting.programs.argument, help: Setting.programs.argumentHelp) var programs: String?
    @Option(name: Setting.logLevel.argument, help: Setting.logLevel.argumentHelp) var logLevel: String?
    @Option(name: Setting.logFormat.argument, help: Setting.logFormat.argumentHelp) var logFormat: String?
    @Option(
        help: """
            A JSON file with settings, such as {"port": 8080, "log": {"level": "debug"}}. (none) [env: WELMS_CONFIG]
            """)
    var config: String?
}

/// The values of the settings, from flags, environment and settings file.
struct Settings: Sendable {
    private let flags: DatabaseOptions
    private let environment: ConfigReader
    private let file: ConfigReader?
    private let path: String

    /// A raw value, with the name that the operator used for it in messages.
    struct NamedValue {
        let text: String
        let name: String
    }

    init(_ flags: DatabaseOptions) throws(CommandFailure) {
        self.flags = flags
        let secrets = Setting.all.filter(\.isSecret).map(\.variable)
        environment = ConfigReader(provider: EnvironmentVariablesProvider(secretsSpecifier: .specific(Set(secrets))))
        let configPath = flags.config ?? environment.string(forKey: "welms.config")
        if let configPath, configPath.isEmpty {
            let name = flags.config == nil ? "WELMS_CONFIG" : "--config"
            throw CommandFailure("\(name) is empty: name a settings file, or leave it out")
        }
        path = configPath ?? ""
        file = try configPath.map { name throws(CommandFailure) in ConfigReader(provider: try SettingsFile.read(name)) }
    }

    /// The raw value of a setting; nil: it is not set. Throws if the value is empty.
    ///
    /// An empty value is mostly an unset shell variable. Treating it as not set could open another shop's database.
    func rawValue(_ setting: Setting, _ flag: String? = nil) throws(CommandFailure) -> NamedValue? {
        guard let raw = lookUp(setting, flag) else { return nil }
        guard raw.text.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure(
                "\(raw.name) is empty: set a value, or leave it out for the default: \(setting.defaultValue)")
        }
        return raw
    }

    private func lookUp(_ setting: Setting, _ flag: String?) -> NamedValue? {
        if let flag { return NamedValue(text: flag, name: setting.flag) }
        if let text = environment.string(forKey: setting.environmentKey, isSecret: setting.isSecret) {
            return NamedValue(text: text, name: setting.variable)
        }
        return file?.string(forKey: ConfigKey(setting.key), isSecret: setting.isSecret).map {
            NamedValue(text: $0, name: "\(setting.key) in \(path)")
        }
    }

    /// The raw values of a setting that takes several, in their order.
    func rawValues(_ setting: Setting, _ flags: [String], split: (String) -> [String]) throws(CommandFailure)
        -> [String]
    {
        for flag in flags { _ = try rawValue(setting, flag) }
        if !flags.isEmpty { return flags }
        if let text = try rawValue(setting)?.text { return split(text) }
        let listed = file?.stringArray(forKey: ConfigKey(setting.key), isSecret: setting.isSecret) ?? []
        guard !listed.contains("") else {
            throw CommandFailure("\(setting.key) in \(path) has an empty member: remove it")
        }
        return listed
    }

    /// Parses a setting; nil: it is not set. Throws if the value is invalid; `expected` describes a valid value.
    func parse<Value>(
        _ setting: Setting, _ flag: String?, expecting expected: String, _ convert: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        guard let raw = try rawValue(setting, flag) else { return nil }
        guard let value = convert(raw.text) else {
            let rejected = setting.isSecret ? "invalid" : "\"\(raw.text)\""
            throw CommandFailure("\(raw.name) is \(rejected): write \(expected)")
        }
        return value
    }

    func number(_ setting: Setting, _ flag: String?, in range: ClosedRange<Int>, expecting expected: String)
        throws(CommandFailure) -> Int?
    {
        try parse(setting, flag, expecting: expected) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// The URL of the database; nil: use the embedded PostgreSQL.
    var databaseURL: String? { get throws(CommandFailure) { try url(.databaseURL, flags.databaseURL) } }
    /// The URL for the database's owner, who may do what the server's role may not; nil: the same as `databaseURL`.
    var ownerURL: String? { get throws(CommandFailure) { try url(.ownerURL, flags.ownerURL) } }
    var dataDirectory: String {
        get throws(CommandFailure) {
            try rawValue(.dataDirectory, flags.dataDirectory)?.text ?? Setting.dataDirectory.defaultValue
        }
    }

    private func url(_ setting: Setting, _ flag: String?) throws(CommandFailure) -> String? {
        guard let raw = try rawValue(setting, flag) else { return nil }
        if let fault = ConnectionString.problem(in: raw.text) {
            throw CommandFailure("\(raw.name) is malformed: \(fault); write it like postgres://welms_server@host/welms")
        }
        return raw.text
    }

    /// The directory with the embedded PostgreSQL's programs; nil: the newest that are installed.
    var programs: String? { get throws(CommandFailure) { try rawValue(.programs, flags.programs)?.text } }

    /// Makes a logger that writes to standard error, so that a command's output can be piped.
    func logger() throws(CommandFailure) -> Logger {
        let formats = ["text", "json"]
        let format = try parse(.logFormat, flags.logFormat, expecting: "text or json") {
            formats.contains($0) ? $0 : nil
        }
        var logger = Logger(label: "welms") { label -> any LogHandler in
            if format == "json" { return JSONLogHandler() }
            return TextLogHandler(label: label)
        }
        let levels = "trace, debug, info, notice, warning, error or critical"
        logger.logLevel = try parse(.logLevel, flags.logLevel, expecting: levels, Logger.Level.init(rawValue:)) ?? .info
        return logger
    }
}
