// Serves the guest page at `/`, the staff page at `/staff`, and their files below `/assets/<version>/`.
import HTTPServing
import HTTPTypes

/// The routes of the pages. They are not part of the versioned, documented API.
package struct PageRoutes: Routes {
    private let files: PageFiles
    private let mayHaveStaffToken: @Sendable () async throws -> Bool

    /// - Parameter mayHaveStaffToken: Whether a staff token exists or, while the database is away, may exist. If not,
    ///   `/staff` explains how to create one.
    package init(_ files: PageFiles, mayHaveStaffToken: @escaping @Sendable () async throws -> Bool) {
        (self.files, self.mayHaveStaffToken) = (files, mayHaveStaffToken)
    }

    package func add(to routes: inout RouteTable) {
        routes.get("/", "The storefront page") { request, _ in files.guestPage.response(to: request) }
        routes.fallback = { request in
            isBrowserNavigation(request)
                ? files.guestPage.response(to: request, status: .notFound, cacheControl: "no-store") : nil
        }
        routes.get("/assets/{version}/{file}", "A file of the pages") { request, context in
            try asset(context.path("file"), request, context)
        }
        routes.get("/assets/{version}/{folder}/{file}", "A file of the pages") { request, context in
            try asset(context.path("folder") + "/" + context.path("file"), request, context)
        }
        routes.get("/staff", "The staff's page") { request, _ in
            try await (mayHaveStaffToken() ? files.staffPage : files.closedStaffPage).response(to: request)
        }
    }

    /// Whether a browser navigates to an unknown path. A browser then gets the page, which reports the unknown path
    /// (early.js). API clients get the problem.
    private func isBrowserNavigation(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && !request.uri.path.hasPrefix("/v1/") && request.accepts("text/html")
    }

    private func asset(_ name: String, _ request: Request, _ context: RequestContext) throws(Problem) -> Response {
        guard let file = files.asset(name, version: context.path("version")) else { throw .notFound }
        return file.response(to: request)
    }
}
