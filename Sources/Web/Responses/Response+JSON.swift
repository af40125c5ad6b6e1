// How handlers answer: a body that writes itself, or bytes that were written before, with or without an ETag.
// Problems are thrown and not made here.
import HTTPTypes
import NIOCore
import Wire

extension Response {
    /// An answer with this body, e.g. `.json(body)` or `.json(body, status: .created, headers: [.location: "/v1/baskets/…"])`.
    package static func json(_ body: some JSONWritable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        json(bytes: ByteBuffer(bytes: body.json), status: status, headers: headers)
    }

    /// An answer with bytes that are JSON already; a ByteBuffer that is kept is shared, not copied.
    package static func json(bytes: ByteBuffer, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers.append(.isJSON)
        return Response(status: status, headers: headers, body: .bytes(bytes))
    }

    /// The answer to a read of something that has a version: 200 with its ETag, or 304 without a body if the client holds it already.
    /// The bytes are asked for only when they are sent.
    /// - Parameter cacheControl: `no-cache` lets a client keep it and ask each time; say `private, no-cache` where it is one guest's own.
    package static func conditional(
        _ request: Request, _ tag: EntityTag, cacheControl: String = "no-cache", headers: HTTPFields = [:], _ bytes: () -> ByteBuffer
    ) -> Response {
        var headers = headers
        headers[.eTag] = tag.header
        headers[.cacheControl] = cacheControl
        if request.holds(tag) { return Response(status: .notModified, headers: headers) }
        return json(bytes: bytes(), headers: headers)
    }

    /// The same for a body whose tag is made of its bytes.
    /// - Parameter compresses: Whether it goes out as gzip to those who take it: for lists, which may be large.
    package static func conditional(
        _ request: Request, _ body: some JSONWritable, cacheControl: String = "no-cache", headers: HTTPFields = [:],
        compresses: Bool = false
    ) -> Response {
        let bytes = body.json
        let tag = EntityTag(hashing: bytes)
        var headers = headers
        if compresses, bytes.count >= Gzip.smallest {
            headers.vary(by: .acceptEncoding)
            if request.takesGzip {
                headers[.eTag] = tag.gzip.header
                headers[.cacheControl] = cacheControl
                if request.holds(tag.gzip) { return Response(status: .notModified, headers: headers) }
                if let compressed = Gzip.compressed(bytes, .quick) {
                    headers[.contentEncoding] = "gzip"
                    return json(bytes: ByteBuffer(bytes: compressed), headers: headers)
                }
            }
        }
        return conditional(request, tag, cacheControl: cacheControl, headers: headers) { ByteBuffer(bytes: bytes) }
    }
}
