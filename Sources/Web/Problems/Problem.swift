// An error response as a value, thrown by handlers. ProblemResponse writes it as RFC 9457.
import HTTPTypes
import Wire

/// An outcome or error that has a problem response. Throw it, or call `get()` on a Result that contains one.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

/// A problem (RFC 9457) before serialisation.
package struct Problem: ProblemConvertible, Sendable {
    package var status: HTTPResponse.Status
    /// The contract's code, such as `basket_not_found`; type and title derive from it.
    package var code: String
    /// Tells the guest the problem and the next step. Storefronts show it, so it never mentions HTTP, JSON or paths.
    package var detail: String
    /// Tells the client's developers how to correct the request.
    package var hint: String?
    package var errors: [FieldErrorBody]?
    package var orderId: String?
    package var lineIds: [Int64]?
    package var changes: [PriceChangeBody]?
    package var quote: QuoteBody?
    /// Additional response headers, such as Retry-After.
    package var headers: HTTPFields

    /// Creates a problem without optional members; set those that apply.
    package init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, hint: String? = nil, headers: HTTPFields = [:]
    ) {
        (self.status, self.code, self.detail, self.hint, self.headers) = (status, code, detail, hint, headers)
    }

    package var problem: Problem { self }

    func body(_ id: RequestID) -> ProblemBody {
        let words = code.split(separator: "_").joined(separator: " ")
        return ProblemBody(
            type: "urn:welms:problem:\(code)", title: words.prefix(1).uppercased() + words.dropFirst(),
            status: status.code, code: code,
            detail: detail, requestId: "\(id)", errors: errors, orderId: orderId, lineIds: lineIds, changes: changes,
            quote: quote,
            hint: hint)
    }
}
