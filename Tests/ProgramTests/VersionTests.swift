// Which program runs: what `welms --version` and /livez say, and that a build always knows the commit that it is of, or says that it doesn't.
// Tests Sources/Origin, and Sources/Web/Operations/ProgramVersion.swift.
import Foundation
import Subprocess
import Support
import Testing
import Web
import Wire

@Suite("The program tells its version and the commit that it was built from")
struct VersionTests {
    @Test("welms --version and GET /livez say the same, and the commit is one of this repository's, or is said to be unknown")
    func told() async throws {
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
        let told = ProgramVersion(commit: served.commit, isChanged: served.isChanged)
        #expect(printed.output.trimmed == told.description)
        guard let commit = served.commit else { return #expect(!Repository.holds(".git")) }
        // Later ones may have been made since.
        #expect(try await Self.git("cat-file", "-t", commit, in: Repository.path) == "commit")
    }

    @Test("A version reads as a sentence, with its commit, with what is in no commit, or without")
    func sentences() {
        let words = ["welms 0.1.0, commit 5e1c309", "welms 0.1.0, commit 5e1c309 and changes that are in no commit"]
        #expect([false, true].map { "\(ProgramVersion(commit: "5e1c309", isChanged: $0))" } == words)
        #expect("\(ProgramVersion())" == "welms 0.1.0, of no known commit: it was built without git")
    }

    @Test("A build asks git: in a clean clone, after a change, after a commit; without git or inside another repository no commit is known")
    func asked() async throws {
        try await TemporaryDirectory.with { directory in
            let (origin, clone) = ("\(directory)/origin", "\(directory)/clone")
            try FileManager.default.createDirectory(atPath: "\(origin)/Sources", withIntermediateDirectories: true)
            try "let a = 1\n".write(toFile: "\(origin)/Sources/A.swift", atomically: true, encoding: .utf8)
            try await Self.git("init", "--quiet", in: origin)
            try await Self.commit(in: origin)
            try await Self.git("clone", "--quiet", origin, clone, in: directory)

            let first = try await Self.git("rev-parse", "HEAD", in: clone)
            #expect(try await Self.found(in: clone) == #"("\#(first)", false)"#)
            try "note\n".write(toFile: "\(clone)/notes.txt", atomically: true, encoding: .utf8)
            #expect(try await Self.found(in: clone) == #"("\#(first)", false)"#, "it is no part of the program")
            try "let b = 1\n".write(toFile: "\(clone)/Sources/B.swift", atomically: true, encoding: .utf8)
            #expect(try await Self.found(in: clone) == #"("\#(first)", true)"#)
            try await Self.commit(in: clone)
            let second = try await Self.git("rev-parse", "HEAD", in: clone)
            #expect(try await Self.found(in: clone) == #"("\#(second)", false)"# && second != first)

            // Where git keeps no log, SwiftPM would not hear of another commit.
            #expect(try await Self.found(in: clone, log: "") == "nil")
            let copy = "\(clone)/copy"
            try FileManager.default.createDirectory(atPath: "\(copy)/Sources", withIntermediateDirectories: true)
            #expect(try await Self.found(in: copy, log: "\(clone)/.git/logs/HEAD") == "nil")
            try FileManager.default.removeItem(atPath: "\(clone)/.git")
            #expect(try await Self.found(in: clone) == "nil")
        }
    }

    /// What the build's command writes of a folder.
    private static func found(in folder: String, log: String? = nil) async throws -> String {
        let output = "\(folder)/../Commit.swift"
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: ["\(Repository.path)/Sources/Origin/commit.sh", folder, output, log ?? "\(folder)/.git/logs/HEAD"],
            output: .discarded, error: .string(limit: 4096))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        let text = try String(contentsOfFile: output, encoding: .utf8)
        return text.trimmed.components(separatedBy: "let builtFrom: (id: String, isChanged: Bool)? = ").last ?? text
    }

    private static func commit(in folder: String) async throws {
        try await git("add", "--all", in: folder)
        try await git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "--message", "A change", in: folder)
    }

    @discardableResult
    private static func git(_ arguments: String..., in folder: String) async throws -> String {
        let result = try await Subprocess.run(
            .name("git"), arguments: Arguments(arguments), workingDirectory: .init(folder), output: .string(limit: 4096),
            error: .string(limit: 4096))
        try #require(result.terminationStatus.isSuccess, "git \(arguments): \(result.standardError)")
        return result.standardOutput.trimmed
    }
}
