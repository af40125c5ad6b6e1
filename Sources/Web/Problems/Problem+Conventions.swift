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
            status, code, "This could not be understood, and nothing was changed. Please reload the page.", hint: hint, headers: headers)
    }

    package static let notFound = Problem(
        .notFound, "not_found", "There is nothing here.", hint: "/openapi.json lists the paths that there are.")

    /// The path exists with other methods, listed in Allow.
    package static func methodNotAllowed(allow: String) -> Problem {
        .misunderstood(.methodNotAllowed, "method_not_allowed", hint: "This path answers \(allow) only.", headers: [.allow: allow])
    }

    static func validationFailed(_ errors: [FieldErrorBody]) -> Problem {
        var problem = Problem(
            .unprocessableContent, "validation_failed", "Something is missing or wrong. Please check what you have filled in.",
            hint: "errors says what, field by field.")
        problem.errors = errors
        return problem
    }

    static func missingField(_ name: String, _ message: String) -> Problem {
        .validationFailed([FieldErrorBody(field: name, code: "required", message: message, params: [:])])
    }

    /// If-Match names another version than the current one.
    package static let preconditionFailed = Problem(
        .preconditionFailed, "precondition_failed", "This has changed in the meantime. Please check it and try again.",
        hint: "If-Match names another version than the current one.")

    /// If-Match names a weak tag (RFC 9110, section 13.1.1: strong comparison).
    package static let weakPrecondition = Problem(
        .preconditionFailed, "precondition_failed",
        "Nothing was changed: a weak tag never matches. Please check it and try again.",
        hint: "If-Match compares strongly, so a weak tag (W/) never matches. Send the ETag as it came, without W/."
    )

    package static let requestTimeout = Problem(
        .requestTimeout, "request_timeout", "This took too long to arrive. Please try again.", headers: [.connection: "close"])

    /// The bytes are no HTTP request.
    static let malformedRequest = Problem.misunderstood(
        .badRequest, "malformed_request", hint: "This is not a request as HTTP/1.1 wants it, with one Host.",
        headers: [.connection: "close"])

    /// The body comes in a transfer coding that a server need not know (RFC 9112, section 6.1).
    static let unknownTransferCoding = Problem.misunderstood(
        .notImplemented, "unknown_transfer_coding", hint: "The only Transfer-Encoding that is known here is chunked.",
        headers: [.connection: "close"])

    static let headersTooLarge = Problem.misunderstood(
        .requestHeaderFieldsTooLarge, "headers_too_large", hint: "The request’s headers are too large.", headers: [.connection: "close"])

    /// There is more to do than can be done in time; nothing was done.
    package static func overloaded(retryAfter seconds: Int = 1) -> Problem {
        Problem(
            .serviceUnavailable, "overloaded", "We are very busy right now, and nothing was changed. Please try again in a moment.",
            headers: [.retryAfter: "\(seconds)"])
    }

    /// Something broke that the guest can't mend; the log has the rest.
    static let internalError = Problem(
        .internalServerError, "internal_error", "Something went wrong on our side. Please try again in a moment.",
        hint: "The server’s log tells more, under the requestId.")
}

extension MalformedBody: ProblemConvertible {
    /// 400 `malformed_body`, with the field and the byte.
    package var problem: Problem {
        .misunderstood(.badRequest, "malformed_body", hint: "\(path)\(path.isEmpty ? "" : ": ")\(message) (byte \(offset))")
    }
}

extension BodyFault: ProblemConvertible {
    /// 413 `body_too_large`, or 415 `unsupported_media_type` with what is taken.
    package var problem: Problem {
        switch self {
        case .tooLarge:
            Problem(
                .contentTooLarge, "body_too_large", "This is too much text. Please shorten it.",
                hint: "A body may have \(Request.bodyLimit) bytes at most.")
        case .isCoded:
            .misunderstood(
                .unsupportedMediaType, "unsupported_media_type", hint: "Send the body as it is, without a Content-Encoding.",
                headers: [.acceptEncoding: "identity"])
        case .isNotJSON:
            .misunderstood(.unsupportedMediaType, "unsupported_media_type", hint: "Send the body as Content-Type: application/json.")
        }
    }
}

extension ParameterError: ProblemConvertible {
    /// 400 `invalid_parameter`, with the parameter and what would be right.
    package var problem: Problem {
        var problem = Problem(
            .badRequest, "invalid_parameter", "We can’t search for this. Please try something else.", hint: "\(name): \(message)")
        problem.errors = [FieldErrorBody(field: name, code: "invalid_parameter", message: message, params: [:])]
        return problem
    }
}
