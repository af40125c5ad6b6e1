// PostgreSQL's own command line client. It shares no code with the program, so it shows what the database contains.
import FoundationEssentials
import Glibc
import Subprocess

/// Runs SQL with psql.
package enum Psql {
    /// Runs SQL, stops at the first error, and returns the rows in lines with columns separated by `|`.
    ///
    /// In `eventually` the SQL runs in an open libpq session, which knows no psql commands such as `\gexec`.
    @discardableResult
    package static func run(_ sql: String, url: String) async throws -> String {
        if let sessions = SessionPool.forPolling { return try await sessions.run(sql, url: url) }
        let result = try await execute(["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", url], input: sql)
        guard result.isSuccess else { throw PsqlFailed(output: result.output) }
        return result.output
    }

    /// Runs a file as staff do: `psql -f FILE`.
    @discardableResult
    package static func run(file: String, url: String) async throws -> String {
        let result = try await execute(["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", file], input: "")
        guard result.isSuccess else { throw PsqlFailed(output: result.output) }
        return result.output
    }

    /// The psql binary. Debian's psql on the PATH is a Perl script whose search takes longer than most statements.
    private static let program: Executable = {
        let all = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []).compactMap { Int($0) }
            .sorted(by: >)
        let found = versions.map { "\(all)/\($0)/bin/psql" }.first(where: FileManager.default.isExecutableFile)
        return found.map { .path(.init($0)) } ?? .name("psql")
    }()

    private static func execute(_ arguments: [String], input: String) async throws -> (isSuccess: Bool, output: String)
    {
        let result = try await Subprocess.run(
            program,
            arguments: Arguments(arguments),
            environment: .inherit.updating(["PGOPTIONS": "--client-min-messages=warning", "PGTZ": "UTC"]),
            input: .fileDescriptor(.init(rawValue: try file(holding: input)), closeAfterSpawningProcess: true),
            output: .string(limit: 16 << 20),
            error: .combinedWithOutput
        )
        var output = result.standardOutput
        if output.hasSuffix("\n") { output.removeLast() }
        return (result.terminationStatus.isSuccess, output)
    }

    /// Returns an open file without a name, which psql can leave unread. A string as input would end our process:
    /// if psql ends early, Subprocess 1.0 traps with "FileDescriptor was not closed".
    private static func file(holding text: String) throws -> CInt {
        var name = Array("/tmp/welms-tests-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw SystemCallFailed(call: "mkstemp", number: errno) }
        unlink(name)
        let isReady =
            fcntl(file, F_SETFD, FD_CLOEXEC) == 0 && write(file, text, text.utf8.count) == text.utf8.count
            && lseek(file, 0, SEEK_SET) == 0
        guard isReady else {
            close(file)
            throw SystemCallFailed(call: "write", number: errno)
        }
        return file
    }
}

/// psql failed; the output contains the error and its hint.
package struct PsqlFailed: Error, CustomStringConvertible {
    /// The complete output.
    package let output: String
    /// The complete output.
    package var description: String { output }
}
