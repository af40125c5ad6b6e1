// The staff's routes in the list of all: none gets there without the permission that it needs, nor past the door. What changes something is told who
// does it. Filled by StaffRoutes, StaffShopRoutes, StaffPhotographRoutes and StaffPeopleRoutes.
import Ordering

/// Answers a member of staff, who may do it.
typealias StaffHandler = @Sendable (Request, WebContext, StaffMember) async throws -> Response

/// The routes of one feature of the staff's.
protocol GuardedRoutes: Routes {
    var door: StaffDoor { get }
    func add(to routes: inout StaffRouteTable)
}

extension GuardedRoutes {
    package func add(to routes: inout RouteTable) {
        var guarded = StaffRouteTable(door: door, routes: routes)
        add(to: &guarded)
        routes = guarded.routes
    }
}

struct StaffRouteTable {
    let door: StaffDoor
    fileprivate(set) var routes: RouteTable

    mutating func get(_ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping Handler) {
        get(path, summary, needing: permission) { request, context, _ in try await handler(request, context) }
    }

    mutating func get(
        _ path: String, _ summary: String, needing permission: StaffPermission, isStream: Bool = false,
        _ handler: @escaping StaffHandler
    ) {
        routes.add(
            .get, path, summary, isStream: isStream, permission: permission, door.guarding(permission, handler))
    }

    mutating func post(_ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping StaffHandler) {
        routes.add(.post, path, summary, permission: permission, door.guarding(permission, handler))
    }

    /// - Parameter largeBody: How many bytes its body may have; nil: as many as others.
    mutating func put(
        _ path: String, _ summary: String, needing permission: StaffPermission, largeBody: Int? = nil, _ handler: @escaping StaffHandler
    ) {
        // More than others send is read from those only who have shown that they may.
        let large = largeBody.map { [door] limit in
            LargeBody(limit: limit) { door.isKnown($0, from: $1, for: permission) }
        }
        routes.add(.put, path, summary, largeBody: large, permission: permission, door.guarding(permission, handler))
    }

    mutating func delete(_ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping StaffHandler) {
        routes.add(.delete, path, summary, permission: permission, door.guarding(permission, handler))
    }
}
