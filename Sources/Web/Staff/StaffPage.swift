// The staff's page at `/staff`; while nobody has a token, one that tells how to make one. Read next: Sources/Web/Storefront/staff/app.js.
import Shop

/// It stands below no version, and is no part of the API's description.
struct StaffPage: Routes {
    private let pages: StorefrontPage
    private let door: StaffDoor

    init(_ pages: StorefrontPage, door: StaffDoor) { (self.pages, self.door) = (pages, door) }

    func add(to routes: inout RouteTable) {
        routes.get("/staff", "The staff's page") { request, _ in
            try await (hasKey() ? pages.staffPage : pages.closedStaffPage).response(to: request)
        }
    }

    private func hasKey() async throws -> Bool {
        // Nobody knows: the page tells what is wrong when somebody comes in.
        do { return try await door.hasKey() } catch is ShopFault { return true }
    }
}
