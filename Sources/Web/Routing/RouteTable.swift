// Every route of the server in one list: method, path, one line on what it is for, and what answers it.
// The responder, the 405's Allow, HEAD and the OpenAPI check all read this list. Filled by the route collections of the features.
import HTTPTypes
import NIOCore
import Ordering

/// Answers one request. What it throws becomes a problem (Problems/ProblemResponse.swift).
package typealias Handler = @Sendable (Request, WebContext) async throws -> Response

/// For a route that takes more than the 64 KiB of the others.
package struct LargeBody: Sendable {
    let limit: Int
    /// Whether so much is read, by the headers and the address of the connection. The body is in memory before the
    /// handler is called.
    let isTaken: @Sendable (HTTPFields, SocketAddress?) -> Bool
}

/// One line of the table.
package struct Route: Sendable {
    let index: Int
    /// The method; GET answers HEAD too.
    package let method: HTTPRequest.Method
    /// E.g. `/v1/menu/{id}`.
    package let path: String
    /// One line on what it is for, as OpenAPI shows it.
    package let summary: String
    /// Whether it is answered however busy the server is: health checks.
    package let isNeverShed: Bool
    /// Whether it answers with an event stream.
    let isStream: Bool
    /// Whether a request counts against no limit, for it does nothing; asked where the limit is reached. Nil: none does.
    let isFree: (@Sendable (Request) async throws -> Bool)?
    /// Nil: it takes what others take.
    let largeBody: LargeBody?
    /// What a member of staff has to be allowed to; nil: it is not for staff.
    package let permission: StaffPermission?
    package internal(set) var handler: Handler
}

/// The routes of one feature: a struct that holds what it needs and lists its routes.
package protocol Routes: Sendable {
    func add(to routes: inout RouteTable)
}

/// The list, in the order it was filled.
package struct RouteTable: Sendable {
    package private(set) var routes: [Route] = []
    /// What is answered where no route has the path; nil, or where it gives nil: the problem that says so.
    var otherwise: (@Sendable (Request) -> Response?)?

    package init() {}

    package init(_ collections: [any Routes]) {
        for collection in collections { collection.add(to: &self) }
    }

    /// A route that reads; HEAD comes with it.
    package mutating func get(
        _ path: String, _ summary: String, isNeverShed: Bool = false, isStream: Bool = false, _ handler: @escaping Handler
    ) {
        add(.get, path, summary, isNeverShed: isNeverShed, isStream: isStream, handler)
    }

    /// A route that makes or changes something.
    package mutating func post(
        _ path: String, _ summary: String, isFree: (@Sendable (Request) async throws -> Bool)? = nil, _ handler: @escaping Handler
    ) {
        add(.post, path, summary, isNeverShed: false, isFree: isFree, handler)
    }

    /// A route that makes something what the request says; a repetition changes nothing more.
    package mutating func put(_ path: String, _ summary: String, largeBody: LargeBody? = nil, _ handler: @escaping Handler) {
        add(.put, path, summary, isNeverShed: false, largeBody: largeBody, handler)
    }

    /// A route that changes what the request names and leaves the rest; a repetition may change it again.
    package mutating func patch(_ path: String, _ summary: String, _ handler: @escaping Handler) {
        add(.patch, path, summary, isNeverShed: false, handler)
    }

    /// A route that takes something away.
    package mutating func delete(_ path: String, _ summary: String, _ handler: @escaping Handler) {
        add(.delete, path, summary, isNeverShed: false, handler)
    }

    /// Puts something around the handler of a route.
    mutating func wrap(_ method: HTTPRequest.Method, _ path: String, _ wrapping: (Route) -> Handler) {
        for index in routes.indices where routes[index].method == method && routes[index].path == path {
            routes[index].handler = wrapping(routes[index])
        }
    }

    /// Puts something around the handlers of all event streams.
    mutating func wrapStreams(_ wrapping: (Route) -> Handler) {
        for index in routes.indices where routes[index].isStream { routes[index].handler = wrapping(routes[index]) }
    }

    /// - Parameter permission: Given by ``StaffRouteTable`` alone, which puts the door before the handler.
    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, isNeverShed: Bool = false, isStream: Bool = false,
        isFree: (@Sendable (Request) async throws -> Bool)? = nil, largeBody: LargeBody? = nil,
        permission: StaffPermission? = nil, _ handler: @escaping Handler
    ) {
        routes.append(
            Route(
                index: routes.count, method: method, path: path, summary: summary, isNeverShed: isNeverShed,
                isStream: isStream, isFree: isFree, largeBody: largeBody, permission: permission, handler: handler))
    }
}
