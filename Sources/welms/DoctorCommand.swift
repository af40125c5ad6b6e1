// Looks at everything an operator can get wrong, one line each, and says what to do about it. Changes nothing.
import ArgumentParser
import Database
import EmbeddedPostgres
import Logging
import Postgres

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the machine, the settings and the database, and say what to do. Changes nothing.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let settings = try Settings(database)
        var logger = try settings.logger()
        logger.logLevel = .critical
        var findings = [Finding(problem: nil, about: "settings")]

        var (url, ownerURL) = (settings.databaseURL, settings.ownerURL)
        if url == nil {
            do {
                url = try EmbeddedPostgres.url(dataDirectory: settings.dataDirectory, role: .server)
                ownerURL = try EmbeddedPostgres.url(dataDirectory: settings.dataDirectory, role: .owner)
            } catch {
                findings.append(Finding(problem: "\(error)", about: "embedded PostgreSQL"))
            }
        }
        if let url {
            let checks = ShopChecks(url: url, ownerURL: ownerURL, logger: logger)
            findings += await checks.run().map { Finding(problem: $0.problem, about: $0.name) }
        }
        for finding in findings { print(finding) }
        if findings.contains(where: { $0.problem != nil }) { throw ExitCode.failure }
    }

    private struct Finding: CustomStringConvertible {
        let problem: String?
        let about: String

        var description: String { problem.map { "PROBLEM  \(about): \($0)" } ?? "ok       \(about)" }
    }
}
