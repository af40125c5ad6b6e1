// Lists every route: method, path, summary and handler. The responder, the Allow header, HEAD and the OpenAPI test
// all read this list.
import HTTPTypes

/// Handles one request. Thrown errors become problems (Problem+Error.swift).
package typealias Handler = @Sendable (Request, RequestContext) async throws -> Response

/// For a route that accepts more than the default 64 KiB.
package struct LargeBody: Sendable {
    let limit: Int
    /// Whether the server reads such a body, judged by the headers and the connection's address. The whole body is in
    /// memory before the handler is called.
    let isAccepted: @Sendable (HTTPFields, NetworkAddress?) -> Bool

    package init(limit: Int, isAccepted: @escaping @Sendable (HTTPFields, NetworkAddress?) -> Bool) {
        (self.limit, self.isAccepted) = (limit, isAccepted)
    }
}

/// One route.
package struct Route: Sendable {
    let index: Int
    /// The method; GET includes HEAD.
    package let method: HTTPRequest.Method
    /// The path template, such as `/v1/things/{id}`.
    package let path: String
    /// The one-line summary in OpenAPI.
    package let summary: String
    /// Whether load shedding never rejects it; true for health checks and metrics.
    package let bypassesLoadShedding: Bool
    /// Whether it responds with an event stream.
    let isStream: Bool
    /// Whether a request over the rate limit is allowed because it changes nothing. Nil: no request is exempt.
    let isRateLimitExempt: (@Sendable (Request) async throws -> Bool)?
    /// Nil: the default body limit applies.
    let largeBody: LargeBody?
    /// The scope that the client's token needs (RFC 6750, section 3); nil for routes without authentication.
    package let scope: String?
    package internal(set) var handler: Handler
}

/// The routes of one feature, with the services that they need.
package protocol Routes: Sendable {
    func add(to routes: inout RouteTable)
}

/// All routes, as they were registered.
package struct RouteTable: Sendable {
    package private(set) var routes: [Route] = []
    /// Responds to unknown paths. If the closure or its result is nil, the response is the problem `not_found`.
    package var fallback: (@Sendable (Request) -> Response?)?

    package init() {}

    package init(_ collections: [any Routes]) {
        for collection in collections { collection.add(to: &self) }
    }

    /// Adds a route that reads; it answers HEAD too.
    package mutating func get(
        _ path: String, _ summary: String, bypassesLoadShedding: Bool = false, isStream: Bool = false,
        _ handler: @escaping Handler
    ) {
        add(.get, path, summary, bypassesLoadShedding: bypassesLoadShedding, isStream: isStream, handler)
    }

    /// Adds a route that creates or changes something.
    package mutating func post(
        _ path: String, _ summary: String, isRateLimitExempt: (@Sendable (Request) async throws -> Bool)? = nil,
        _ handler: @escaping Handler
    ) {
        add(.post, path, summary, bypassesLoadShedding: false, isRateLimitExempt: isRateLimitExempt, handler)
    }

    /// Adds a route that replaces something; repeating the request changes nothing more.
    package mutating func put(
        _ path: String, _ summary: String, largeBody: LargeBody? = nil, _ handler: @escaping Handler
    ) {
        add(.put, path, summary, bypassesLoadShedding: false, largeBody: largeBody, handler)
    }

    /// Adds a route that changes the named members only; repeating the request may change them again.
    package mutating func patch(_ path: String, _ summary: String, _ handler: @escaping Handler) {
        add(.patch, path, summary, bypassesLoadShedding: false, handler)
    }

    /// Adds a route that removes something.
    package mutating func delete(_ path: String, _ summary: String, _ handler: @escaping Handler) {
        add(.delete, path, summary, bypassesLoadShedding: false, handler)
    }

    /// Wraps the handler of a route.
    mutating func wrap(_ method: HTTPRequest.Method, _ path: String, _ wrapping: (Route) -> Handler) {
        for index in routes.indices where routes[index].method == method && routes[index].path == path {
            routes[index].handler = wrapping(routes[index])
        }
    }

    /// Wraps the handlers of all event streams.
    mutating func wrapStreams(_ wrapping: (Route) -> Handler) {
        for index in routes.indices where routes[index].isStream { routes[index].handler = wrapping(routes[index]) }
    }

    /// Adds a route.
    /// - Parameter scope: Declares the scope; the handler checks it.
    package mutating func add(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, bypassesLoadShedding: Bool = false,
        isStream: Bool = false,
        isRateLimitExempt: (@Sendable (Request) async throws -> Bool)? = nil, largeBody: LargeBody? = nil,
        scope: String? = nil, _ handler: @escaping Handler
    ) {
        routes.append(
            Route(
                index: routes.count, method: method, path: path, summary: summary,
                bypassesLoadShedding: bypassesLoadShedding,
                isStream: isStream, isRateLimitExempt: isRateLimitExempt, largeBody: largeBody, scope: scope,
                handler: handler))
    }
}
