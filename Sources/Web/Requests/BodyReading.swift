// Reads a JSON body: media type, size, bytes, then the strict reader of Wire. Called by handlers that take a body.
// Read next: Sources/Wire/JSON/JSONReader.swift.

import HTTPTypes
import NIOCore
import Wire

extension Request {
    /// The largest body there is: 64 KiB.
    package static let bodyLimit = 64 * 1024

    /// Reads the whole body as this kind of value. Throws 413, 415 or 400.
    package func json<Body: JSONReadable>(_: Body.Type = Body.self) throws -> Body {
        let bytes = try bodyBytes()
        try requireJSON()
        return try Body(json: bytes)
    }

    /// For a request that says everything in its path: there is no body, or an object without fields. Throws 413, 415 or 400.
    func expectNoFields() throws {
        let bytes = try bodyBytes()
        guard !bytes.isEmpty else { return }
        try requireJSON()
        _ = try NoFieldsBody(json: bytes)
    }

    private func requireJSON() throws(Problem) {
        guard headers[values: .contentEncoding].allSatisfy(Self.isIdentity) else { throw .unsupportedContentCoding }
        guard isJSON else { throw .unsupportedMediaType }
    }

    /// Whether the bytes are sent as they are (RFC 9110, section 8.4).
    private static func isIdentity(_ codings: String) -> Bool {
        codings.split(separator: ",").allSatisfy { ["identity", ""].contains($0.filter { $0 != " " && $0 != "\t" }.lowercased()) }
    }

    /// `application/json`, in any case, with any parameters (RFC 9110, section 8.3).
    private var isJSON: Bool {
        guard let value = headers[.contentType] else { return false }
        let mediaType = value.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = mediaType.filter { $0 != 0x20 && $0 != 0x09 }
        return trimmed.elementsEqual("application/json".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private func bodyBytes() throws(Problem) -> [UInt8] {
        guard body.readableBytes <= Self.bodyLimit else { throw .bodyTooLarge(limit: Self.bodyLimit) }
        return Array(body.readableBytesView)
    }
}
