// An answer that is written once and sent often. Made by MenuAnswers, Pictures and StorefrontPage when their content changes, so that
// a read costs neither an encoder, nor a hash, nor a compression. Read next: Conditions.swift, for what a client holds already.
import HTTPTypes
import NIOCore
import Wire

/// Bytes, their strong ETag, and the headers they go out with; as they are and, where that is smaller, as gzip.
struct EncodedAnswer: Sendable {
    /// One of the forms that the answer goes out in.
    private struct Form {
        let tag: EntityTag
        let headers: HTTPFields
        let unchangedHeaders: HTTPFields
        let bytes: ByteBuffer

        init(_ bytes: [UInt8], _ tag: EntityTag, contentType: String, encoding: String?, headers: HTTPFields) {
            self.tag = tag
            var headers = headers
            headers[.eTag] = tag.header
            unchangedHeaders = headers
            headers[.contentType] = contentType
            headers[.contentEncoding] = encoding
            headers[.contentLength] = "\(bytes.count)"
            self.headers = headers
            self.bytes = ByteBuffer(bytes: bytes)
        }
    }

    private let plain: Form
    private let gzip: Form?

    /// How much is held.
    var count: Int { plain.bytes.readableBytes + (gzip?.bytes.readableBytes ?? 0) }

    /// An answer of these bytes.
    /// - Parameters:
    ///   - cacheControl: `no-cache` lets everyone keep it and has them ask each time, which costs a 304.
    ///   - headers: More of them, for 200 and 304.
    ///   - effort: How hard it is compressed: thorough for what is made once in the life of the server; nil for what is small.
    init(
        _ bytes: [UInt8], contentType: String = "application/json", cacheControl: String = "no-cache", headers: HTTPFields = [:],
        effort: Gzip.Effort? = .thorough
    ) {
        let tag = EntityTag(hashing: bytes)
        var headers = headers
        headers[.cacheControl] = cacheControl
        let compressed = effort.flatMap { Gzip.compressed(bytes, $0) }
        if compressed != nil { headers.vary(by: .acceptEncoding) }
        plain = Form(bytes, tag, contentType: contentType, encoding: nil, headers: headers)
        gzip = compressed.map { Form($0, tag.gzip, contentType: contentType, encoding: "gzip", headers: headers) }
    }

    /// An answer with this body, which is made anew with each revision of the menu or for each search.
    init(_ body: some JSONWritable, headers: HTTPFields = [:], effort: Gzip.Effort? = .quick) {
        self.init(body.json, headers: headers, effort: effort)
    }

    /// 200 with the bytes, which are shared and not copied; or 304 if the client holds them.
    /// - Parameters:
    ///   - status: Another one, which is no answer to who asks on a condition (RFC 9110, section 13.2.1).
    ///   - cacheControl: Another one than it was made with, for this answer alone.
    func response(to request: Request, status: HTTPResponse.Status = .ok, cacheControl: String? = nil) -> Response {
        let form = if let gzip, request.takesGzip { gzip } else { plain }
        var response =
            status == .ok && request.holds(form.tag)
            ? Response(status: .notModified, headers: form.unchangedHeaders)
            : Response(status: status, headers: form.headers, body: .bytes(form.bytes))
        if let cacheControl { response.headers[.cacheControl] = cacheControl }
        return response
    }
}
