// TLS to clients (--tls-certificate and --tls-key) and to the database (sslmode=verify-full).
// openssl makes the certificates, curl is the client, and the database is a cluster with ssl=on.
import Foundation
import Subprocess
import Support
import Testing

@Suite("TLS")
struct TLSTests {
    @Test("With a certificate the server accepts only https with TLS 1.2 or later, and sends Strict-Transport-Security")
    func https() async throws {
        try await withAuthority { directory, authority in
            let pair = try await authority.sign("localhost", name: "server")
            try await TestDatabase.with(.seeded) { database in
                let environment = ["WELMS_TLS_KEY": pair.key]
                let arguments = database.serveArguments + ["--port", "0", "--tls-certificate", pair.certificate]
                let (_, status) = try await Program.serve(arguments, environment: environment) { server in
                    let port = server.url.split(separator: ":").last.map(String.init) ?? ""
                    func curl(_ arguments: String...) async throws -> (status: Int32, output: String) {
                        try await self.curl(arguments + ["https://localhost:\(port)/v1/menu?limit=1"])
                    }
                    let answer = try await curl("--cacert", authority.certificate, "-i")
                    #expect(answer.output.contains("200 OK") && answer.output.contains("\"items\""), "\(answer)")
                    #expect(answer.output.contains("Strict-Transport-Security: max-age=31536000"))
                    let older = try await curl("--cacert", authority.certificate, "--tls-max", "1.1")
                    #expect(older.status == 35, "curl can't agree on a version: \(older)")
                    let twelve = try await curl("--cacert", authority.certificate, "--tls-max", "1.2")
                    #expect(twelve.status == 0)
                    let stranger = try await curl()
                    #expect(stranger.status == 60, "curl does not know the authority: \(stranger)")
                    // A plain http request gets no response and does not affect other clients.
                    let plain = try await self.curl(["http://localhost:\(port)/v1/menu"])
                    #expect(plain.status == 52 || plain.status == 56, "\(plain)")
                    let made = try await self.curl([
                        "--cacert", authority.certificate, "-X", "POST", "https://localhost:\(port)/v1/baskets",
                    ])
                    #expect(made.output.contains("\"state\":\"open\""), "\(made)")
                    #expect(!server.log().contains { $0.contains("error") }, "\(server.log())")
                }
                #expect(status == 0)
            }
        }
    }

    @Test("A server without TLS sends no Strict-Transport-Security")
    func http() async throws {
        try await TestShop.run { shop in
            let header = try await shop.server.get("/v1/menu").header("Strict-Transport-Security")
            #expect(header == nil)
        }
    }

    @Test("A certificate or key that is missing, no PEM or of another pair is rejected with one line")
    func mistakes() async throws {
        try await withAuthority { directory, authority in
            let one = try await authority.sign("localhost", name: "one")
            let other = try await authority.sign("localhost", name: "other")
            let junk = directory + "/junk.pem"
            try Data("no PEM".utf8).write(to: URL(fileURLWithPath: junk))
            for (certificate, key, words) in [
                (one.certificate, other.key, "does not match the first certificate"),
                (directory + "/none.pem", one.key, "none.pem can't be read"),
                (one.certificate, directory + "/none.key", "none.key can't be read"),
                (junk, one.key, "junk.pem contains no PEM certificate"),
                (one.certificate, junk, "junk.pem contains no PEM private key"),
                (one.key, one.certificate, "one.key contains no PEM certificate"),
                (one.certificate, "", "go together"),
            ] {
                let arguments =
                    ["serve", "--database-url", "postgresql://nowhere", "--tls-certificate", certificate]
                    + (key.isEmpty ? [] : ["--tls-key", key])
                let refused = try await Program.run(arguments)
                #expect(refused.status == 1 && refused.error.contains(words), "\(refused.error)")
                #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(refused.error)")
            }
        }
    }

