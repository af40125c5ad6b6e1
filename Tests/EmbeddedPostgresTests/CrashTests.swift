// Recovery after the death of the server or of its owner, and with misleading files. Uses real servers and signals.
import Foundation
import Glibc
import Subprocess
import Support
import Testing

@testable import EmbeddedPostgres

@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
    @Test("A start on a data directory whose server outlived its killed owner adopts and watches that server")
    func adoption() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            // Releasing the EmbeddedPostgres has the same effect as killing its process: its lock is free, and its
            // server keeps running.
            let orphan = try await startAndForget(directory)
            let (events, observe) = AsyncStream.makeStream(
                of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) {
                observe.yield($0)
            }
            let adopted = await postgres.pid
            #expect(adopted == orphan.pid)
            #expect(postgres.url == orphan.url)

            let watch = Task { await postgres.run() }
            kill(adopted, SIGKILL)
            let seen = await firstTwoEvents(events)
            #expect(seen == [.crashed("an adopted server left no exit status"), .restarted])
            let answer = try await Psql.run("select 1", url: postgres.url)
            #expect(answer == "1")
            await postgres.stop()
            await watch.value
        }
    }

    @Test("A killed server restarts with all committed data, even while an old backend is still running")
    func restart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let (events, observe) = AsyncStream.makeStream(
                of: EmbeddedPostgres.Event.self, bufferingPolicy: .bufferingOldest(10))
            let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) {
                observe.yield($0)
            }
            let watch = Task { await postgres.run() }
            try await Psql.run("create table kept as select 42 as answer", url: postgres.url)
            // A backend in a loop does not notice the death of its server. It keeps the shared memory until the file
            // `end` exists.
            let end = "\(postgres.directory)/end"
            let computing = """
                do $$ begin loop
                    exit when (pg_stat_file('\(end)', true)).size is not null
                        or clock_timestamp() > now() + interval '1 min';
                end loop; end $$
                """
            let busy = Task { try await Psql.run(computing, url: postgres.superuserURL) }
            let isBusy = "select count(*) from pg_stat_activity where query like 'do $$%' and state = 'active'"
            try await eventually("the backend is running", within: .seconds(60)) {
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

    @Test("A stale postmaster.pid with the id of another live process, as after a reboot, does not prevent a start")
    func reusedProcessId() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let orphan = try await startAndForget(directory)
            kill(orphan.pid, SIGKILL)
            let cluster = try #require(try ClusterDirectory(in: directory))
            let content = try #require(PrivateFile.read("\(cluster.data)/postmaster.pid"))
            let command = ServerCommand(binaries: ServerBinaries(directory: "", version: 0), directory: cluster)
            let cat = command.asOwner("/bin/cat", [])
            _ = try await run(
                .path(.init(cat.executable)), arguments: Arguments(cat.arguments),
                input: .inputWriter, output: .discarded, error: .discarded
            ) { stranger in
                let pid = stranger.processIdentifier.value
                let lines =
                    ["\(pid)"]
                    + content.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init)
                try PrivateFile.write(
                    lines.joined(separator: "\n"), to: "\(cluster.data)/postmaster.pid", owner: cluster.owner)
                #expect(PostmasterFile.holder(of: cluster.data) == .otherProcess(pid))
                let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
                let answer = try await Psql.run("select 1", url: postgres.url)
                #expect(answer == "1")
                await postgres.stop()
                try await stranger.standardInputWriter.finish()
            }
        }
    }

    @Test(
        "A start after an interrupted cluster creation succeeds while initdb still writes, and a later start cleans up")
    func interruptedCreation() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try ClusterDirectory.prepare(in: directory)
            func unfinishedClusters() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: cluster.path).filter { $0.hasPrefix("unfinished") }
            }
            let first = Task { try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
            try await eventually("initdb writes", within: .seconds(60)) {
                try unfinishedClusters().contains { PrivateFile.status("\(cluster.path)/\($0)/base") != nil }
            }
            // Imitates an initdb whose parent was killed: it writes files from time to time.
            let orphan = "\(cluster.path)/\(try #require(unfinishedClusters().first))"
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
            #expect(try unfinishedClusters().isEmpty)
        }
    }

    @Test("A server that cannot start reports the reason in one line")
    func cannotStart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(
                    dataDirectory: directory, settings: ["no_such_setting": "1"], logger: quiet)
            }
            let line = error?.description ?? ""
            #expect(line.contains("unrecognized configuration parameter \"no_such_setting\"") && !line.contains("\n"))
        }
    }

    @Test(
        "A malformed postmaster.pid parses as nil or as its id, without a trap",
        arguments: [
            "", "\n", "x", "-1\n", "0\n", "99999999999999999999\n", "1", "1\n\n\n\n\n\n\n\n\n", "\u{0}\n\u{0}",
        ])
    func malformedPostmasterFile(text: String) {
        let file = PostmasterFile(text)
        #expect(file == nil || file?.pid == 1)
    }

    private func startAndForget(_ directory: String) async throws -> (pid: pid_t, url: String) {
        let postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
        return (await postgres.pid, postgres.url)
    }

    private func firstTwoEvents(_ events: AsyncStream<EmbeddedPostgres.Event>) async -> [EmbeddedPostgres.Event] {
        var seen: [EmbeddedPostgres.Event] = []
        for await event in events {
            seen.append(event)
            if seen.count == 2 { break }
        }
        return seen
    }
}
