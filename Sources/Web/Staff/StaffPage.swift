// Serves the staff page at `/staff`, or instructions while no staff token exists.
import HTTPServing

/// Not part of the versioned, documented API.
struct StaffPage: Routes {
    private let pages: StorefrontPage
    private let hasStaffToken: @Sendable () async throws -> Bool

    /// - Parameter hasStaffToken: Whether staff can sign in.
    init(_ pages: StorefrontPage, hasStaffToken: @escaping @Sendable () async throws -> Bool) {
        (self.pages, self.hasStaffToken) = (pages, hasStaffToken)
    }

    func add(to routes: inout RouteTable) {
        routes.get("/staff", "The staff's page") { request, _ in
            try await (hasStaffToken() ? pages.staffPage : pages.closedStaffPage).response(to: request)
        }
    }
}
