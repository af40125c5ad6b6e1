// Creates JSON responses, with or without an ETag. Problems are thrown instead.
import HTTPTypes
import NIOCore
import Wire

extension Response {
    /// A response with this body, such as `.json(body, status: .created, headers: [.location: "/v1/baskets/…"])`.
    package static func json(_ body: some JSONWritable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:])
        -> Response
    {
        json(bytes: ByteBuffer(bytes: body.json), status: status, headers: headers)
    }

    /// A response with encoded JSON; the buffer is shared, not copied.
    package static func json(bytes: ByteBuffer, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:])
        -> Response
    {
        var headers = headers
        headers.append(.jsonContentType)
        return Response(status: status, headers: headers, body: .bytes(bytes))
    }

    /// The response to a read: 200 with an ETag, or 304 if the client has this version. The bytes are created only if
    /// they are sent.
    /// - Parameter cacheControl: `no-cache` lets clients store and revalidate it; use `private, no-cache` for one
    ///   guest's data.
    package static func conditional(
        _ request: Request, _ tag: EntityTag, cacheControl: String = "no-cache", headers: HTTPFields = [:],
        _ bytes: () -> ByteBuffer
    ) -> Response {
        var headers = headers
        headers[.eTag] = tag.header
        headers[.cacheControl] = cacheControl
        if request.hasCached(tag) { return Response(status: .notModified, headers: headers) }
        return json(bytes: bytes(), headers: headers)
    }

    /// The same for a body whose tag is the hash of its bytes.
    /// - Parameter compresses: Whether to use gzip if the client accepts it; for lists, which may be large.
    package static func conditional(
        _ request: Request, _ body: some JSONWritable, cacheControl: String = "no-cache", headers: HTTPFields = [:],
        compresses: Bool = false
    ) -> Response {
        let bytes = body.json
        let tag = EntityTag(hashing: bytes)
        var headers = headers
        if compresses, bytes.count >= Gzip.smallest {
            headers.vary(by: .acceptEncoding)
            if request.acceptsGzip {
                headers[.eTag] = tag.gzip.header
                headers[.cacheControl] = cacheControl
                if request.hasCached(tag.gzip) { return Response(status: .notModified, headers: headers) }
                if let compressed = Gzip.compressed(bytes, .quick) {
                    headers[.contentEncoding] = "gzip"
                    return json(bytes: ByteBuffer(bytes: compressed), headers: headers)
                }
            }
        }
        return conditional(request, tag, cacheControl: cacheControl, headers: headers) { ByteBuffer(bytes: bytes) }
    }
}
