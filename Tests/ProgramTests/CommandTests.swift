// The commands' output and exit status, with the program that is built with these tests.
import Foundation
import Subprocess
import Postgres
import Support
import Testing

@Suite("Commands")
struct CommandTests {
    @Test("serve without settings starts a private PostgreSQL with the shipped menu, and ends with 0 on SIGTERM")
    func serveFromNothing() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let port = try Program.freePort()
            let (url, status) = try await Program.serve(["--data-dir", directory, "--port", "\(port)"]) { server in
                let url = try await Program.run(["url", "--data-dir", directory]).output.trimmed
                #expect(try await Psql.run("select count(*) from menu_items", url: url) == "21")
                #expect(try await Psql.run("select count(*) from coupons", url: url) == "4")
                #expect(server.url == "http://127.0.0.1:\(port)")
                return url
            }
            #expect(status == 0)
            await #expect(throws: PsqlFailed.self, "PostgreSQL stops with the server") {
                try await Psql.run("select 1", url: url)
            }
        }
    }

    @Test("With --log-format json each log line is one JSON object with the ids of the request and its trace")
    func jsonLog() async throws {
        try await TestDatabase.with { database in
            let arguments = database.serveArguments + ["--port", "0", "--log-format", "json", "--log-level", "debug"]
            _ = try await Program.serve(arguments) { server in
                let trace = "0af7651916cd43dd8448eb211c80319c"
                let request = try await Subprocess.run(
                    .name("curl"),
                    arguments: [
                        "-s", "-H", "traceparent: 00-\(trace)-b7ad6b7169203331-01", "\(server.url)/nowhere/%0A%1B",
                    ],
                    output: .string(limit: 4096))
                let id = request.standardOutput.split(separator: "\"").last { $0.count == 16 }.map(String.init)
                try await eventually("the request is in the log") { server.log().contains { $0.contains("/nowhere") } }
                let lines = try server.log().filter { !$0.trimmed.isEmpty }.map { line in
                    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                }
                for line in lines {
                    #expect(line["time"] is String && line["level"] is String && line["message"] is String)
                }
                #expect(
                    lines.allSatisfy { ($0["time"] as? String)?.utf8.count == 24 },
                    "the time has a date and milliseconds")
                let answered = try #require(lines.first { ($0["path"] as? String)?.hasPrefix("/nowhere") == true })
                #expect(answered["traceId"] as? String == trace)
                #expect(answered["requestId"] as? String == id)
                #expect(answered["status"] as? String == "404")
            }
        }
    }

    @Test("openapi prints the same document as GET /openapi.json")
    func openAPI() async throws {
        let printed = try await Program.run(["openapi"])
        #expect(printed.status == 0)
        try await TestShop.run { shop in
            let served = try await shop.server.get("/openapi.json").text
            #expect(served == printed.output)
        }
    }

    @Test("A second server on the same data directory fails with one line that names the directory and the server")
    func secondServer() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            _ = try await Program.serve(["--data-dir", directory, "--port", "0"]) { server in
                let second = try await Program.run(["serve", "--data-dir", directory, "--port", "0"])
                #expect(second.status == 1)
                #expect(second.error.contains(directory) && second.error.contains("\(server.processID)"))
                #expect(second.error.trimmed.split(separator: "\n").count == 1, "\(second.error)")
            }
        }
    }

    @Test("A port in use, an unreachable database and an invalid number are each rejected with one line")
    func operatorMistakes() async throws {
        try await TestDatabase.with { database in
            _ = try await Program.serve(database.serveArguments + ["--port", "0"]) { server in
                let port = server.url.split(separator: ":").last.map(String.init) ?? ""
                let taken = try await Program.run(["serve"] + database.serveArguments + ["--port", port])
                #expect(taken.status == 1)
                #expect(taken.error.contains("port \(port)"), "\(taken.error)")
            }
        }
        let unreachable = try await Program.run(["serve", "--database-url", "postgres://welms@127.0.0.1:1/welms"])
        #expect(unreachable.status == 1)
        #expect(
            unreachable.error.trimmed.split(separator: "\n").count == 1 && unreachable.error.contains("127.0.0.1"),
            "\(unreachable.error)")

        for number in ["many", "70000", "-1"] {
            let refused = try await Program.run(
                ["serve", "--database-url", "postgres://x"], environment: ["PORT": number])
            #expect(refused.status == 1)
            #expect(refused.error.contains("PORT is \"\(number)\""), "\(refused.error)")
        }
        for number in ["long", "6", "-1"] {
            let refused = try await Program.run(
                ["serve", "--database-url", "postgres://x"], environment: ["DRAIN_SECONDS": number])
            #expect(refused.status == 1)
            #expect(refused.error.contains("DRAIN_SECONDS is \"\(number)\""), "\(refused.error)")
        }
    }

    @Test("After SIGTERM /readyz reports draining on new connections while the menu is served, and serve ends with 0")
    func draining() async throws {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let arguments = database.serveArguments + ["--port", "\(port)", "--drain-seconds", "2"]
            let (_, status) = try await Program.serve(arguments) { server in
                try await TestServer.connect(port: port) { client in
                    try await eventually("the server is ready") { try await client.get("/readyz").status == 200 }
                    server.send(SIGTERM)
                    func newConnection(_ path: String) async throws -> String {
                        try await client.withRawConnection { connection in
                            try await connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            return await connection.readToEnd()
                        }
                    }
                    try await eventually("/readyz reports draining") {
                        let answer = try await newConnection("/readyz")
                        return answer.hasPrefix("HTTP/1.1 503") && answer.contains("draining")
                    }
                    #expect(try await newConnection("/v1/menu").hasPrefix("HTTP/1.1 200"))
                }
            }
            #expect(status == 0)
        }
    }

    @Test("A request that waits for a database lock does not delay the shutdown: it gets 503, and serve ends with 0")
    func shutdownInTime() async throws {
        try await TestDatabase.with(.seeded) { database in
            let port = try Program.freePort()
            let arguments =
                database.serveArguments + ["--port", "\(port)", "--database-timeout", "60", "--drain-seconds", "0"]
            let (_, status) = try await Program.serve(arguments) { server in
                try await TestServer.connect(port: port) { client in
                    let basket = try await client.startBasket(items: [(2001, 1)])
                    let holder = try await PostgresConnection.connect(database.url, logger: .silent)
                    try await holder.run(script: "begin; select from baskets for update")
                    let checkout = Task { try await client.checkout(.filled(for: basket), key: "k") }
                    try await eventually("the checkout waits for the lock") {
                        try await database.psql(
                            """
                            select count(*) from pg_stat_activity
                            where datname = current_database() and wait_event_type = 'Lock'
                            """) == "1"
                    }
                    server.send(SIGTERM)
                    #expect(try await checkout.value.status == 503)
                    await holder.close()
                }
            }
            #expect(status == 0)
        }
    }

    @Test("migrate applies the migrations, and --dry-run and --status change nothing")
    func migrate() async throws {
        try await TestDatabase.with { database in
            let dry = try await Program.run(["migrate", "--dry-run"], environment: ["DATABASE_URL": database.url])
            #expect(dry.output.contains("would apply 001_menu.sql\n    locks no existing table\n"), "\(dry)")
            #expect(try await database.psql("select to_regclass('shop') is null") == "t")

            let applied = try await Program.run(["migrate"], environment: ["DATABASE_URL": database.url])
            #expect(applied.status == 0 && applied.output.contains("applied 001_menu.sql"), "\(applied)")
            let again = try await Program.run(["migrate"], environment: ["DATABASE_URL": database.url])
            #expect(again.output.trimmed == "The schema is up to date.")
            let status = try await Program.run(["migrate", "--status"], environment: ["DATABASE_URL": database.url])
            #expect(status.output.contains("001_menu.sql  applied 2"), "\(status)")
        }
    }

    @Test("migrate and serve reject a database from before the schema freeze with one line that says what to do")
    func migrateBeforeFreeze() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await database.psql(
                "update schema_migrations set checksum = repeat('0', 64) where name = '004_orders.sql'")
            // The server's role cannot migrate. `serve` then checks the migrations.
            for (arguments, url) in [
                (["migrate"], database.url), (["serve", "--port", "0"], database.url),
                (["serve", "--port", "0"], database.serverURL),
            ] {
                let refused = try await Program.run(arguments, environment: ["DATABASE_URL": url])
                #expect(
                    refused.status == 1
                        && refused.error.trimmed
                            == "Error: a version before the schema freeze created this database (its migration "
                            + "004_orders.sql differs), so it can't be upgraded: use a new, empty database, or run "
                            + "the version that created this one",
                    "\(refused)")
            }
        }
    }

    @Test("Without a cluster, migrate --status and --dry-run list every migration and create no cluster")
    func migrateWithoutCluster() async throws {
        try await TemporaryDirectory.with { directory in
            let data = directory + "/data"
            let dry = try await Program.run(["migrate", "--dry-run", "--data-dir", data])
            #expect(dry.status == 0 && dry.output.contains("would apply 001_menu.sql"), "\(dry)")
            let status = try await Program.run(["migrate", "--status", "--data-dir", data])
            #expect(status.status == 0 && status.output.contains("001_menu.sql  pending"), "\(status)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test("serve with a database URL starts no PostgreSQL and seeds nothing, and --seed loads a file")
    func ownDatabase() async throws {
        try await TestDatabase.with { database in
            try await TemporaryDirectory.with { directory in
                let file = directory + "/categories.sql"
                try Data("insert into categories (id, title) values (700, 'Pies');".utf8).write(
                    to: URL(fileURLWithPath: file))
                _ = try await Program.serve(
                    database.serveArguments + ["--port", "0", "--data-dir", directory + "/data"]
                ) { _ in
                    let categories = try await database.psql("select count(*) from categories")
                    #expect(categories == "0")
                }
                #expect(!FileManager.default.fileExists(atPath: directory + "/data"))
                _ = try await Program.serve(database.serveArguments + ["--port", "0", "--seed", file]) { _ in
                    let title = try await database.psql("select title from categories")
                    #expect(title == "Pies")
                }
            }
        }
    }

    @Test("--seed-if-empty loads the shipped menu into an empty database, and keeps later changes of staff")
    func seedIfEmpty() async throws {
        try await TestDatabase.with { database in
            for price in ["805", "1"] {
                _ = try await Program.serve(database.serveArguments + ["--port", "0", "--seed-if-empty"]) { _ in
                    let found = try await database.psql("select price from menu_items where id = 2001")
                    #expect(found == price)
                    try await database.psql("update menu_items set price = 1 where id = 2001")
                }
            }
        }
    }

    @Test("A flag overrides the environment, and the environment overrides the settings file")
    func settingsOrder() async throws {
        try await TestDatabase.with { database in
            try await TemporaryDirectory.with { directory in
                let ports = try (0..<3).map { _ in try Program.freePort() }
                let file = directory + "/settings.json"
                let settings = """
                    {"database": {"url": "\(database.serverURL)"}, "owner": {"url": "\(database.url)"}, \
                    "port": \(ports[0])}
                    """
                try Data(settings.utf8).write(to: URL(fileURLWithPath: file))
                _ = try await Program.serve(["--config", file]) { #expect($0.url.hasSuffix(":\(ports[0])")) }
                _ = try await Program.serve(["--config", file], environment: ["PORT": "\(ports[1])"]) {
                    #expect($0.url.hasSuffix(":\(ports[1])"))
                }
                _ = try await Program.serve(
                    ["--config", file, "--port", "\(ports[2])"], environment: ["PORT": "\(ports[1])"]
                ) {
                    #expect($0.url.hasSuffix(":\(ports[2])"))
                }
            }
        }
    }

    @Test("A staff token from a flag, a variable or the settings file authenticates staff and is never logged")
    func staffToken() async throws {
        try await TestDatabase.with { database in
            try await TemporaryDirectory.with { directory in
                let file = directory + "/settings.json"
                try Data(#"{"staff": {"token": "token-from-the-settings-file"}}"#.utf8).write(
                    to: URL(fileURLWithPath: file))
                let base = database.serveArguments + ["--port", "0", "--log-level", "trace"]
                let environment = ["WELMS_STAFF_TOKEN": "from-the-environment"]
                for (arguments, environment, token) in [
                    (
                        ["--staff-token", "token-from-the-flag-of-serve", "--config", file], environment,
                        "token-from-the-flag-of-serve"
                    ),
                    (["--config", file], environment, "from-the-environment"),
                    (["--config", file], [:], "token-from-the-settings-file"),
                ] {
                    let (log, _) = try await Program.serve(base + arguments, environment: environment) { server in
                        let right = try await status(server, token)
                        let wrong = try await status(server, token + "x")
                        #expect(right == "200" && wrong == "401")
                        return server.log().joined()
                    }
                    #expect(!log.contains(token))
                }
                _ = try await Program.serve(base) { server in
                    let closed = try await status(server, "x")
                    #expect(closed == "404")
                }
                let given = ["WELMS_STAFF_TOKEN": "nineteen-characters"]
                let short = try await Program.run(["serve"] + base, environment: given)
                #expect(
                    short.status == 1 && short.error.contains("WELMS_STAFF_TOKEN is invalid: write a staff token of 20")
                )
                #expect(short.error.trimmed.split(separator: "\n").count == 1 && !short.error.contains("nineteen"))
                let wrong = try await Program.run(["serve"] + base + ["--staff-token", "two words"])
                #expect(
                    wrong.status == 1 && wrong.error.contains("staff token") && !wrong.error.contains("two words"),
                    "\(wrong.error)")
            }
        }
    }

    @Test("The start message names the staff's page only if a staff token is set")
    func startLine() async throws {
        try await TestDatabase.with { database in
            for (token, count) in [([], 0), (["--staff-token", "a-token-of-20-letters"], 1)] as [([String], Int)] {
                let (lines, _) = try await Program.serve(database.serveArguments + ["--port", "0"] + token) { server in
                    try await eventually("the start message is logged") {
                        server.log().contains { $0.contains("in a browser to order") }
                    }
                    return server.log()
                }
                #expect(lines.count { $0.contains("/staff") } == count, "\(lines)")
            }
        }
    }

    @Test("--operations-port serves /metrics, and a port in use or the guests' port is rejected")
    func operationsPort() async throws {
        try await TestDatabase.with { database in
            let (port, second) = (try Program.freePort(), try Program.freePort())
            let arguments = database.serveArguments + ["--port", "\(port)", "--operations-port", "\(second)"]
            _ = try await Program.serve(arguments) { server in
                #expect(server.url == "http://127.0.0.1:\(port)")
                try await TestServer.connect(port: second) { operations in
                    try await eventually("the operations port listens") {
                        (try? await operations.get("/metrics").status) == 200
                    }
                }
                let third = try Program.freePort()
                let taken = try await Program.run(
                    ["serve"] + database.serveArguments + ["--port", "\(third)", "--operations-port", "\(second)"])
                #expect(
                    taken.status == 1 && taken.error.contains("choose another --port or --operations-port"), "\(taken)")
                let doctor = try await Program.run(
                    ["doctor"] + database.serveArguments.filter { $0 != "--no-migrate" } + [
                        "--port", "\(third)", "--operations-port", "\(second)",
                    ])
                #expect(doctor.output.contains("PROBLEM  operations port: \(second)"), "\(doctor)")
            }
            let same = try await Program.run(
                ["serve"] + database.serveArguments + ["--port", "\(port)", "--operations-port", "\(port)"])
            #expect(same.status == 1 && same.error.contains("is the same as --port"), "\(same)")
        }
    }

    /// The status of a request for the staff's figures of today.
    private func status(_ server: Program.Server, _ token: String) async throws -> String {
        let result = try await Subprocess.run(
            .name("curl"),
            arguments: [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)",
                server.url + "/v1/staff/today",
            ],
            output: .string(limit: 1 << 10))
        return result.standardOutput
    }

    @Test("seed loads the shipped menu; a file with an error is rolled back and reported with the database's hint")
    func seed() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.url]
            _ = try await Program.run(["migrate"], environment: environment)
            let shipped = try await Program.run(["seed"], environment: environment)
            #expect(shipped.status == 0 && shipped.output.contains("loaded menu.sql"), "\(shipped)")
            try await TemporaryDirectory.with { directory in
                let file = directory + "/mistake.sql"
                let sql = """
                    begin; update menu_items set title = 'Changed' where id = 2001;
                    update menu_items set price = 16.99 where id = 2001; commit;
                    """
                try Data(sql.utf8).write(to: URL(fileURLWithPath: file))
                let refused = try await Program.run(["seed", file], environment: environment)
                #expect(refused.status == 1)
                #expect(
                    refused.error.contains("menu_item_price_in_range") && refused.error.contains("1699"),
                    "\(refused.error)")
                #expect(try await database.psql("select title from menu_items where id = 2001") == "The Big Tasty")
            }
        }
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
