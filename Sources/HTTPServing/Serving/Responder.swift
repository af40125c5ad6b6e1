// Handles every request in one function without middleware: routing, load shedding, handler, problems and common
// headers. Hummingbird's middleware needs its router.
import HTTPTypes
import Logging
import Tracing

struct Responder {
    let routes: RouteTree
    let shedding: LoadShedding
    let metrics: RequestMetrics
    let problems: ProblemWriter
    let date = DateHeader()
    var crossOrigin: CrossOrigin?
    var isSecure = false
    /// Nil if tracing is disabled.
    var tracing: RequestTracing?

    func respond(to request: Request, _ context: RequestContext) async -> Response {
        let start = ContinuousClock.now
        var context = context
        let match = routes.match(request.method, request.uri.path)
        let span = tracing?.begin(request, route: match.route?.path)
        (context.span, context.callerTraceparent) = (span, request.headers[.traceparent])
        var response: Response
        do {
            if let current = span?.context {
                response = try await ServiceContext.$current.withValue(current) {
                    try await handle(request, match, context)
                }
            } else {
                response = try await handle(request, match, context)
            }
        } catch {
            let problem = Problem.response(to: error, request, context)
            metrics.recordProblem(problem)
            response = problems.response(problem, context.id)
        }
        if request.method == .head { response = response.withoutBody }
        response.headers.append(HTTPField(name: .requestID, value: "\(context.id)"))
        response.headers.append(.noSniff)
        response.headers.append(HTTPField(name: .date, value: date.now))
        // By default nothing is cached, because responses may be private.
        if !response.headers.contains(.cacheControl) { response.headers.append(.noStore) }
        // Responses are data. If a browser renders one as a page, that page may do nothing.
        if !response.headers.contains(.contentSecurityPolicy) { response.headers.append(.denyAllContentSecurityPolicy) }
        crossOrigin?.addHeaders(to: &response, for: request)
        // For a year, browsers use only https (RFC 6797).
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        span?.end(response.status)
        let duration = ContinuousClock.now - start
        metrics.recordResponse(match.route?.index, response.status, after: duration)
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

    /// The body limit of a request. Called only for bodies beyond the default limit.
    func bodyLimit(of head: HTTPRequest, from peer: NetworkAddress?) -> Int {
        let path = head.path ?? ""
        let route = routes.match(head.method, String(path.prefix { $0 != "?" })).route
        guard let large = route?.largeBody, large.isAccepted(head.headerFields, peer)
        else { return Request.bodyLimit }
        return large.limit
    }

    private func handle(_ request: Request, _ match: RouteTree.Match, _ context: RequestContext) async throws
        -> Response
    {
        if case .healthCheck = context.use, match.route?.bypassesLoadShedding != true {
            throw Problem.overloaded(retryAfter: 5)
        }
        guard case .route(let route, let values) = match else {
            if case .wrongMethod(let allow) = match {
                if let preflight = crossOrigin?.preflight(request, allow: allow) { return preflight }
                throw Problem.methodNotAllowed(allow: allow)
            }
            if let response = routes.fallback?(request) { return response }
            throw Problem.notFound
        }
        // A declared length beyond the limit is rejected even if the handler ignores the body. Routes with large
        // bodies check sender and size themselves.
        if route.largeBody == nil, let declared = request.declaredLength, declared > Request.bodyLimit {
            throw BodyError.tooLarge
        }
        var context = context
        context.pathValues = values
        if route.bypassesLoadShedding { return try await route.handler(request, context) }
        guard shedding.enter() else { throw Problem.overloaded() }
        defer { shedding.leave() }
        return try await route.handler(request, context)
    }
}
