// An error response as a value, thrown by handlers. ProblemWriter writes it as RFC 9457.
import HTTPTypes

/// An outcome or error that has a problem response. Throw it, or call `get()` on a Result that contains one.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

/// A fault that ends by itself or when an operator fixes its cause. It may have a problem response.
package protocol TemporaryFault: Error {
    /// The response while the fault lasts; nil for a fault of the request itself. Logs what the response hides.
    func temporaryProblem(_ context: RequestContext) -> Problem?
}

/// A problem (RFC 9457) before serialisation.
package struct Problem: ProblemConvertible, Sendable {
    /// An additional member of the body (RFC 9457, section 3.2).
    package struct Member: Sendable {
        /// The name, which needs no escapes.
        let name: StaticString
        /// The value as JSON.
        let json: [UInt8]

        package init(_ name: StaticString, json: [UInt8]) { (self.name, self.json) = (name, json) }
    }

    package var status: HTTPResponse.Status
    /// The code of the contract, such as `not_found`; type and title derive from it.
    package var code: String
    /// Tells the user the problem and the next step. Pages show it, so it never mentions HTTP, JSON or paths.
    package var detail: String
    /// Tells the client's developers how to correct the request.
    package var hint: String?
    /// The rejected fields: the member `errors`. Nil: the body has no such member.
    package var errors: [RejectedField]?
    /// Additional members, as they follow each other in the body.
    package var members: [Member] = []
    /// Additional response headers, such as Retry-After.
    package var headers: HTTPFields

    /// Creates a problem without optional members; set those that apply.
    package init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, hint: String? = nil, headers: HTTPFields = [:]
    ) {
        (self.status, self.code, self.detail, self.hint, self.headers) = (status, code, detail, hint, headers)
    }

    package var problem: Problem { self }
}

/// A rejected field or parameter of a request.
package struct RejectedField: Sendable {
    /// The path of the field, or the name of the parameter.
    let field: String
    let code: String
    /// The fault, and the accepted values.
    let message: String
    /// The parameters of the message, as a JSON object.
    let parameters: [UInt8]

    package init(_ field: String, code: String, message: String, parameters: [UInt8] = Array("{}".utf8)) {
        (self.field, self.code, self.message, self.parameters) = (field, code, message, parameters)
    }
}
