// Compares hours, slots and wanted times with an independent oracle in Python, written from the API documentation
// alone: Tests/Tools/Times.
import Foundation
import Subprocess
import TestBasics
import Testing

@testable import Ordering

@Suite("Times compared with an independent oracle")
struct TimesOracleTests {
    private struct Judged: Decodable {
        var `case`: TimesCase
        var judgement: TimesJudgement
    }

    /// `make test-long` compares every minute of every shop, `make test` every minute of two shops in fifteen.
    private static let everyMinute = SearchBudget.isLong ? "--every-minute" : nil

    @Test("Around clock changes in five zones, a time is offered exactly if it is accepted, as the oracle expects")
    func agreesWithOracle() async throws {
        let random = SeededRandom()
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../Tools/Times/cases.py")
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: Arguments(
                ["-B", cases.path, "--seed", String(random.seed), "--random", "2", "--judged"]
                    + [Self.everyMinute].compactMap(\.self)),
            input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            try await withThrowingTaskGroup(of: TimesComparison.self) { group in
                var (counts, differences, running) = ([String: Int](), 0, 0)
                func take(_ verdict: TimesComparison?) {
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
                        var verdict = TimesComparison(judged.case)
                        try verdict.compare(judged.judgement)
                        return verdict
                    }
                    running += 1
                }
                while let verdict = try await group.next() { take(verdict) }
                return counts
            }
        }
        #expect(result.terminationStatus.isSuccess && result.closureResult["cases"] == 11 * (13 + 2), "\(random)")
        // Every kind of answer occurs often.
        let kinds = [
            "open", "open for good", "closed", "closed for good", "served", "not served", "offered", "soon", "not soon",
            "ok",
            "shop_closed", "shop_paused", "too_soon", "too_far", "not_a_slot", "slot_full", "slot_full for good",
            "item_not_served_then",
        ]
        #expect(kinds.allSatisfy { result.closureResult[$0, default: 0] > 40 }, "\(result.closureResult) \(random)")
    }

    @Test("The oracle passes its own self-test of cases calculated by hand")
    func oracleSelfTest() async throws {
        let oracle = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../Tools/Times/oracle.py")
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"), arguments: ["-B", oracle.path, "--self-test"], input: .none,
            output: .string(limit: 10_000),
            error: .currentStandardError)
        #expect(result.terminationStatus.isSuccess, "\(result.standardOutput)")
    }
}
