// What routes ask a request for that a parser of ours reads. The parsers stand beside this file and know nothing of HTTP's types,
// so that Tests/Tools/Fuzz can compile them alone.
import HTTPTypes
import Ordering

extension Request {
    func query() throws(ParameterError) -> QueryParameters { try QueryParameters(uri.query) }

    /// The token of the Authorization header; nil without the header, and with another scheme.
    var bearerToken: String? { headers[.authorization].flatMap(BearerToken.parse) }
}
