// Compares the validation of options with an independent oracle in Python, written from the API documentation alone:
// Tests/Tools/Selections.
import Foundation
import Subprocess
import TestBasics
import Testing

@Suite("Options compared with an independent oracle")
struct SelectionOracleTests {
    private struct Judged: Decodable {
        var `case`: SelectionCase
        var judgement: SelectionVerdict
    }

    /// 10,000 cases with `make test-long`, as documented.
    private static let cases = SearchBudget.cases(2_000, long: 10_000)

    @Test("The oracle accepts the same random selections at the same prices and finds the same errors")
    func agreesWithOracle() async throws {
        let random = SeededRandom()
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../Tools/Selections/cases.py")
        let result = try await Subprocess.run(
            .path("/usr/bin/python3"),
            arguments: ["-B", cases.path, "--seed", String(random.seed), "--count", String(Self.cases), "--judged"],
            input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            var counts: [String: Int] = [:]
            for try await line in execution.standardOutput.strings() {
                guard counts["different", default: 0] < 5 else { continue }
                let judged = try JSONDecoder().decode(Judged.self, from: Data(line.utf8))
                let verdict = try judged.case.verdict()
                if verdict.sortedByOption != judged.judgement.sortedByOption {
                    let number = counts["cases", default: 0] + 1
                    Issue.record(
                        "\(random) number \(number): ours \(verdict), the oracle's \(judged.judgement), of \(line)")
                    counts["different", default: 0] += 1
                }
                counts["cases", default: 0] += 1
                counts[verdict.isAvailable ? "available" : "unavailable", default: 0] += 1
                if verdict.accepted { counts["accepted", default: 0] += 1 }
                for code in Set(verdict.violations.map(\.code)) { counts[code, default: 0] += 1 }
            }
            return counts
        }
        #expect(result.terminationStatus.isSuccess && result.closureResult["cases"] == Self.cases, "\(random)")
        // Every kind of answer occurs in at least 2 % of the cases.
        let kinds = [
            "available", "unavailable", "accepted", "option_group_minimum", "option_group_maximum",
            "option_quantity_out_of_range",
            "option_sold_out", "option_unknown",
        ]
        #expect(
            kinds.allSatisfy { result.closureResult[$0, default: 0] > Self.cases / 50 },
            "\(result.closureResult) \(random)")
    }
}

extension SelectionVerdict {
    /// The API documents no order of a line's options. Equal options with different choices below keep their order.
    fileprivate var sortedByOption: SelectionVerdict {
        var verdict = self
        verdict.options = accepted ? (options ?? []).sortedByOption : nil
        return verdict
    }
}

extension [SelectionVerdict.ShownOption] {
    fileprivate var sortedByOption: [SelectionVerdict.ShownOption] {
        map { option in
            var option = option
            option.options = option.options.sortedByOption
            return option
        }
        .sorted { $0.optionId < $1.optionId }
    }
}
