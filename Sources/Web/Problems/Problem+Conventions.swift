// The problems that any route may answer with: the conventions of the contract. A feature's own stand in a file of its own.
// Thrown by Responder, the body reader and the conditions; see RFC 9110, section 15, for the statuses.

import HTTPTypes
import Wire

extension Problem {
    /// No such path.
    public static var notFound: Problem {
        Problem(.notFound, "not_found", "There is nothing at this path.")
    }

    /// The path exists with other methods, listed in Allow.
    public static func methodNotAllowed(allow: String) -> Problem {
        Problem(.methodNotAllowed, "method_not_allowed", "This path answers \(allow) only.", headers: [.allow: allow])
    }

    /// The body is larger than this many bytes.
    public static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.contentTooLarge, "body_too_large", "A body may have \(limit) bytes at most.")
    }

    /// The body is not declared as JSON.
    public static var unsupportedMediaType: Problem {
        Problem(.unsupportedMediaType, "unsupported_media_type", "Send the body as Content-Type: application/json.")
    }

    /// The body can't be read.
    public static func malformedBody(_ detail: String) -> Problem {
        Problem(.badRequest, "malformed_body", detail)
    }

    /// A parameter of the query can't be understood.
    public static func invalidParameter(_ name: String, _ detail: String) -> Problem {
        var problem = Problem(.badRequest, "invalid_parameter", "\(name): \(detail)")
        problem.errors = [FieldErrorBody(field: name, code: "invalid_parameter", message: detail, params: [:])]
        return problem
    }

    /// If-Match names another version than the current one.
    public static var preconditionFailed: Problem {
        Problem(.preconditionFailed, "precondition_failed", "It has changed since the version in If-Match. Read it again and decide anew.")
    }

    /// The request did not arrive in time.
    public static var requestTimeout: Problem {
        Problem(.requestTimeout, "request_timeout", "The request took too long to arrive.", headers: [.connection: "close"])
    }

    /// The bytes are no HTTP request.
    static var malformedRequest: Problem {
        Problem(
            .badRequest, "malformed_request", "This is not a request as HTTP/1.1 wants it, with one Host.", headers: [.connection: "close"])
    }

    /// The head of the request is too large.
    static var headersTooLarge: Problem {
        Problem(.requestHeaderFieldsTooLarge, "headers_too_large", "The request's headers are too large.", headers: [.connection: "close"])
    }

    /// There is more to do than can be done in time; nothing was done.
    public static func overloaded(retryAfter seconds: Int = 1) -> Problem {
        Problem(
            .serviceUnavailable, "overloaded", "The server is busy and did nothing. Try again in a moment.",
            headers: [.retryAfter: "\(seconds)"])
    }

    /// Something broke that the guest can't mend; the log has the rest.
    static var internalError: Problem {
        Problem(
            .internalServerError, "internal_error", "Something went wrong on our side. Try again; if it stays, tell us the requestId.")
    }
}

extension MalformedBody: ProblemConvertible {
    /// 400 `malformed_body`, with the field and the byte.
    public var problem: Problem {
        .malformedBody(path.isEmpty ? "\(message) (byte \(offset))" : "\(path): \(message) (byte \(offset))")
    }
}
