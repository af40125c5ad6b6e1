// `welms prune`: deletes expired data once and prints how much. The server does the same on a timer.
import ArgumentParser
import Database
import Logging
import Shop

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: """
            Remove abandoned baskets, the lines of ordered baskets (their orders keep a copy) and other data whose \
            retention has ended. Replace the personal data of finished orders, if the shop has set \
            personal_data_days. Safe at any time.
            """)

    @OptionGroup var database: DatabaseOptions
    @Option(
        name: [.customLong("older-than"), .customLong("prune-older-than")], help: Setting.pruneOlderThan.argumentHelp)
    var olderThan: String?

    func run() async throws {
        let settings = try Settings(database)
        let age = try PruneSchedule.age(settings, olderThan)
        try await withDatabase(settings) { url, logger in
            guard let outcome = try await Pruning(url: url, basketAge: age, logger: logger).run() else {
                return print("A server is pruning this database now: nothing was removed.")
            }
            for kind in Pruning.Kind.allCases where kind != .orders {
                let lines = kind == .baskets ? ", the lines of \(outcome.emptiedBaskets) ordered baskets" : ""
                print("\(kind.rawValue): removed \(outcome.deletedRows[kind, default: 0])\(lines)")
            }
            print("orders: replaced the personal data of \(outcome.replacedOrders)")
            let failures = outcome.failures.map { "\($0.key.rawValue): \($0.value)" }.sorted()
            guard failures.isEmpty else {
                throw CommandFailure("pruning failed for \(failures.joined(separator: "; "))")
            }
        }
    }
}

/// The interval at which the server prunes, and the age of the baskets that it removes.
struct PruneSchedule: Sendable {
    let interval: Duration
    let age: Duration

    func timer(on url: String, _ logger: Logger) -> PruningTimer {
        PruningTimer(Pruning(url: url, basketAge: age, logger: logger), every: interval, logger: logger)
    }

    /// Parses the settings; nil: pruning is off.
    static func read(_ settings: Settings, every: String?, olderThan: String?) throws(CommandFailure) -> PruneSchedule?
    {
        let age = try age(settings, olderThan)
        let every = try settings.parse(.pruneEvery, every, expecting: "a number with s, m, h or d, such as 1d, or off")
        { text in
            text == "off" ? Duration.zero : duration(from: text).flatMap { $0 >= .seconds(1) ? $0 : nil }
        }
        return every == .zero ? nil : PruneSchedule(interval: every ?? .seconds(86_400), age: age)
    }

    /// Parses --prune-older-than; 30 days without it.
    static func age(_ settings: Settings, _ flag: String?) throws(CommandFailure) -> Duration {
        let age = try settings.parse(
            .pruneOlderThan, flag, expecting: "a number with h or d, such as 30d, of at least 1h"
        ) { text in
            duration(from: text).flatMap { $0 >= Pruning.minimumBasketAge ? $0 : nil }
        }
        return age ?? .seconds(30 * 86_400)
    }

    /// Parses a number with a unit, such as 45s, 90m, 12h or 30d, up to a hundred years.
    static func duration(from text: String) -> Duration? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let count = Int64(text.dropLast()),
            case let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge,
            seconds <= 100 * 365 * 86_400
        else { return nil }
        return .seconds(seconds)
    }
}
