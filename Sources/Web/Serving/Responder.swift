// The way of every request in one function and without middleware: find the route, take a place, answer, turn what was thrown into a problem, add
// the headers that every answer has. Called by HTTPConnections; read next: Routing/RouteTree.swift and Problems/ProblemResponse.swift.
import HTTPTypes
import Logging
import NIOCore
import Tracing

struct Responder {
    let routes: RouteTree
    let shedding: LoadShedding
    let metrics: RequestMetrics
    let date = DateHeader()
    var crossOrigin: CrossOrigin?
    var isSecure = false
    /// Nil: nobody traces.
    var tracing: RequestTracing?

    func respond(to request: Request, _ context: WebContext) async -> Response {
        let start = ContinuousClock.now
        var context = context
        let match = routes.match(request.method, request.uri.path)
        let span = tracing?.begin(request, route: match.route?.path)
        (context.span, context.caller) = (span, request.headers[.traceparent])
        var response: Response
        do {
            if let current = span?.context {
                response = try await ServiceContext.$current.withValue(current) { try await answer(request, match, context) }
            } else {
                response = try await answer(request, match, context)
            }
        } catch {
            let problem = ProblemResponse.problem(for: error, request, context)
            metrics.refused(problem)
            response = ProblemResponse.response(problem, context.id)
        }
        if request.method == .head { response = response.withoutBody }
        response.headers.append(HTTPField(name: .requestID, value: "\(context.id)"))
        response.headers.append(.isNoOtherType)
        response.headers.append(HTTPField(name: .date, value: date.now))
        // What is not said to be kept is not kept: baskets and orders are private.
        if !response.headers.contains(.cacheControl) { response.headers.append(.isNotKept) }
        // Our answers are data; if a browser shows one as a page all the same, that page may do nothing.
        if !response.headers.contains(.contentSecurityPolicy) { response.headers.append(.mayDoNothing) }
        crossOrigin?.mark(&response, to: request)
        // For a year, no browser that was here asks without TLS (RFC 6797).
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        span?.end(response.status)
        let duration = ContinuousClock.now - start
        metrics.answered(match.route?.index, response.status, after: duration)
        if context.isDebugging {
            context.logger.debug(
                "Answered",
                metadata: [
                    "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
                    "duration": "\(duration)",
                ])
        }
        return response
    }

    /// How large the body of a request may become: asked where it is larger than most routes take.
    func bodyLimit(of head: HTTPRequest, from peer: SocketAddress?) -> Int {
        let path = head.path ?? ""
        let route = routes.match(head.method, String(path.prefix { $0 != "?" })).route
        guard let large = route?.largeBody, large.isTaken(head.headerFields, peer)
        else { return Request.bodyLimit }
        return large.limit
    }

    private func answer(_ request: Request, _ match: RouteTree.Match, _ context: WebContext) async throws -> Response {
        if case .healthCheck = context.use, match.route?.isNeverShed != true {
            throw Problem.overloaded(retryAfter: 5)
        }
        guard case .route(let route, let values) = match else {
            if case .wrongMethod(let allow) = match {
                if let preflight = crossOrigin?.preflight(request, allow: allow) { return preflight }
                throw Problem.methodNotAllowed(allow: allow)
            }
            if let response = routes.otherwise?(request) { return response }
            throw Problem.notFound
        }
        // Also where the body is not read: what is declared too large is refused before a byte of it is taken.
        // A route that takes more says itself who may send it, and how much.
        if route.largeBody == nil, let declared = request.declaredLength, declared > Request.bodyLimit {
            throw BodyFault.tooLarge
        }
        var context = context
        context.pathValues = values
        if route.isNeverShed { return try await route.handler(request, context) }
        guard shedding.enter() else { throw Problem.overloaded() }
        defer { shedding.leave() }
        return try await route.handler(request, context)
    }
}