    @Test(
        "sslmode=verify-full accepts a valid certificate, and rejects another authority or host name with one line")
    func database() async throws {
        try await withAuthority { directory, authority in
            let right = try await authority.sign("localhost", name: "server")
            let stranger = try await TestCertificateAuthority.make(in: directory, name: "stranger")
            try await SecureCluster.with(right) { cluster in
                func url(host: String, authority: TestCertificateAuthority) -> String {
                    "postgresql://welms_owner@/postgres?host=\(host)&hostaddr=127.0.0.1&port=\(cluster.port)"
                        + "&sslmode=verify-full&sslrootcert=\(authority.certificate)"
                }
                let good = url(host: "localhost", authority: authority)
                try await Psql.run("select ssl from pg_stat_ssl where pid = pg_backend_pid()", url: good)
                _ = try await Program.serve(["--database-url", good, "--port", "0", "--seed-if-empty"]) { server in
                    let menu = try await self.curl(["\(server.url)/v1/menu?limit=100"])
                    #expect(menu.output.contains("\"id\":2001"), "\(menu)")
                    let sessions = try await Psql.run(
                        """
                        select bool_and(ssl), count(*) > 2, min(version)
                        from pg_stat_ssl join pg_stat_activity using (pid)
                        where application_name like 'welms%'
                        """,
                        url: good)
                    #expect(sessions == "t|t|TLSv1.3")
                }
                for (wrong, words) in [
                    (url(host: "localhost", authority: stranger), "certificate verify failed"),
                    (url(host: "db.example", authority: authority), "does not match host name \"db.example\""),
                ] {
                    for command in [["serve", "--port", "0"], ["migrate"]] {
                        let refused = try await Program.run(command + ["--database-url", wrong])
                        #expect(refused.status == 1 && refused.error.contains(words), "\(refused.error)")
                        #expect(refused.error.trimmed.split(separator: "\n").count == 1, "\(refused.error)")
                    }
                }
            }
        }
    }

    private func withAuthority(_ body: (String, TestCertificateAuthority) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try await body(directory, TestCertificateAuthority.make(in: directory, name: "authority"))
        }
    }

    private func curl(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let result = try await Subprocess.run(
            .name("curl"), arguments: Arguments(["-sS", "--http1.1", "--max-time", "20"] + arguments),
            output: .string(limit: 1 << 18),
            error: .combinedWithOutput)
        guard case .exited(let status) = result.terminationStatus else { return (-1, result.standardOutput) }
        return (status, result.standardOutput)
    }
}

/// A PostgreSQL that accepts only encrypted TCP connections. The embedded PostgreSQL has neither TCP nor TLS.
private struct SecureCluster: Sendable {
    let port: Int

    static func with(_ pair: TestCertificateAuthority.CertificatePair, _ body: (SecureCluster) async throws -> Void)
        async throws
    {
        try await ClusterGuard.withDataDirectory { directory in
            let port = try Program.freePort()
            let script = """
                bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
                as() {
                    if [ "$(id -u)" = 0 ]; then
                        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
                    else
                        "$@"
                    fi
                }
                mkdir -p "$1/postgres"
                cp "$2" "$1/postgres/server.pem"
                cp "$3" "$1/postgres/server.key"
                chmod 600 "$1/postgres/server.key"
                [ "$(id -u)" != 0 ] || chown -R postgres: "$1"
                cd "$1/postgres"
                export HOME="$PWD"
                as "$bin/initdb" -D data -U postgres --auth trust --no-sync
                printf 'hostssl all all 127.0.0.1/32 trust\\n' > data/pg_hba.conf
                as "$bin/pg_ctl" -D data -w -l log -o "-p $4 -c listen_addresses=127.0.0.1 \\
                    -c unix_socket_directories= -c ssl=on -c ssl_cert_file=../server.pem \\
                    -c ssl_key_file=../server.key" start
                as "$bin/psql" -h 127.0.0.1 -p "$4" -U postgres -c 'create role welms_owner superuser login'
                """
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-ec", script, "sh", directory, pair.certificate, pair.key, "\(port)"],
                output: .string(limit: 1 << 16), error: .combinedWithOutput)
            guard result.terminationStatus.isSuccess else { throw DidNotStart(output: result.standardOutput) }
            try await body(SecureCluster(port: port))
        }
    }

    struct DidNotStart: Error { let output: String }
}
