// A server with a few routes that show what HTTPServing does, without JSON bodies of the API and without a database.

import Foundation
import HTTPServing
import Logging
import Support

struct TestBenchRoutes: Routes {
    /// Blocks `GET /v1/held` until the test opens it.
    let gate: Gate

    private struct Form: Decodable { let name: String? }

    /// A text that needs no escapes, as JSON.
    private static func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    func add(to routes: inout RouteTable) {
        routes.get("/livez", "A health check", bypassesLoadShedding: true) { _, _ in
            .json(bytes: Array(#"{"status":"ok"}"#.utf8))
        }
        routes.get("/v1/things/{thing}/parts/{part}", "A part") { _, context in
            .json(bytes: Array(#"{"part":"\#(context.path("part"))","thing":"\#(context.path("thing"))"}"#.utf8))
        }
        routes.get("/v1/things/first", "A literal beside a name") { _, _ in
            .json(bytes: Array(#"{"thing":"literal"}"#.utf8))
        }
        routes.get("/v1/large", "Returns 80 kB") { _, _ in
            .json(bytes: Array(#"{"text":"\#(String(repeating: "x", count: 80_000))"}"#.utf8))
        }
        routes.get("/v1/huge", "Returns 8 MB, more than a socket buffer holds") { _, _ in
            Response(status: .ok, bytes: Array(repeating: UInt8(ascii: "x"), count: 8 << 20))
        }
        routes.post("/v1/form", "Reads a form") { request, _ in
            let bytes = try request.jsonBytes()
            guard let form = try? JSONDecoder().decode(Form.self, from: Data(bytes)) else { throw BodyError.notJSON }
            return .json(bytes: Array(#"{"name":\#(Self.json(form.name))}"#.utf8))
        }
        routes.get("/v1/query", "Reads the query") { request, _ in
            let query = try request.query()
            return .json(bytes: Array(#"{"q":\#(Self.json(query["q"]))}"#.utf8))
        }
        routes.get("/v1/versioned", "Has a version") { request, _ in
            .conditional(request, EntityTag(opaque: "va.2")) { Array(#"{"version":"10.2"}"#.utf8) }
        }
        routes.post("/v1/versioned", "Changes it") { request, _ in
            guard request.allowsChange(of: EntityTag(opaque: "va.2")) else { throw Problem.preconditionFailed }
            return .json(bytes: Array(#"{"changed":true}"#.utf8))
        }
        routes.get("/v1/events", "A stream without events", isStream: true) { _, context in
            let (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
            return .eventStream(events, context, heartbeat: .seconds(15)) { continuation.finish() }
        }
        routes.get("/v1/held", "Waits") { _, _ in
            await gate.wait()
            return .json(bytes: Array(#"{"held":false}"#.utf8))
        }
    }
}

/// A running server and its parts that tests inspect.
struct TestBench: Sendable {
    let server: TestServer
    let gate: Gate
}

/// Runs a server with `TestBenchRoutes` while the closure runs.
func withTestBench<Value: Sendable>(
    _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }, _ body: @Sendable (TestBench) async throws -> Value
) async throws -> Value {
    var configuration = HTTPServerConfiguration(product: "bench", port: 0)
    configure(&configuration)
    let gate = Gate()
    return try await TestServer.run { onRunning in
        [
            buildHTTPServer(
                configuration, routes: RouteTable([TestBenchRoutes(gate: gate)]), logger: .silent, onRunning: onRunning)
        ]
    } _: { server in
        try await body(TestBench(server: server, gate: gate))
    }
}
