// Adds staff routes to the route table. Every route needs a permission, and changes receive the authenticated member.
import HTTPServing
import Ordering

/// Handles a request of an authorised staff member.
typealias StaffHandler = @Sendable (Request, RequestContext, StaffMember) async throws -> Response

/// The staff routes of one feature.
protocol AuthenticatedRoutes: Routes {
    var authentication: StaffAuthentication { get }
    func add(to routes: inout StaffRouteTable)
}

extension AuthenticatedRoutes {
    package func add(to routes: inout RouteTable) {
        var guarded = StaffRouteTable(authentication: authentication, routes: routes)
        add(to: &guarded)
        routes = guarded.routes
    }
}

struct StaffRouteTable {
    let authentication: StaffAuthentication
    fileprivate(set) var routes: RouteTable

    mutating func get(
        _ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping Handler
    ) {
        get(path, summary, needing: permission) { request, context, _ in try await handler(request, context) }
    }

    mutating func get(
        _ path: String, _ summary: String, needing permission: StaffPermission, isStream: Bool = false,
        _ handler: @escaping StaffHandler
    ) {
        routes.add(
            .get, path, summary, isStream: isStream, scope: permission.rawValue,
            authentication.requiring(permission, handler))
    }

    mutating func post(
        _ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping StaffHandler
    ) {
        routes.add(.post, path, summary, scope: permission.rawValue, authentication.requiring(permission, handler))
    }

    /// - Parameter largeBody: The maximum size of the body; nil for the default.
    mutating func put(
        _ path: String, _ summary: String, needing permission: StaffPermission, largeBody: Int? = nil,
        _ handler: @escaping StaffHandler
    ) {
        // A body beyond the default limit is read only from authorised clients.
        let large = largeBody.map { [authentication] limit in
            LargeBody(limit: limit) { authentication.isAuthorised($0, from: $1, for: permission) }
        }
        routes.add(
            .put, path, summary, largeBody: large, scope: permission.rawValue,
            authentication.requiring(permission, handler)
        )
    }

    mutating func delete(
        _ path: String, _ summary: String, needing permission: StaffPermission, _ handler: @escaping StaffHandler
    ) {
        routes.add(.delete, path, summary, scope: permission.rawValue, authentication.requiring(permission, handler))
    }
}

extension Route {
    /// The permission that a staff member needs; nil for routes that are not for staff.
    var permission: StaffPermission? { scope.flatMap(StaffPermission.init(rawValue:)) }
}
