// The one place where what was thrown becomes HTTP: outcomes as they are, anything unknown as an opaque 500 that is logged in full.
// Called by Responder for handlers, and by ConnectionGuard for requests that never reached one.
import HTTPTypes
import Logging
import NIOCore
import Shop

enum ProblemResponse {
    static func response(_ problem: Problem, _ id: RequestID) -> Response {
        let (head, body) = render(problem, id)
        return Response(status: head.status, headers: head.headerFields, body: .bytes(body))
    }

    static func render(_ problem: Problem, _ id: RequestID) -> (head: HTTPResponse, body: ByteBuffer) {
        let body = ByteBuffer(bytes: problem.body(id).json)
        var headers = problem.headers
        headers[.contentType] = "application/problem+json"
        headers[.contentLength] = "\(body.readableBytes)"
        return (HTTPResponse(status: problem.status, headerFields: headers), body)
    }

    static func problem(for error: any Error, _ request: Request, _ context: WebContext) -> Problem {
        if let convertible = error as? any ProblemConvertible { return convertible.problem }
        // The pool tells the log and the error channel that the database is away, once and not for each request.
        if let fault = error as? ShopFault, let problem = passing(fault, context) { return problem }
        context.logger.error(
            "Request failed",
            metadata: ["error": "\(String(reflecting: error))", "method": "\(request.method)", "path": "\(request.uri.path)"])
        return .internalError
    }

    /// Whether a handler threw what the client can do nothing for: it is busy here, or the database is away.
    static func isOurs(_ error: any Error) -> Bool {
        if let convertible = error as? any ProblemConvertible { return convertible.problem.status.code >= 500 }
        return true
    }

    /// A fault of the shop, as a problem; nil for one that is about what was asked.
    static func passing(_ fault: ShopFault, _ context: WebContext) -> Problem? {
        guard let problem = fault.passingProblem else { return nil }
        // Whose request it was, and what the database said to it; that it is there and nobody can order is told once, by OrderingWatch.
        if case .refused(let reason) = fault { context.logger.warning("The database refused", metadata: ["error": "\(reason)"]) }
        return problem
    }
}
