// Our judgement of options against an oracle that was written from the contract alone, in another language, by somebody who had not seen ours:
// Tests/Tools/Selections. Next: SelectionCase.swift, which says what ours is.
import Foundation
import Subprocess
import TestBasics
import Testing

@Suite("Promise 10: an independent oracle")
struct SelectionOracleTests {
    private struct Judged: Decodable {
        var `case`: SelectionCase
        var judgement: SelectionVerdict
    }

    /// The promise names 10,000: `make test-long`.
    private static let cases = SearchBudget.cases(2_000, long: 10_000)

    @Test("The oracle accepts the same generated selections, at the same prices, and names the same violations")
    func agree() async throws {
        let random = SeededRandom()
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Tools/Selections/cases.py")
        let told = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: ["-B", cases.path, "--seed", String(random.seed), "--count", String(Self.cases), "--judged"],
            input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            var told: [String: Int] = [:]
            for try await line in execution.standardOutput.strings() {
                guard told["different", default: 0] < 5 else { continue }
                let judged = try JSONDecoder().decode(Judged.self, from: Data(line.utf8))
                let ours = try judged.case.verdict()
                if ours.inOneOrder != judged.judgement.inOneOrder {
                    Issue.record(
                        "\(random) number \(told["cases", default: 0] + 1): ours \(ours), the oracle's \(judged.judgement), of \(line)")
                    told["different", default: 0] += 1
                }
                told["cases", default: 0] += 1
                told[ours.isAvailable ? "available" : "unavailable", default: 0] += 1
                if ours.accepted { told["accepted", default: 0] += 1 }
                for code in Set(ours.violations.map(\.code)) { told[code, default: 0] += 1 }
            }
            return told
        }
        #expect(told.terminationStatus.isSuccess && told.closureResult["cases"] == Self.cases, "\(random)")
        // No kind of answer is rare: each is one in fifty at least.
        let kinds = [
            "available", "unavailable", "accepted", "option_group_minimum", "option_group_maximum", "option_quantity_out_of_range",
            "option_sold_out", "option_unknown",
        ]
        #expect(kinds.allSatisfy { told.closureResult[$0, default: 0] > Self.cases / 50 }, "\(told.closureResult) \(random)")
    }
}

extension SelectionVerdict {
    /// The contract names no order of the options that a line shows; equal ones of different choices below keep theirs.
    fileprivate var inOneOrder: SelectionVerdict {
        var verdict = self
        verdict.options = accepted ? (options ?? []).inOneOrder : nil
        return verdict
    }
}

extension [SelectionVerdict.Shown] {
    fileprivate var inOneOrder: [SelectionVerdict.Shown] {
        map { option in
            var option = option
            option.options = option.options.inOneOrder
            return option
        }
        .sorted { $0.optionId < $1.optionId }
    }
}
