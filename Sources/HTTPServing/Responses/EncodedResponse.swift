// A response that is encoded once and sent often. A read then needs no encoding, hashing or compression.
import HTTPTypes
import NIOCore

/// The bytes, strong ETag and headers of a response, plain and, if smaller, as gzip.
package struct EncodedResponse: Sendable {
    /// One encoding of the response.
    private struct Variant {
        let tag: EntityTag
        let headers: HTTPFields
        let notModifiedHeaders: HTTPFields
        let bytes: ByteBuffer

        init(_ bytes: [UInt8], _ tag: EntityTag, contentType: String, encoding: String?, headers: HTTPFields) {
            self.tag = tag
            var headers = headers
            headers[.eTag] = tag.header
            notModifiedHeaders = headers
            headers[.contentType] = contentType
            headers[.contentEncoding] = encoding
            headers[.contentLength] = "\(bytes.count)"
            self.headers = headers
            self.bytes = ByteBuffer(bytes: bytes)
        }
    }

    private let plain: Variant
    private let gzip: Variant?

    /// The number of stored bytes.
    package var count: Int { plain.bytes.readableBytes + (gzip?.bytes.readableBytes ?? 0) }

    /// Encodes these bytes.
    /// - Parameters:
    ///   - cacheControl: `no-cache` lets clients store the response and revalidate it each time, which costs a 304.
    ///   - headers: Additional headers, for 200 and 304.
    ///   - effort: The compression effort: thorough for content that lives as long as the server; nil for small
    ///     content.
    package init(
        _ bytes: [UInt8], contentType: String = "application/json", cacheControl: String = "no-cache",
        headers: HTTPFields = [:],
        effort: Gzip.Effort? = .thorough
    ) {
        let tag = EntityTag(hashing: bytes)
        var headers = headers
        headers[.cacheControl] = cacheControl
        let compressed = effort.flatMap { Gzip.compressed(bytes, $0) }
        if compressed != nil { headers.vary(by: .acceptEncoding) }
        plain = Variant(bytes, tag, contentType: contentType, encoding: nil, headers: headers)
        gzip = compressed.map { Variant($0, tag.gzip, contentType: contentType, encoding: "gzip", headers: headers) }
    }

    /// 200 with the shared bytes, or 304 if the client has this version.
    /// - Parameters:
    ///   - status: A status other than 200. The response then ignores preconditions (RFC 9110, section 13.2.1).
    ///   - cacheControl: Overrides Cache-Control for this response only.
    package func response(to request: Request, status: HTTPResponse.Status = .ok, cacheControl: String? = nil)
        -> Response
    {
        let variant = if let gzip, request.acceptsGzip { gzip } else { plain }
        var response =
            status == .ok && request.hasCached(variant.tag)
            ? Response(status: .notModified, headers: variant.notModifiedHeaders)
            : Response(status: status, headers: variant.headers, body: .bytes(variant.bytes))
        if let cacheControl { response.headers[.cacheControl] = cacheControl }
        return response
    }
}
