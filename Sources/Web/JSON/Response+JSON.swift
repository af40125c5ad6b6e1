// Creates responses from the JSON bodies of the HTTP API. Problems are thrown instead.
import HTTPServing
import HTTPTypes
import Wire

extension Response {
    /// A response with this body, such as `.json(body, status: .created, headers: [.location: "/v1/baskets/…"])`.
    package static func json(_ body: some JSONWritable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:])
        -> Response
    {
        json(bytes: body.json, status: status, headers: headers)
    }

    /// The response to a read of a body whose tag is the hash of its bytes: 200, or 304 if the client has this version.
    /// - Parameter compresses: Whether to use gzip if the client accepts it; for lists, which may be large.
    package static func conditional(
        _ request: Request, _ body: some JSONWritable, cacheControl: String = "no-cache", headers: HTTPFields = [:],
        compresses: Bool = false
    ) -> Response {
        conditional(
            request, bytes: body.json, cacheControl: cacheControl, headers: headers, compresses: compresses)
    }
}

extension EncodedResponse {
    /// Encodes a body that changes with each menu revision or search.
    init(_ body: some JSONWritable, headers: HTTPFields = [:], effort: Gzip.Effort? = .quick) {
        self.init(body.json, headers: headers, effort: effort)
    }
}

extension ServerSentEvent {
    /// An event with this body as its data.
    package init(id: String? = nil, event: String, _ body: some JSONWritable) {
        self.init(id: id, event: event, data: body.json)
    }
}
