// Connects requests to the header parsers. The parsers do not depend on HTTP types, so that Tests/Tools/Fuzz can
// compile them alone.
import HTTPTypes

extension Request {
    package func query() throws(ParameterError) -> QueryParameters { try QueryParameters(uri.query) }

    /// The token of the Authorization header; nil without the header or with another scheme.
    package var bearerToken: String? { headers[.authorization].flatMap(BearerToken.parse) }
}
