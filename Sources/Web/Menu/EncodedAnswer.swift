// An answer that is written once and sent often. Made by MenuAnswers, Pictures and StorefrontPage when their content changes, so that
// a read costs neither an encoder nor a hash. Read next: Requests/Conditions.swift, for what a client holds already.

import HTTPTypes
import NIOCore
import Wire

/// Bytes, their strong ETag, and the headers they go out with.
struct EncodedAnswer: Sendable {
    private let tag: EntityTag
    private let headers: HTTPFields
    private let unchangedHeaders: HTTPFields
    private let bytes: ByteBuffer

    /// How much there is to send.
    var count: Int { bytes.readableBytes }

    /// An answer of these bytes.
    /// - Parameters:
    ///   - cacheControl: `no-cache` lets everyone keep it and has them ask each time, which costs a 304.
    ///   - headers: More of them, for 200 and 304.
    init(_ bytes: [UInt8], contentType: String = "application/json", cacheControl: String = "no-cache", headers: HTTPFields = [:]) {
        tag = EntityTag(hashing: bytes)
        var headers = headers
        headers[.eTag] = tag.header
        headers[.cacheControl] = cacheControl
        unchangedHeaders = headers
        headers[.contentType] = contentType
        headers[.contentLength] = "\(bytes.count)"
        self.headers = headers
        self.bytes = ByteBuffer(bytes: bytes)
    }

    /// An answer with this body.
    init(_ body: some JSONWritable) {
        self.init(body.json)
    }

    /// 200 with the bytes, which are shared and not copied; or 304 if the client holds them.
    func response(to request: Request) -> Response {
        if request.holds(tag) { return Response(status: .notModified, headers: unchangedHeaders) }
        return Response(status: .ok, headers: headers, body: .bytes(bytes))
    }
}
