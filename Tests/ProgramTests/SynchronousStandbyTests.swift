// Checkouts while no synchronous standby confirms the commits. Tests/Tools/Chaos tests failovers.
// The test changes a setting of the whole cluster, so it has its own cluster.
import EmbeddedPostgres
import Logging
import Support
import Testing
import Wire

@Suite("Synchronous standby", .timeLimit(.minutes(10)))
struct SynchronousStandbyTests {
    @Test(
        "While no synchronous standby confirms commits, a repeated checkout gets 503; afterwards the order is replayed"
    )
    func stalledStandby() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let embedded = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent)
            let port = try Program.freePort()
            let database = ["--database-url", embedded.url(for: .server), "--owner-url", embedded.url]
            try await Program.serve(database + ["--seed-if-empty", "--port", "\(port)"]) { _ in
                try await TestServer.connect(port: port) { server in
                    func waitForStandbys(_ names: String) async throws {
                        try await Psql.run(
                            "alter system set synchronous_standby_names = '\(names)'", url: embedded.superuserURL)
                        try await Psql.run("select pg_reload_conf()", url: embedded.superuserURL)
                        try await eventually("the setting is active") {
                            try await Psql.run("show synchronous_standby_names", url: embedded.superuserURL) == names
                        }
                    }
                    let basket = try await server.startBasket(items: [(2001, 1)])
                    let form = CheckoutBody.filled(for: basket)
                    let first = try await server.checkout(form, key: "k").expecting(201)
                    try await waitForStandbys("nobody")
                    let refused = try await server.checkout(form, key: "k").expecting(503)
                    #expect(refused.code == "database_unavailable" && refused.header("Retry-After") != nil)
                    try await waitForStandbys("")
                    let again = try await retryingWhileBusy { try await server.checkout(form, key: "k") }
                    #expect(
                        again.status == 201 && again.body == first.body
                            && again.header("Idempotency-Replayed") == "true")
                }
            }
            await embedded.stop()
        }
    }
}
