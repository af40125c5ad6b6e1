// The problems that any route may answer with: the conventions of the contract. A feature's own stand in a file of its own.
// Thrown by Responder, the body reader and the conditions; see RFC 9110, section 15, for the statuses.

import HTTPTypes
import Wire

extension Problem {
    /// The page or program that asks is wrong, or older than the server: a guest can do nothing about it but load it again.
    static func misunderstood(
        _ status: HTTPResponse.Status, _ code: String, hint: String, headers: HTTPFields = [:]
    ) -> Problem {
        Problem(
            status, code, "This could not be understood, and nothing was done. Please load the page again.", hint: hint, headers: headers)
    }

    /// No such path.
    package static var notFound: Problem {
        Problem(.notFound, "not_found", "There is nothing here.", hint: "/openapi.json lists the paths that there are.")
    }

    /// The path exists with other methods, listed in Allow.
    package static func methodNotAllowed(allow: String) -> Problem {
        .misunderstood(.methodNotAllowed, "method_not_allowed", hint: "This path answers \(allow) only.", headers: [.allow: allow])
    }

    /// The body is larger than this many bytes.
    package static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "body_too_large", "This is too much text at once. Please shorten it.",
            hint: "A body may have \(limit) bytes at most.")
    }

    /// The body is not declared as JSON.
    package static var unsupportedMediaType: Problem {
        .misunderstood(.unsupportedMediaType, "unsupported_media_type", hint: "Send the body as Content-Type: application/json.")
    }

    /// The body is compressed, or coded otherwise (RFC 9110, section 15.5.16).
    static var unsupportedContentCoding: Problem {
        .misunderstood(
            .unsupportedMediaType, "unsupported_media_type", hint: "Send the body as it is, without a Content-Encoding.",
            headers: [.acceptEncoding: "identity"])
    }

    /// The body can't be read.
    package static func malformedBody(_ what: String) -> Problem {
        .misunderstood(.badRequest, "malformed_body", hint: what)
    }

    /// A parameter of the query can't be understood.
    package static func invalidParameter(_ name: String, _ what: String) -> Problem {
        var problem = Problem(
            .badRequest, "invalid_parameter", "We can't look this up. Please ask for something else.", hint: "\(name): \(what)")
        problem.errors = [FieldErrorBody(field: name, code: "invalid_parameter", message: what, params: [:])]
        return problem
    }

    /// If-Match names another version than the current one.
    package static var preconditionFailed: Problem {
        Problem(
            .preconditionFailed, "precondition_failed", "This has changed meanwhile. Please look at it again and decide anew.",
            hint: "If-Match names another version than the current one.")
    }

    /// The request did not arrive in time.
    package static var requestTimeout: Problem {
        Problem(.requestTimeout, "request_timeout", "This took too long to arrive. Please try again.", headers: [.connection: "close"])
    }

    /// The bytes are no HTTP request.
    static var malformedRequest: Problem {
        .misunderstood(
            .badRequest, "malformed_request", hint: "This is not a request as HTTP/1.1 wants it, with one Host.",
            headers: [.connection: "close"])
    }

    /// The body comes in a transfer coding that a server need not know (RFC 9112, section 6.1).
    static var unknownTransferCoding: Problem {
        .misunderstood(
            .notImplemented, "unknown_transfer_coding", hint: "The only Transfer-Encoding that is known here is chunked.",
            headers: [.connection: "close"])
    }

    /// The head of the request is too large.
    static var headersTooLarge: Problem {
        .misunderstood(
            .requestHeaderFieldsTooLarge, "headers_too_large", hint: "The request's headers are too large.", headers: [.connection: "close"]
        )
    }

    /// There is more to do than can be done in time; nothing was done.
    package static func overloaded(retryAfter seconds: Int = 1) -> Problem {
        Problem(
            .serviceUnavailable, "overloaded", "We are very busy right now, and nothing was done. Please try again in a moment.",
            headers: [.retryAfter: "\(seconds)"])
    }

    /// Something broke that the guest can't mend; the log has the rest.
    static var internalError: Problem {
        Problem(
            .internalServerError, "internal_error", "Something went wrong on our side. Please try again in a moment.",
            hint: "The server's log tells more, under the requestId.")
    }
}

extension MalformedBody: ProblemConvertible {
    /// 400 `malformed_body`, with the field and the byte.
    package var problem: Problem {
        .malformedBody(path.isEmpty ? "\(message) (byte \(offset))" : "\(path): \(message) (byte \(offset))")
    }
}
