// An answer that says what went wrong, as a value that handlers throw and outcomes are turned into.
// ProblemResponse writes it as RFC 9457; the features' own problems stand beside this file, one extension for each.
import HTTPTypes
import Wire

/// An outcome of the domain, or a fault, that knows its answer. Throw it, or `get()` a Result that has one, and it is answered.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

/// A problem (RFC 9457) before it is written.
package struct Problem: ProblemConvertible, Sendable {
    package var status: HTTPResponse.Status
    /// The contract's name for it, e.g. `basket_not_found`. Type and title are made of it.
    package var code: String
    /// What happened this time and what to do, for guests: storefronts show it as it is. No word of HTTP, JSON or paths.
    package var detail: String
    /// What a program has to do otherwise, for those who write it.
    package var hint: String?
    package var errors: [FieldErrorBody]?
    package var orderId: String?
    package var lineIds: [Int64]?
    package var changes: [PriceChangeBody]?
    package var quote: QuoteBody?
    /// Headers of the answer, e.g. Retry-After.
    package var headers: HTTPFields

    /// A problem with nothing beside its code; set the members that mean something.
    package init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, hint: String? = nil, headers: HTTPFields = [:]) {
        (self.status, self.code, self.detail, self.hint, self.headers) = (status, code, detail, hint, headers)
    }

    package var problem: Problem { self }

    func body(_ id: RequestID) -> ProblemBody {
        let words = code.split(separator: "_").joined(separator: " ")
        return ProblemBody(
            type: "urn:welms:problem:\(code)", title: words.prefix(1).uppercased() + words.dropFirst(), status: status.code, code: code,
            detail: detail, requestId: "\(id)", errors: errors, orderId: orderId, lineIds: lineIds, changes: changes, quote: quote,
            hint: hint)
    }
}
