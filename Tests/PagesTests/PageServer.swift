// A server of the pages, without a shop and without a database.
import HTTPServing
import Logging
import Pages
import Support

/// Bundled once, because each bundling takes as long as several tests.
private let pageFiles: Result<PageFiles, any Error> = Result { try PageFiles() }

/// A route beside those of the pages, which knows no file.
private struct EmptyPictureRoutes: Routes {
    func add(to routes: inout RouteTable) {
        routes.get("/pictures/{name}", "A picture") { _, _ in throw Problem.notFound }
    }
}

/// Runs a server with the pages while the closure runs.
func withPages<Value: Sendable>(
    mayHaveStaffToken: Bool = true, _ body: @Sendable (TestServer) async throws -> Value
) async throws -> Value {
    let files = try pageFiles.get()
    return try await TestServer.run { onRunning in
        [
            buildHTTPServer(
                HTTPServerConfiguration(product: "pages", port: 0),
                routes: RouteTable([PageRoutes(files) { mayHaveStaffToken }, EmptyPictureRoutes()]), logger: .silent,
                onRunning: onRunning)
        ]
    } _: { server in
        try await body(server)
    }
}
