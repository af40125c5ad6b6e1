// The embedded PostgreSQL as it is made, found again, and kept from strangers; each test on a cluster of its own.
// How it dies and comes back is in CrashTests.swift.
import Glibc
import Support
import Testing

@testable import EmbeddedPostgres

@Suite(.timeLimit(.minutes(10)))
struct EmbeddedPostgresTests {
    @Test("A fresh cluster is UTF-8 in the C.UTF-8 locale, speaks no TCP, and keeps what makes commits durable")
    func fresh() async throws {
        try await withPostgres { postgres, _ in
            let facts = """
                select current_user, current_database(), pg_encoding_to_char(encoding), datcollate, datctype, current_setting('listen_addresses'),
                    current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')
                from pg_database where datname = current_database()
                """
            let answer = try await Psql.run(facts, url: postgres.url)
            #expect(answer == "welms_owner|welms|UTF8|C.UTF-8|C.UTF-8||on|on|on")
        }
    }

    @Test("What was committed is there after a stop and a start, and nothing runs in between")
    func stopAndStart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let first = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            try await Psql.run("create table kept as select 42 as answer", url: first.url)
            let pid = await first.pid
            await first.stop()
            #expect(kill(pid, 0) != 0)
            #expect(throws: EmbeddedPostgresError.notRunning(directory: directory)) { try EmbeddedPostgres.url(dataDirectory: directory) }

            let second = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            let answer = try await Psql.run("select answer from kept", url: second.url)
            #expect(answer == "42")
            await second.stop()
        }
    }

    @Test("The URL of a running server is found by its data directory")
    func url() async throws {
        try await withPostgres { postgres, directory in
            let found = try EmbeddedPostgres.url(dataDirectory: directory)
            #expect(found == postgres.url)
        }
    }

    @Test("A second server on one directory is refused in a line that names the directory and the process")
    func second() async throws {
        try await withPostgres { _, directory in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            }
            let line = "another server (process \(getpid())) uses \(directory): stop it, or choose another --data-dir"
            #expect(error?.description == line)
        }
    }

    @Test("Of two servers that start on a fresh directory at once, one has it")
    func atOnce() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let started = await withTaskGroup(of: EmbeddedPostgres?.self) { group in
                for _ in 1...2 {
                    group.addTask { try? await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
                }
                return await group.reduce(into: [EmbeddedPostgres]()) { started, one in if let one { started.append(one) } }
            }
            #expect(started.count == 1)
            for one in started { await one.stop() }
        }
    }

    @Test(
        "The cluster and its socket lie in directories that only the cluster's user may enter, even in a clone under a folder of mode 0700")
    func directories() async throws {
        try await withPostgres { postgres, directory in
            let cluster = try #require(try ClusterDirectory(in: directory))
            #expect(geteuid() != 0 || cluster.owner.name == "postgres")
            for path in [cluster.path, cluster.data, "\(cluster.path)/socket"] {
                let status = try #require(PrivateFile.status(path))
                #expect(status.st_mode & 0o7777 == 0o700 && status.st_uid == cluster.owner.id, "\(path)")
            }
            let socket = try #require(PrivateFile.status("\(cluster.path)/socket/.s.PGSQL.5432"))
            #expect(socket.st_mode & 0o777 == 0o700)
            #expect(postgres.directory == cluster.path)
        }
    }

    @Test("A stranger can't reach the socket, and one who could would be refused by name")
    func strangers() async throws {
        try await withPostgres { postgres, directory in
            let rules = try #require(PrivateFile.read("\(postgres.directory)/data/pg_hba.conf"))
            let entries = rules.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").joined(separator: " ") }
            #expect(entries == ["local all all peer map=welms"])
            // Only root can try it as somebody else.
            guard geteuid() == 0, let nobody = SystemUser.named("nobody") else { return }
            let shut = try await connect(as: nobody, postgres.url)
            #expect(shut.contains("Permission denied"))
            chmod(postgres.directory, 0o755)
            chmod("\(postgres.directory)/socket", 0o755)
            chmod("\(postgres.directory)/socket/.s.PGSQL.5432", 0o777)
            let refused = try await connect(as: nobody, postgres.url)
            #expect(refused.contains("Peer authentication failed for user \"welms_owner\""))
        }
    }

    @Test("A data directory with a long path, spaces, quotes and commas works")
    func longPath() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            // Root's clusters have short paths by their place; the directory's own is what an ordinary user has.
            let long = "\(directory)/a, \"b\" c/" + String(repeating: "long", count: 25)
            let guardian = try ClusterGuard.watch(dataDirectory: long)
            let postgres = try await EmbeddedPostgres.start(dataDirectory: long, logger: quiet)
            let answer = try await Psql.run("select 1", url: postgres.url)
            #expect(answer == "1")
            await postgres.stop()
            try await guardian.clear()
        }
    }

    @Test("Where the socket's path would be too long it lies in a private directory that nobody can guess, and is found again")
    func farSocket() async throws {
        try await TemporaryDirectory.with { folder in
            let path = "\(folder)/\(String(repeating: "x", count: 100))"
            #expect(mkdir(path, 0o700) == 0)
            let cluster = ClusterDirectory(dataDirectory: folder, path: path, owner: .current)
            let far = try cluster.prepareSocketDirectory()
            #expect(far.utf8.count + "/.s.PGSQL.5432".utf8.count <= 107)
            #expect(PrivateFile.status(far).map { $0.st_mode & 0o7777 } == 0o700)
            let again = try cluster.prepareSocketDirectory()
            #expect(again == far)

            // Somebody else's directory at that name, as after a cleaned /tmp, is not used.
            chmod(far, 0o755)
            let other = try cluster.prepareSocketDirectory()
            #expect(other != far)
            #expect(rmdir(far) == 0 && rmdir(other) == 0)
        }
    }

    @Test("The server has a session of its own, so that a Ctrl-C in the terminal doesn't reach it")
    func session() async throws {
        try await withPostgres { postgres, _ in
            let pid = await postgres.pid
            #expect(getsid(pid) == pid)
        }
    }

    @Test("A start that is cancelled leaves no server behind")
    func cancelled() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            await (try EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)).stop()
            let start = Task { try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
            let cluster = try #require(try ClusterDirectory(in: directory))
            try await eventually("a server process is there", within: .seconds(60)) { PostmasterFile.holder(of: cluster.data) != .nobody }
            start.cancel()
            let postgres = try? await start.value
            await postgres?.stop()
            #expect(PostmasterFile.holder(of: cluster.data) == .nobody)
        }
    }

    @Test("A data directory that is a file, or whose cluster is gone, is refused in one line and left as it is")
    func unusable() async throws {
        try await TemporaryDirectory.with { folder in
            try PrivateFile.write("", to: "\(folder)/file", owner: .current)
            let file = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: "\(folder)/file", logger: quiet)
            }
            #expect(file?.description == "could not enter \(folder)/file: Not a directory; mend that, or choose another --data-dir")
            #expect(symlink("/nowhere/at/all", "\(folder)/postgres") == 0)
            let link = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: folder, logger: quiet)
            }
            let line = link?.description ?? ""
            #expect(line.hasPrefix("could not find the cluster behind \(folder)/postgres: the link leads nowhere"))
        }
    }
}
