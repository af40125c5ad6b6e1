// Our hours, slots and judgement of wanted times against an oracle that was written from the contract alone, in another language, by
// somebody who had not seen ours: Tests/Tools/Times. Next: TimesCase.swift, the case as our facts; TimesVerdict.swift, which compares.
import Foundation
import Subprocess
import TestBasics
import Testing

@testable import Ordering

@Suite("Promise 12: an independent oracle")
struct TimesOracleTests {
    private struct Judged: Decodable {
        var `case`: TimesCase
        var judgement: TimesJudgement
    }

    /// `make test-long` asks for every minute of every shop, `make test` for every minute of two shops in fifteen.
    private static let everyMinute = SearchBudget.isLong ? "--every-minute" : nil

    @Test("Every minute of the days on which clocks change in five zones: what is offered is accepted, nothing else, as an oracle says")
    func agree() async throws {
        let random = SeededRandom()
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Tools/Times/cases.py")
        let told = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: Arguments(
                ["-B", cases.path, "--seed", String(random.seed), "--random", "2", "--judged"] + [Self.everyMinute].compactMap(\.self)),
            input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            try await withThrowingTaskGroup(of: TimesVerdict.self) { group in
                var (counts, differences, running) = ([String: Int](), 0, 0)
                func take(_ verdict: TimesVerdict?) {
                    guard let verdict else { return }
                    running -= 1
                    counts.merge(verdict.counts, uniquingKeysWith: +)
                    counts["cases", default: 0] += 1
                    guard !verdict.differences.isEmpty else { return }
                    differences += 1
                    Issue.record("\(random): \(verdict.differences.joined(separator: "\n"))")
                }
                for try await line in execution.standardOutput.strings() where differences < 5 {
                    if running == 3 { take(try await group.next()) }
                    group.addTask {
                        let judged = try JSONDecoder().decode(Judged.self, from: Data(line.utf8))
                        var verdict = TimesVerdict(judged.case)
                        try verdict.compare(judged.judgement)
                        return verdict
                    }
                    running += 1
                }
                while let verdict = try await group.next() { take(verdict) }
                return counts
            }
        }
        #expect(told.terminationStatus.isSuccess && told.closureResult["cases"] == 11 * (13 + 2), "\(random)")
        // No kind of answer is rare.
        let kinds = [
            "open", "open for good", "closed", "closed for good", "served", "not served", "offered", "soon", "not soon", "ok",
            "shop_closed", "shop_paused", "too_soon", "too_far", "not_a_slot", "slot_full", "slot_full for good", "item_not_served_then",
        ]
        #expect(kinds.allSatisfy { told.closureResult[$0, default: 0] > 40 }, "\(told.closureResult) \(random)")
    }

    @Test("The oracle says what was worked out by hand")
    func oracleItself() async throws {
        let oracle = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Tools/Times/oracle.py")
        let told = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: ["-B", oracle.path, "--self-test"], input: .none, output: .string(limit: 10_000),
            error: .currentStandardError)
        #expect(told.terminationStatus.isSuccess, "\(told.standardOutput)")
    }
}
