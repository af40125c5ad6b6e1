// The problems that every route may return (RFC 9110, section 15). Features define their own in separate files.
import HTTPTypes

extension Problem {
    /// The client has an error or is older than the server. Its user can only reload the page.
    package static func invalidRequest(
        _ status: HTTPResponse.Status, _ code: String, hint: String, headers: HTTPFields = [:]
    ) -> Problem {
        Problem(
            status, code, "We could not understand this request, so nothing was changed. Please reload the page.",
            hint: hint, headers: headers)
    }

    package static let notFound = Problem(
        .notFound, "not_found", "This address does not exist. Please check it.", hint: "/openapi.json lists all paths.")

    /// The path exists with other methods, which Allow lists.
    package static func methodNotAllowed(allow: String) -> Problem {
        .invalidRequest(
            .methodNotAllowed, "method_not_allowed", hint: "This path supports only \(allow).", headers: [.allow: allow]
        )
    }

    /// If-Match names another version than the current one.
    package static let preconditionFailed = Problem(
        .preconditionFailed, "precondition_failed", "This has changed in the meantime. Please check it and try again.",
        hint: "If-Match names another version than the current one.")

    /// If-Match names a weak tag (RFC 9110, section 13.1.1: strong comparison).
    package static let weakPrecondition = Problem(
        .preconditionFailed, "precondition_failed",
        "This may have changed in the meantime, so nothing was changed. Please check it and try again.",
        hint: "If-Match compares strongly, so a weak tag (W/) never matches. Send the ETag unchanged, without W/."
    )

    package static let requestTimeout = Problem(
        .requestTimeout, "request_timeout", "Your request took too long to arrive. Please try again.",
        headers: [.connection: "close"])

    /// The bytes are not an HTTP request.
    static let malformedRequest = Problem.invalidRequest(
        .badRequest, "malformed_request", hint: "This is not a valid HTTP/1.1 request with exactly one Host header.",
        headers: [.connection: "close"])

    /// The body uses a transfer coding that the server need not support (RFC 9112, section 6.1).
    static let unknownTransferCoding = Problem.invalidRequest(
        .notImplemented, "unknown_transfer_coding", hint: "The only supported Transfer-Encoding is chunked.",
        headers: [.connection: "close"])

    static let headersTooLarge = Problem.invalidRequest(
        .requestHeaderFieldsTooLarge, "headers_too_large", hint: "The request’s headers are too large.",
        headers: [.connection: "close"])

    /// The server cannot handle the request in time; nothing was changed.
    package static func overloaded(retryAfter seconds: Int = 1) -> Problem {
        Problem(
            .serviceUnavailable, "overloaded",
            "We are very busy right now, and nothing was changed. Please try again in a moment.",
            headers: [.retryAfter: "\(seconds)"])
    }

    /// An error that the client cannot correct; the log has the details.
    static let internalError = Problem(
        .internalServerError, "internal_error", "Something went wrong on our side. Please try again in a moment.",
        hint: "The server’s log has the details, under the requestId.")
}

extension BodyError: ProblemConvertible {
    /// 413 `body_too_large`, or 415 `unsupported_media_type` with the supported types.
    package var problem: Problem {
        switch self {
        case .tooLarge:
            Problem(
                .contentTooLarge, "body_too_large", "Your text is too long. Please shorten it.",
                hint: "A body may have at most \(Request.bodyLimit) bytes.")
        case .contentEncoding:
            .invalidRequest(
                .unsupportedMediaType, "unsupported_media_type", hint: "Send the body without a Content-Encoding.",
                headers: [.acceptEncoding: "identity"])
        case .notJSON:
            .invalidRequest(
                .unsupportedMediaType, "unsupported_media_type",
                hint: "Send the body as Content-Type: application/json.")
        }
    }
}

extension ParameterError: ProblemConvertible {
    /// 400 `invalid_parameter`, with the parameter and the expected value.
    package var problem: Problem {
        var problem = Problem(
            .badRequest, "invalid_parameter", "We can’t search for this. Please try something else.",
            hint: "\(name): \(message)")
        problem.errors = [RejectedField(name, code: "invalid_parameter", message: message)]
        return problem
    }
}
