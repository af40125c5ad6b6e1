// The version and the commit in `welms --version` and /livez, and the build plugin that finds the commit.
import Foundation
import Subprocess
import Support
import Testing
import Web
import Wire

@Suite("Program version")
struct VersionTests {
    @Test("welms --version and GET /livez report the same version, with a commit of this repository or none")
    func reported() async throws {
        let printed = try await Program.run(["--version"])
        #expect(printed.status == 0 && printed.error.isEmpty)
        let served = try await TestDatabase.with { database in
            try await Program.serve(database.serveArguments + ["--port", "0"]) { server in
                let reply = try await Subprocess.run(
                    .name("curl"), arguments: ["-s", "\(server.url)/livez"], output: .string(limit: 4096))
                return try JSONDecoder().decode(LivenessBody.self, from: Data(reply.standardOutput.utf8))
            }.value
        }
        #expect(served.status == "alive" && served.version == ProgramVersion().number)
        let version = ProgramVersion(commit: served.commit, hasUncommittedChanges: served.isChanged)
        #expect(printed.output.trimmed == version.description)
        guard let commit = served.commit else { return #expect(!Repository.contains(".git")) }
        // The repository may have newer commits.
        #expect(try await Self.git("cat-file", "-t", commit, in: Repository.path) == "commit")
    }

    @Test("A version's description names the commit, uncommitted changes, or an unknown commit")
    func sentences() {
        let words = ["welms 1.0.0, commit 5e1c309", "welms 1.0.0, commit 5e1c309 and uncommitted changes"]
        #expect([false, true].map { "\(ProgramVersion(commit: "5e1c309", hasUncommittedChanges: $0))" } == words)
        #expect("\(ProgramVersion())" == "welms 1.0.0, commit unknown: built without git")
    }

    @Test(
        "commit.sh finds the commit and uncommitted changes of a clone, and none without git or in another repository")
    func commitScript() async throws {
        try await TemporaryDirectory.with { directory in
            let (origin, clone) = ("\(directory)/origin", "\(directory)/clone")
            try FileManager.default.createDirectory(atPath: "\(origin)/Sources", withIntermediateDirectories: true)
            try "let a = 1\n".write(toFile: "\(origin)/Sources/A.swift", atomically: true, encoding: .utf8)
            try await Self.git("init", "--quiet", in: origin)
            try await Self.commit(in: origin)
            try await Self.git("clone", "--quiet", origin, clone, in: directory)

            let first = try await Self.git("rev-parse", "HEAD", in: clone)
            #expect(try await Self.builtFrom(in: clone) == #"("\#(first)", false)"#)
            try "note\n".write(toFile: "\(clone)/notes.txt", atomically: true, encoding: .utf8)
            #expect(
                try await Self.builtFrom(in: clone) == #"("\#(first)", false)"#,
                "notes.txt is not a part of the program")
            try "let b = 1\n".write(toFile: "\(clone)/Sources/B.swift", atomically: true, encoding: .utf8)
            #expect(try await Self.builtFrom(in: clone) == #"("\#(first)", true)"#)
            try await Self.commit(in: clone)
            let second = try await Self.git("rev-parse", "HEAD", in: clone)
            #expect(try await Self.builtFrom(in: clone) == #"("\#(second)", false)"# && second != first)

            // Without git's log SwiftPM would not notice another commit.
            #expect(try await Self.builtFrom(in: clone, log: "") == "nil")
            let copy = "\(clone)/copy"
            try FileManager.default.createDirectory(atPath: "\(copy)/Sources", withIntermediateDirectories: true)
            #expect(try await Self.builtFrom(in: copy, log: "\(clone)/.git/logs/HEAD") == "nil")
            try FileManager.default.removeItem(atPath: "\(clone)/.git")
            #expect(try await Self.builtFrom(in: clone) == "nil")
        }
    }

    /// The value that commit.sh writes for a folder.
    private static func builtFrom(in folder: String, log: String? = nil) async throws -> String {
        let output = "\(folder)/../Commit.swift"
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: [
                "\(Repository.path)/Sources/Origin/commit.sh", folder, output, log ?? "\(folder)/.git/logs/HEAD",
            ],
            output: .discarded, error: .string(limit: 4096))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        let text = try String(contentsOfFile: output, encoding: .utf8)
        return text.trimmed.components(separatedBy: "let builtFrom: (id: String, isChanged: Bool)? = ").last ?? text
    }

    private static func commit(in folder: String) async throws {
        try await git("add", "--all", in: folder)
        try await git(
            "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "--message", "A change",
            in: folder)
    }

    @discardableResult
    private static func git(_ arguments: String..., in folder: String) async throws -> String {
        let result = try await Subprocess.run(
            .name("git"), arguments: Arguments(arguments), workingDirectory: .init(folder),
            output: .string(limit: 4096),
            error: .string(limit: 4096))
        try #require(result.terminationStatus.isSuccess, "git \(arguments): \(result.standardError)")
        return result.standardOutput.trimmed
    }
}
