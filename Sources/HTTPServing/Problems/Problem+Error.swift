// Converts thrown errors to problems: known outcomes to their own, unknown errors to an opaque 500 that is logged in
// full.
import Logging

extension Problem {
    /// The response to an error that a handler has thrown.
    static func response(to error: any Error, _ request: Request, _ context: RequestContext) -> Problem {
        if let convertible = error as? any ProblemConvertible { return convertible.problem }
        if let fault = error as? any TemporaryFault, let problem = fault.temporaryProblem(context) { return problem }
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
}
