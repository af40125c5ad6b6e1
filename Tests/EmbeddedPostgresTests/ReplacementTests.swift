// Replacing the files of a running server, as an upgrade does. Tests/Tools/Chaos covers the same under load and with
// another release.
import Foundation
import Support
import Testing

@testable import EmbeddedPostgres

@Suite("Replaced server files", .timeLimit(.minutes(10)))
struct ReplacementTests {
    private static let begin = ContinuousClock.now
    private func at(_ seconds: Double) -> ContinuousClock.Instant { Self.begin + .seconds(seconds) }

    /// Files that differ in their size.
    private func files(_ size: Int) throws -> ServerFiles {
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try PrivateFile.write(String(repeating: "x", count: size), to: "\(directory)/postgres", owner: .current)
        return ServerFiles(of: ServerBinaries(directory: directory, version: 15))
    }

    @Test("A restart from replaced files is tried once the files have been unchanged for one second")
    func settled() throws {
        let (old, half, new) = (try files(1), try files(2), try files(3))
        var watch = ReplacementWatch(running: old)
        let asked = [(old, 0), (half, 1), (new, 1.5), (new, 2.4), (new, 2.6)].map { files, seconds in
            watch.shouldRestart(with: files, at: at(seconds))
        }
        #expect(asked == [false, false, false, false, true])
        watch.recordRestart(from: new, at: at(3))
        let isTriedAgain = watch.shouldRestart(with: new, at: at(100))
        #expect(!isTriedAgain)
    }

    @Test("Files that do not work are retried after growing pauses, and other files after one second")
    func failures() throws {
        var watch = ReplacementWatch(running: try files(1))
        let (bad, good) = (try files(2), try files(3))
        let asked = [watch.shouldRestart(with: bad, at: at(0)), watch.shouldRestart(with: bad, at: at(1))]
        #expect(asked == [false, true])
        var (now, pauses) = (1.0, [Double]())
        for _ in 0..<6 {
            watch.recordFailure(at: at(now))
            let failed = now
            while !watch.shouldRestart(with: bad, at: at(now)) { now += 1 }
            pauses.append(now - failed)
        }
        #expect(pauses == [5, 10, 20, 40, 60, 60])
        watch.recordFailure(at: at(now))
        let triesOfOtherFiles = [
            watch.shouldRestart(with: good, at: at(now)), watch.shouldRestart(with: good, at: at(now + 1)),
        ]
        #expect(triesOfOtherFiles == [false, true])
    }

    @Test("Repeated replacements restart the server after growing pauses")
    func notInALoop() throws {
        var watch = ReplacementWatch(running: try files(1))
        var (now, pauses) = (0.0, [Double]())
        for round in 0..<8 {
            let replaced = try files(2 + round)
            let since = now
            while !watch.shouldRestart(with: replaced, at: at(now)) { now += 1 }
            watch.recordRestart(from: replaced, at: at(now))
            pauses.append(now - since)
        }
        #expect(pauses == [1, 10, 20, 40, 80, 160, 300, 300])
    }

    @Test("A server keeps running while its library is damaged, and restarts with all data once the library is whole")
    func server() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let programs = try await copyOfThePrograms(in: directory)
            let library = "\(programs)/../lib/plpgsql.so"
            let whole = try Data(contentsOf: URL(fileURLWithPath: library))
            let (events, observe) = AsyncStream.makeStream(
                of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, programs: programs, logger: quiet)
            {
                observe.yield($0)
            }
            let (first, watch) = (await postgres.pid, Task { await postgres.run() })
            try await Psql.run("create table kept as select 42 as answer", url: postgres.url)

            try exchange(library, Data(whole.reversed()))
            try await eventually("the damaged files are tested", within: .seconds(30)) {
                try FileManager.default.contentsOfDirectory(atPath: postgres.directory).contains {
                    $0.hasPrefix("trial-")
                }
            }
            try await eventually("the test of the files has ended", within: .seconds(30)) {
                try !FileManager.default.contentsOfDirectory(atPath: postgres.directory).contains {
                    $0.hasPrefix("trial-")
                }
            }
            #expect(try await Psql.run("select answer from kept", url: postgres.url) == "42")
            let refused = await #expect(throws: PsqlFailed.self) {
                try await Psql.run("do $$ begin end $$", url: postgres.url)
            }
            #expect(refused?.output.contains("could not load library") == true)
            #expect(await postgres.pid == first)

            try exchange(library, whole)
            var seen: [EmbeddedPostgres.Event] = []
            for await event in events {
                seen.append(event)
                if event == .restarted { break }
            }
            #expect(seen == [.replaced, .restarted])
            #expect(await postgres.pid != first)
            #expect(try await Psql.run("do $$ begin end $$; select answer from kept", url: postgres.url) == "42")
            await postgres.stop()
            await watch.value
        }
    }

    @Test("An adopted server whose program was replaced is recognised as running the old program")
    func adopted() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let programs = try await copyOfThePrograms(in: directory)
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, programs: programs, logger: quiet)
            let binaries = try await ServerBinaries.find(needed: nil, in: programs, for: directory)
            let pid = await postgres.pid
            #expect(ServerFiles(of: binaries, adoptedAs: pid) == ServerFiles(of: binaries))
            try exchange("\(programs)/postgres", try Data(contentsOf: URL(fileURLWithPath: "\(programs)/postgres")))
            #expect(ServerFiles(of: binaries, adoptedAs: pid) != ServerFiles(of: binaries))
            await postgres.stop()
        }
    }

    /// Copies the server's programs into a directory where the test can damage them.
    private func copyOfThePrograms(in directory: String) async throws -> String {
        let installed = try await ServerBinaries.find(needed: nil, for: directory)
        let copy = "\(directory)/\(installed.directory.split(separator: "/").dropFirst().joined(separator: "/"))"
        let parent = (copy as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: (parent as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: (installed.directory as NSString).deletingLastPathComponent, toPath: parent)
        // The programs find their shared files relative to their own directory.
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/share", withDestinationPath: "/usr/share")
        for path in [directory, parent] { chmod(path, 0o755) }
        return copy
    }

    /// Replaces a file as a package manager does: processes that have the old file open keep it.
    private func exchange(_ path: String, _ content: Data) throws {
        try content.write(to: URL(fileURLWithPath: path), options: .atomic)
        chmod(path, 0o755)
    }
}
