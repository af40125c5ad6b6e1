// Runs the tour of the README as a script.
import Foundation
import Subprocess
import Support
import Testing

@Suite("The README's tour")
struct ReadmeTourTests {
    @Test("The README's tour with curl places an order whose rows in PostgreSQL add up to the total that it prints")
    func tour() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            _ = try await Program.serve(["--data-dir", directory, "--port", "0"]) { server in
                let result = try await Subprocess.run(
                    .name("sh"), arguments: ["-eu", "-c", try tourScript()],
                    environment: .inherit.updating(["BASE": server.url]),
                    output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
                #expect(result.terminationStatus.isSuccess, "\(result.standardOutput)\n\(result.standardError)")
                #expect(result.standardOutput.contains("sent twice, ordered once"), "\(result.standardOutput)")

                let shown = try #require(
                    result.standardOutput.split(separator: "\n").first { $0.hasPrefix("total ") }?.dropFirst(6))
                let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
                let rows = try await Psql.run(
                    """
                    select sum(order_lines.total - order_lines.discount), sum(distinct orders.total),
                        count(distinct orders.id)
                    from order_lines join orders on orders.id = order_id
                    """, url: url)
                #expect(rows == "\(shown)|\(shown)|1")
                // Three items at 8.05 and three at 8.99, minus 10 %.
                #expect(shown == "4601")
            }
        }
    }

    private func tourScript() throws -> String {
        let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- tour"))
        let script = try #require(text[start.upperBound...].range(of: "```sh\n"))
        let end = try #require(text[script.upperBound...].range(of: "\n```"))
        return String(text[script.upperBound..<end.lowerBound])
    }
}
