// Removes what nobody needs any more, once, and says how much that was. The server does the same by itself.
// Read next: Sources/Database/Retention/BasketPruning.swift.
import ArgumentParser
import Database
import Logging
import Shop

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract:
            "Remove abandoned baskets, the lines of ordered ones, which their orders keep, and what the audit has of years ago. Safe at any time."
    )

    @OptionGroup var database: DatabaseOptions
    @Option(name: [.customLong("older-than"), .customLong("prune-older-than")], help: Setting.pruneOlderThan.argumentHelp)
    var olderThan: String?

    func run() async throws {
        let settings = try Settings(database)
        let age = try PruneSchedule.age(settings, olderThan)
        try await withDatabase(settings) { url, logger in
            guard let outcome = try await BasketPruning(url: url, olderThan: age, logger: logger).run() else {
                return print("A server prunes this database right now.")
            }
            let audit = outcome.forgotten == 0 ? "" : ", and \(outcome.forgotten) rows of the audit"
            print("removed \(outcome.abandoned) abandoned baskets, and the lines of \(outcome.emptied) ordered ones\(audit)")
        }
    }
}

struct PruneSchedule: Sendable {
    let every: Duration
    let age: Duration

    func timer(on url: String, _ logger: Logger) -> PruningTimer {
        PruningTimer(BasketPruning(url: url, olderThan: age, logger: logger), every: every, logger: logger)
    }

    /// Nil where it is off.
    static func read(_ settings: Settings, every: String?, olderThan: String?) throws(CommandFailure) -> PruneSchedule? {
        let age = try age(settings, olderThan)
        let every = try settings.parse(.pruneEvery, every, write: "a number and s, m, h or d, such as 1d, or off") { text in
            text == "off" ? Duration.zero : period(text).flatMap { $0 >= .seconds(1) ? $0 : nil }
        }
        return every == .zero ? nil : PruneSchedule(every: every ?? .seconds(86_400), age: age)
    }

    static func age(_ settings: Settings, _ flag: String?) throws(CommandFailure) -> Duration {
        let age = try settings.parse(.pruneOlderThan, flag, write: "a number and h or d, such as 30d; 1h at least") { text in
            period(text).flatMap { $0 >= BasketPruning.shortestAge ? $0 : nil }
        }
        return age ?? .seconds(30 * 86_400)
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
