// Creates responses from JSON bytes, with or without an ETag.
import HTTPTypes
import NIOCore

extension Response {
    /// A response with encoded JSON.
    package static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers.append(.jsonContentType)
        return Response(status: status, headers: headers, bytes: bytes)
    }

    /// The response to a read: 200 with an ETag, or 304 if the client has this version. The bytes are created only if
    /// they are sent.
    /// - Parameter cacheControl: `no-cache` lets clients store and revalidate it; use `private, no-cache` for one
    ///   client's data.
    package static func conditional(
        _ request: Request, _ tag: EntityTag, cacheControl: String = "no-cache", headers: HTTPFields = [:],
        _ bytes: () -> [UInt8]
    ) -> Response {
        var headers = headers
        headers[.eTag] = tag.header
        headers[.cacheControl] = cacheControl
        if request.hasCached(tag) { return Response(status: .notModified, headers: headers) }
        return json(bytes: bytes(), headers: headers)
    }

    /// The same for bytes whose hash is the tag.
    /// - Parameter compresses: Whether to use gzip if the client accepts it.
    package static func conditional(
        _ request: Request, bytes: [UInt8], cacheControl: String = "no-cache", headers: HTTPFields = [:],
        compresses: Bool = false
    ) -> Response {
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
                    return json(bytes: compressed, headers: headers)
                }
            }
        }
        return conditional(request, tag, cacheControl: cacheControl, headers: headers) { bytes }
    }
}
