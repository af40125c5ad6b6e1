// What is killed comes back: the server's process, the process that owned it, and files that lie about both.
// Everything here is done to real servers with real signals.
import Foundation
import Glibc
import Subprocess
import Support
import Testing

@testable import EmbeddedPostgres

@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
    @Test("The server of a killed process is adopted: the same server, and it is watched like one's own")
    func adoption() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            // When the owner is gone its lock is free and its server runs on, whatever ended it.
            let orphan = try await startAndForget(directory)
            let (events, observe) = AsyncStream.makeStream(of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) { observe.yield($0) }
            let adopted = await postgres.pid
            #expect(adopted == orphan.pid)
            #expect(postgres.url == orphan.url)

            let watch = Task { await postgres.run() }
            kill(adopted, SIGKILL)
            let seen = await firstTwo(events)
            #expect(seen == [.crashed("an adopted server left no exit status"), .restarted])
            let answer = try await Psql.run("select 1", url: postgres.url)
            #expect(answer == "1")
            await postgres.stop()
            await watch.value
        }
    }

    @Test("A killed server is started again by itself, with all that was committed, also while an old backend still computes")
    func restart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let (events, observe) = AsyncStream.makeStream(of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) { observe.yield($0) }
            let watch = Task { await postgres.run() }
            try await Psql.run("create table kept as select 42 as answer", url: postgres.url)
            // A backend in a loop doesn't notice the death of its server, and keeps the shared memory until it sees the file.
            let end = "\(postgres.directory)/end"
            let computing = """
                do $$ begin loop
                    exit when (pg_stat_file('\(end)', true)).size is not null or clock_timestamp() > now() + interval '1 min';
                end loop; end $$
                """
            let busy = Task { try await Psql.run(computing, url: postgres.superuserURL) }
            let isBusy = "select count(*) from pg_stat_activity where query like 'do $$%' and state = 'active'"
            try await eventually("the backend computes", within: .seconds(60)) {
                try await Psql.run(isBusy, url: postgres.superuserURL) == "1"
            }
            let killed = await postgres.pid
            kill(killed, SIGKILL)
            var seen: [EmbeddedPostgres.Event] = []
            for await event in events {
                seen.append(event)
                if case .crashed = event { try PrivateFile.write("", to: end, owner: .current) } else { break }
            }
            #expect(seen == [.crashed("signaled(\(SIGKILL))"), .restarted])
            let answer = try await Psql.run("select answer from kept", url: postgres.url)
            #expect(answer == "42")
            let pid = await postgres.pid
            #expect(pid != killed)
            _ = await busy.result
            await postgres.stop()
            await watch.value
        }
    }

    @Test("A note of a dead server that names a live stranger's process, as after a restart of the machine, stops nobody")
    func reusedProcessId() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let orphan = try await startAndForget(directory)
            kill(orphan.pid, SIGKILL)
            let cluster = try #require(try ClusterDirectory(in: directory))
            let note = try #require(PrivateFile.read("\(cluster.data)/postmaster.pid"))
            let command = ServerCommand(binaries: ServerBinaries(directory: "", version: 0), directory: cluster)
            let cat = command.asOwner("/bin/cat", [])
            _ = try await run(
                .path(.init(cat.executable)), arguments: Arguments(cat.arguments),
                input: .inputWriter, output: .discarded, error: .discarded
            ) { stranger in
                let pid = stranger.processIdentifier.value
                let lines = ["\(pid)"] + note.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init)
                try PrivateFile.write(lines.joined(separator: "\n"), to: "\(cluster.data)/postmaster.pid", owner: cluster.owner)
                #expect(PostmasterFile.holder(of: cluster.data) == .stranger(pid))
                let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
                let answer = try await Psql.run("select 1", url: postgres.url)
                #expect(answer == "1")
                await postgres.stop()
                try await stranger.standardInputWriter.finish()
            }
        }
    }

    @Test("A birth that was interrupted is begun anew, also while what it left still writes; that is removed")
    func interruptedBirth() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try ClusterDirectory.prepare(in: directory)
            func births() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: cluster.path).filter { $0.hasPrefix("unfinished") }
            }
            let first = Task { try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
            try await eventually("initdb writes", within: .seconds(60)) {
                try births().contains { PrivateFile.status("\(cluster.path)/\($0)/base") != nil }
            }
            // An initdb whose parent was killed does what this one does: it writes a file now and a file then.
            let orphan = "\(cluster.path)/\(try #require(births().first))"
            let writing = Task {
                var count = 0
                while !Task.isCancelled {
                    for folder in [orphan, "\(orphan)/base", "\(orphan)/base/1"] { mkdir(folder, 0o700) }
                    count += 1
                    try? PrivateFile.write("x", to: "\(orphan)/base/1/\(count)", owner: cluster.owner)
                    try? await Task.sleep(for: .microseconds(100))
                }
            }
            first.cancel()
            _ = await first.result
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            #expect(try await Psql.run("select 1", url: postgres.url) == "1")
            writing.cancel()
            await writing.value
            await postgres.stop()
            await (try EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)).stop()
            #expect(try births().isEmpty)
        }
    }

    @Test("A server that can't start says why in one line")
    func cannotStart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: directory, settings: ["no_such_setting": "1"], logger: quiet)
            }
            let line = error?.description ?? ""
            #expect(line.contains("unrecognized configuration parameter \"no_such_setting\"") && !line.contains("\n"))
        }
    }

    @Test(
        "Whatever stands in the note, it is read without a trap",
        arguments: [
            "", "\n", "x", "-1\n", "0\n", "99999999999999999999\n", "1", "1\n\n\n\n\n\n\n\n\n", "\u{0}\n\u{0}",
        ])
    func hostileNotes(text: String) {
        let file = PostmasterFile(text)
        #expect(file == nil || file?.pid == 1)
    }

    private func startAndForget(_ directory: String) async throws -> (pid: pid_t, url: String) {
        let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
        return (await postgres.pid, postgres.url)
    }

    private func firstTwo(_ events: AsyncStream<EmbeddedPostgres.Event>) async -> [EmbeddedPostgres.Event] {
        var seen: [EmbeddedPostgres.Event] = []
        for await event in events {
            seen.append(event)
            if seen.count == 2 { break }
        }
        return seen
    }
}
