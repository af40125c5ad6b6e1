// Serves the staff page at `/staff`, or instructions while no staff token exists.
import HTTPServing
import Shop

/// Not part of the versioned, documented API.
struct StaffPage: Routes {
    private let pages: StorefrontPage
    private let authentication: StaffAuthentication

    init(_ pages: StorefrontPage, authentication: StaffAuthentication) {
        (self.pages, self.authentication) = (pages, authentication)
    }

    func add(to routes: inout RouteTable) {
        routes.get("/staff", "The staff's page") { request, _ in
            try await (hasAnyToken() ? pages.staffPage : pages.closedStaffPage).response(to: request)
        }
    }

    private func hasAnyToken() async throws -> Bool {
        // Without the database, assumes that a token exists. The page reports the fault when staff sign in.
        do { return try await authentication.hasAnyToken() } catch is ShopFault { return true }
    }
}
