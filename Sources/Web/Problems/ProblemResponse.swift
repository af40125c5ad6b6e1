// Converts thrown errors to HTTP: known outcomes as problems, unknown errors as an opaque 500 that is logged in full.
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

    static func problem(for error: any Error, _ request: Request, _ context: RequestContext) -> Problem {
        if let convertible = error as? any ProblemConvertible { return convertible.problem }
        // The pool reports an unavailable database once to the log and the error channel, not per request.
        if let fault = error as? ShopFault, let problem = transientProblem(fault, context) { return problem }
        context.logger.error(
            "Request failed",
            metadata: [
                "error": "\(String(reflecting: error))", "method": "\(request.method)", "path": "\(request.uri.path)",
            ])
        return .internalError
    }

    /// Whether a handler threw an error that the client cannot correct, such as overload or an unavailable database.
    static func isServerFault(_ error: any Error) -> Bool {
        if let convertible = error as? any ProblemConvertible { return convertible.problem.status.code >= 500 }
        return true
    }

    /// The problem for a temporary fault; nil for a fault of the request itself.
    static func transientProblem(_ fault: ShopFault, _ context: RequestContext) -> Problem? {
        guard let problem = fault.transientProblem else { return nil }
        // Logs the request and the database's reason. OrderingMonitor reports once when nobody can order.
        if case .databaseFailed(let reason) = fault {
            context.logger.warning("The database rejected a request", metadata: ["error": "\(reason)"])
        }
        return problem
    }
}
