// Removes what nobody needs any more, once, and says how much that was. The server does the same by itself.
// Read next: Sources/Database/Retention/BasketPruning.swift.
import ArgumentParser
import Database
import Logging

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove abandoned baskets, and the lines of ordered ones, which their orders keep. Safe at any time.")

    @OptionGroup var database: DatabaseOptions
    @Option(help: "For how long nobody has changed them, such as 12h or 30d; 30d unless said otherwise, 1h at least.")
    var olderThan: String?

    func run() async throws {
        let settings = try await Settings(database)
        let age = try PruneOptions.age(olderThan, "--older-than")
        try await withDatabase(settings) { url, logger in
            guard let outcome = try await BasketPruning(url: url, olderThan: age, logger: logger).run() else {
                return print("A server prunes this database right now.")
            }
            print("removed \(outcome.abandoned) abandoned baskets, and the lines of \(outcome.emptied) ordered ones")
        }
    }
}

/// The flags of `welms serve` that say what it prunes, and when.
struct PruneOptions: ParsableArguments {
    @Option(
        help: "How often to remove what `welms prune` removes, such as 12h; 1d unless said otherwise, or off. [env: WELMS_PRUNE_EVERY]")
    var pruneEvery: String?
    @Option(help: "For how long nobody has changed it; 30d unless said otherwise. [env: WELMS_PRUNE_OLDER_THAN]")
    var pruneOlderThan: String?

    /// What these flags come to.
    struct Schedule {
        let every: Duration
        let age: Duration

        func timer(on url: String, _ logger: Logger) -> PruningTimer {
            PruningTimer(BasketPruning(url: url, olderThan: age, logger: logger), every: every, logger: logger)
        }
    }

    /// Nil where it is off.
    func schedule(_ settings: Settings) throws(CommandFailure) -> Schedule? {
        let age = try Self.age(settings.text(pruneOlderThan, "prune.older.than"), "--prune-older-than")
        let text = settings.text(pruneEvery, "prune.every") ?? "1d"
        if text == "off" { return nil }
        guard let every = Self.period(text), every >= .seconds(1) else {
            throw CommandFailure("--prune-every is \"\(text)\": write a number and s, m, h or d, such as 1d, or off")
        }
        return Schedule(every: every, age: age)
    }

    static func age(_ text: String?, _ flag: String) throws(CommandFailure) -> Duration {
        guard let age = period(text ?? "30d"), age >= BasketPruning.shortestAge else {
            throw CommandFailure("\(flag) is \"\(text ?? "")\": write a number and h or d, such as 30d; 1h at least")
        }
        return age
    }

    /// A number and its unit: 45s, 90m, 12h, 30d. A hundred years at most.
    static func period(_ text: String) -> Duration? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let count = Int64(text.dropLast()), case let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge,
            seconds <= 100 * 365 * 86_400
        else { return nil }
        return .seconds(seconds)
    }
}
