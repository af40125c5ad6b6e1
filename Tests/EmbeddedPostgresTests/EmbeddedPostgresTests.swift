// Creation, restart, paths and access protection of the embedded PostgreSQL; each test uses its own cluster.
// CrashTests covers crashes.
import Glibc
import Support
import Testing

@testable import EmbeddedPostgres

@Suite(.timeLimit(.minutes(10)))
struct EmbeddedPostgresTests {
    @Test("A new cluster uses UTF-8 and C.UTF-8, listens on no TCP port, and keeps the durability settings on")
    func fresh() async throws {
        try await withPostgres { postgres, _ in
            let facts = """
                select current_user, current_database(), pg_encoding_to_char(encoding), datcollate, datctype,
                    current_setting('listen_addresses'),
                    current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')
                from pg_database where datname = current_database()
                """
            let answer = try await Psql.run(facts, url: postgres.url)
            #expect(answer == "welms_owner|welms|UTF8|C.UTF-8|C.UTF-8||on|on|on")
        }
    }

    @Test("A stopped server leaves no process, and its next start has all committed data")
    func stopAndStart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let first = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            try await Psql.run("create table kept as select 42 as answer", url: first.url)
            let pid = await first.pid
            await first.stop()
            #expect(kill(pid, 0) != 0)
            #expect(throws: EmbeddedPostgresError.notRunning(directory: directory)) {
                try EmbeddedPostgres.url(dataDirectory: directory)
            }

            let second = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            let answer = try await Psql.run("select answer from kept", url: second.url)
            #expect(answer == "42")
            await second.stop()
        }
    }

    @Test("The data directory of a running server yields its URL")
    func url() async throws {
        try await withPostgres { postgres, directory in
            let found = try EmbeddedPostgres.url(dataDirectory: directory)
            #expect(found == postgres.url)
        }
    }

    @Test("A second server on a data directory is rejected with the directory and the process id")
    func second() async throws {
        try await withPostgres { _, directory in
            let error = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            }
            let line = "another server (process \(getpid())) uses \(directory): stop it, or choose another --data-dir"
            #expect(error?.description == line)
        }
    }

    @Test("When two servers start on a new directory simultaneously, exactly one succeeds")
    func atOnce() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let started = await withTaskGroup(of: EmbeddedPostgres?.self) { group in
                for _ in 1...2 {
                    group.addTask { try? await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
                }
                return await group.reduce(into: [EmbeddedPostgres]()) { started, server in
                    if let server { started.append(server) }
                }
            }
            #expect(started.count == 1)
            for server in started { await server.stop() }
        }
    }

    @Test(
        "Only the cluster's user can enter the directories of the cluster and of its socket"
    )
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

    @Test("Another system user cannot reach the socket, and peer authentication rejects that user if the modes change")
    func strangers() async throws {
        try await withPostgres { postgres, directory in
            let rules = try #require(PrivateFile.read("\(postgres.directory)/data/pg_hba.conf"))
            let entries = rules.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                $0.split(separator: " ").joined(separator: " ")
            }
            #expect(entries == ["local all all peer map=welms"])
            // Only root can act as another user.
            guard geteuid() == 0, let nobody = SystemUser.named("nobody") else { return }
            let unreachable = try await connect(as: nobody, postgres.url)
            #expect(unreachable.contains("Permission denied"))
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
            // As root, the cluster is in /var/lib/welms; for other users this path contains the cluster.
            let long = "\(directory)/a, \"b\" c/" + String(repeating: "long", count: 25)
            let guardian = try ClusterGuard.watch(dataDirectory: long)
            let postgres = try await EmbeddedPostgres.start(dataDirectory: long, logger: quiet)
            let answer = try await Psql.run("select 1", url: postgres.url)
            #expect(answer == "1")
            await postgres.stop()
            try await guardian.tearDown()
        }
    }

    @Test("If the path of the socket is too long, a private directory with a random name is used, also by later starts")
    func fallbackSocketDirectory() async throws {
        try await TemporaryDirectory.with { folder in
            let path = "\(folder)/\(String(repeating: "x", count: 100))"
            #expect(mkdir(path, 0o700) == 0)
            let cluster = ClusterDirectory(dataDirectory: folder, path: path, owner: .current)
            let fallback = try cluster.prepareSocketDirectory()
            #expect(fallback.utf8.count + "/.s.PGSQL.5432".utf8.count <= 107)
            #expect(PrivateFile.status(fallback).map { $0.st_mode & 0o7777 } == 0o700)
            let secondResult = try cluster.prepareSocketDirectory()
            #expect(secondResult == fallback)

            // A directory with that name and another mode, as after a cleanup of /tmp, is not used.
            chmod(fallback, 0o755)
            let other = try cluster.prepareSocketDirectory()
            #expect(other != fallback)
            #expect(rmdir(fallback) == 0 && rmdir(other) == 0)
        }
    }

    @Test("The server has its own session, so that Ctrl-C in the terminal does not reach it")
    func session() async throws {
        try await withPostgres { postgres, _ in
            let pid = await postgres.pid
            #expect(getsid(pid) == pid)
        }
    }

    @Test("A cancelled start leaves no server process")
    func cancelled() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            await (try EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)).stop()
            let start = Task { try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet) }
            let cluster = try #require(try ClusterDirectory(in: directory))
            try await eventually("a server process exists", within: .seconds(60)) {
                PostmasterFile.holder(of: cluster.data) != .noProcess
            }
            start.cancel()
            let postgres = try? await start.value
            await postgres?.stop()
            #expect(PostmasterFile.holder(of: cluster.data) == .noProcess)
        }
    }

    @Test("A data directory that is a file or has a dangling cluster link is rejected in one line and left unchanged")
    func unusable() async throws {
        try await TemporaryDirectory.with { folder in
            try PrivateFile.write("", to: "\(folder)/file", owner: .current)
            let file = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: "\(folder)/file", logger: quiet)
            }
            let problem = "could not enter \(folder)/file: Not a directory; correct this, or choose another --data-dir"
            #expect(file?.description == problem)
            #expect(symlink("/nowhere/at/all", "\(folder)/postgres") == 0)
            let link = await #expect(throws: EmbeddedPostgresError.self) {
                try await EmbeddedPostgres.start(dataDirectory: folder, logger: quiet)
            }
            let line = link?.description ?? ""
            #expect(line.hasPrefix("could not find the cluster behind \(folder)/postgres: the link leads nowhere"))
        }
    }
}
