// A server with a few routes that show each HTTP convention.

import ErrorChannel
import HTTPServing
import HTTPTypes
import ServiceLifecycle
import Support
import Wire

@testable import Web

/// An unexpected error with a text that must not reach a client.
struct SecretFailure: Error {
    let password = "hunter2"
}

struct TestBenchRoutes: Routes {
    /// Blocks `GET /v1/held` until the test opens it.
    let gate: Gate

    func add(to routes: inout RouteTable) {
        routes.get("/v1/things/{thing}/parts/{part}", "A part") { _, context in
            .json(["thing": context.path("thing"), "part": context.pathNumber("part").map(String.init) ?? "none"])
        }
        routes.get("/v1/things/first", "A literal beside a name") { _, _ in .json(["thing": "literal"]) }
        routes.get("/v1/large", "Returns 80 kB") { _, _ in .json(["text": String(repeating: "x", count: 80_000)]) }
        routes.get("/v1/huge", "Returns 8 MB, more than a socket buffer holds") { _, _ in
            Response(status: .ok, bytes: Array(repeating: UInt8(ascii: "x"), count: 8 << 20))
        }
        routes.post("/v1/things/{thing}", "Creates a thing") { _, context in
            .json(
                ["thing": context.path("thing")], status: .created,
                headers: [.location: "/v1/things/\(context.path("thing"))"])
        }
        routes.delete("/v1/things/{thing}", "Deletes a thing") { _, _ in .json(["gone": true]) }
        routes.post("/v1/form", "Reads a form") { request, _ in
            let form = try request.json(CheckoutBody.self)
            return .json(["name": form.name])
        }
        routes.get("/v1/query", "Reads the query") { request, _ in
            .json(["q": try request.query()["q"]])
        }
        routes.get("/v1/versioned", "Has a version") { request, _ in
            .conditional(request, EntityTag(opaque: "va.2")) { Array(#"{"version":"10.2"}"#.utf8) }
        }
        routes.post("/v1/versioned", "Changes it") { request, _ in
            guard request.allowsChange(of: EntityTag(opaque: "va.2")) else { throw Problem.preconditionFailed }
            return .json(["changed": true])
        }
        routes.post("/v1/checkout", "Is always overloaded") { _, _ in throw Problem.overloaded() }
        routes.get("/v1/boom", "Fails") { _, _ in throw SecretFailure() }
        routes.get("/v1/held", "Waits") { _, _ in
            await gate.wait()
            return .json(["held": false])
        }
    }
}

/// A running server and its parts that tests inspect.
struct TestBench: Sendable {
    let server: TestServer
    let errors: ErrorBroadcast
    let readiness: Readiness
    let gate: Gate
    let log: LogRecorder
}

/// Runs a server with `TestBenchRoutes` while the closure runs.
func withTestBench<Value: Sendable>(
    checks: [ReadinessCheck] = [], shutdownLimit: Duration? = nil,
    _ configure: (inout WebConfiguration) -> Void = { _ in },
    _ body: @Sendable (TestBench) async throws -> Value
) async throws -> Value {
    var configuration = WebConfiguration(port: 0)
    configure(&configuration)
    let errors = ErrorBroadcast(epoch: 7)
    let readiness = Readiness(checks: checks)
    let gate = Gate()
    let log = LogRecorder()
    return try await TestServer.run(shutdownLimit: shutdownLimit, logger: log.logger) { onRunning in
        [
            buildApplication(
                configuration, operations: OperationsServices(errorChannel: errors, readiness: readiness),
                features: [TestBenchRoutes(gate: gate)],
                logger: log.logger, onRunning: onRunning)
        ]
    } _: { server in
        try await body(TestBench(server: server, errors: errors, readiness: readiness, gate: gate, log: log))
    }
}
