// PostgreSQL's files are exchanged under a server that runs, as an upgrade does it: when it is started anew, and when it is left alone.
// Tests Sources/EmbeddedPostgres/ServerFiles.swift. Under guests, and with the files of another release: Tests/Tools/Chaos.
import Foundation
import Support
import Testing

@testable import EmbeddedPostgres

@Suite("Files that are replaced", .timeLimit(.minutes(10)))
struct ReplacementTests {
    private static let begin = ContinuousClock.now
    private func at(_ seconds: Double) -> ContinuousClock.Instant { Self.begin + .seconds(seconds) }

    /// Files that are told apart by their size.
    private func files(_ size: Int) throws -> ServerFiles {
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try PrivateFile.write(String(repeating: "x", count: size), to: "\(directory)/postgres", owner: .current)
        return ServerFiles(of: ServerBinaries(directory: directory, version: 15))
    }

    @Test("Files that are others are tried once they have been the same for a second")
    func settled() throws {
        let (old, half, new) = (try files(1), try files(2), try files(3))
        var watch = ReplacementWatch(running: old)
        let asked = [(old, 0), (half, 1), (new, 1.5), (new, 2.4), (new, 2.6)].map { files, seconds in
            watch.shouldTry(files, at: at(seconds))
        }
        #expect(asked == [false, false, false, false, true])
        watch.replaced(with: new, at: at(3))
        let isTriedAgain = watch.shouldTry(new, at: at(100))
        #expect(!isTriedAgain)
    }

    @Test("Files that don't work are tried less and less often, others at once")
    func failures() throws {
        var watch = ReplacementWatch(running: try files(1))
        let (bad, good) = (try files(2), try files(3))
        let asked = [watch.shouldTry(bad, at: at(0)), watch.shouldTry(bad, at: at(1))]
        #expect(asked == [false, true])
        var (now, pauses) = (1.0, [Double]())
        for _ in 0..<6 {
            watch.failed(at: at(now))
            let failed = now
            while !watch.shouldTry(bad, at: at(now)) { now += 1 }
            pauses.append(now - failed)
        }
        #expect(pauses == [5, 10, 20, 40, 60, 60])
        watch.failed(at: at(now))
        let others = [watch.shouldTry(good, at: at(now)), watch.shouldTry(good, at: at(now + 1))]
        #expect(others == [false, true])
    }

    @Test("Files that are exchanged again and again start it anew less and less often")
    func notInALoop() throws {
        var watch = ReplacementWatch(running: try files(1))
        var (now, pauses) = (0.0, [Double]())
        for round in 0..<8 {
            let replaced = try files(2 + round)
            let since = now
            while !watch.shouldTry(replaced, at: at(now)) { now += 1 }
            watch.replaced(with: replaced, at: at(now))
            pauses.append(now - since)
        }
        #expect(pauses == [1, 10, 20, 40, 80, 160, 300, 300])
    }

    @Test("A server goes on while its library is damaged, and is started anew from one that is whole, with all that was committed")
    func server() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let programs = try await copyOfThePrograms(in: directory)
            let library = "\(programs)/../lib/plpgsql.so"
            let whole = try Data(contentsOf: URL(fileURLWithPath: library))
            let (events, observe) = AsyncStream.makeStream(of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, programs: programs, logger: quiet) {
                observe.yield($0)
            }
            let (first, watch) = (await postgres.pid, Task { await postgres.run() })
            try await Psql.run("create table kept as select 42 as answer", url: postgres.url)

            try exchange(library, Data(whole.reversed()))
            try await eventually("it was tried", within: .seconds(30)) {
                try FileManager.default.contentsOfDirectory(atPath: postgres.directory).contains { $0.hasPrefix("trial-") }
            }
            try await eventually("the trial is over", within: .seconds(30)) {
                try !FileManager.default.contentsOfDirectory(atPath: postgres.directory).contains { $0.hasPrefix("trial-") }
            }
            #expect(try await Psql.run("select answer from kept", url: postgres.url) == "42")
            let refused = await #expect(throws: PsqlFailed.self) { try await Psql.run("do $$ begin end $$", url: postgres.url) }
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

    @Test("A server that is adopted after its program was replaced is known to run from what is gone")
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

    /// A directory of programs that can be broken.
    private func copyOfThePrograms(in directory: String) async throws -> String {
        let installed = try await ServerBinaries.find(needed: nil, for: directory)
        let place = "\(directory)/\(installed.directory.split(separator: "/").dropFirst().joined(separator: "/"))"
        let parent = (place as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: (parent as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: (installed.directory as NSString).deletingLastPathComponent, toPath: parent)
        // The programs find what they share where they find each other.
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/share", withDestinationPath: "/usr/share")
        for path in [directory, parent] { chmod(path, 0o755) }
        return place
    }

    /// As a package manager does: the old file goes on for those who have it open.
    private func exchange(_ path: String, _ content: Data) throws {
        try content.write(to: URL(fileURLWithPath: path), options: .atomic)
        chmod(path, 0o755)
    }
}
