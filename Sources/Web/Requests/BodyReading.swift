// Reads a request body: checks media type and size, then parses it with Wire's strict JSON reader.
import HTTPTypes
import NIOCore
import Photographs
import Wire

/// Why a body is rejected before parsing.
enum BodyError: Error {
    case tooLarge
    /// It has a Content-Encoding other than identity (RFC 9110, section 15.5.16).
    case contentEncoding
    case notJSON
}

extension Request {
    /// The largest permitted body: 64 KiB.
    package static let bodyLimit = 64 * 1024

    /// Parses the body as this type. Throws 413, 415 or 400.
    package func json<Value: JSONReadable>(_: Value.Type = Value.self) throws -> Value {
        let bytes = try bodyBytes()
        try requireJSON()
        return try Value(json: bytes)
    }

    /// Parses an optional body; returns nil without a body.
    func jsonIfPresent<Value: JSONReadable>(_: Value.Type = Value.self) throws -> Value? {
        try bodyBytes().isEmpty ? nil : json()
    }

    /// Requires an empty body, or an object without fields, for requests whose path contains all their values. Throws
    /// 413, 415 or 400.
    func expectNoFields() throws {
        let bytes = try bodyBytes()
        guard !bytes.isEmpty else { return }
        try requireJSON()
        _ = try NoFieldsBody(json: bytes)
    }

    /// Returns the body as a file with at most `limit` bytes. Throws 413 or 415.
    func file(limit: Int) throws -> [UInt8] {
        guard headers[values: .contentEncoding].allSatisfy(Self.isIdentity) else { throw BodyError.contentEncoding }
        guard body.readableBytes <= limit, declaredLength ?? 0 <= limit else { throw PhotographError.tooLarge }
        return Array(body.readableBytesView)
    }

    private func requireJSON() throws(BodyError) {
        guard headers[values: .contentEncoding].allSatisfy(Self.isIdentity) else { throw .contentEncoding }
        guard isJSON else { throw .notJSON }
    }

    /// Whether all content codings are identity (RFC 9110, section 8.4).
    private static func isIdentity(_ codings: String) -> Bool {
        codings.split(separator: ",").allSatisfy {
            ["identity", ""].contains($0.filter { $0 != " " && $0 != "\t" }.lowercased())
        }
    }

    /// `application/json`, case-insensitive, with any parameters (RFC 9110, section 8.3).
    private var isJSON: Bool {
        guard let value = headers.value(of: .contentType) else { return false }
        let mediaType = value.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = mediaType.filter { $0 != 0x20 && $0 != 0x09 }
        return trimmed.elementsEqual("application/json".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private func bodyBytes() throws(BodyError) -> [UInt8] {
        guard body.readableBytes <= Self.bodyLimit else { throw .tooLarge }
        return Array(body.readableBytesView)
    }
}
