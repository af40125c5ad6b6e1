// Checks the size, the encoding and the media type of a request's body, and returns its bytes.
import HTTPTypes
import NIOCore

/// Why a body is rejected before parsing.
package enum BodyError: Error {
    case tooLarge
    /// It has a Content-Encoding other than identity (RFC 9110, section 15.5.16).
    case contentEncoding
    case notJSON
}

extension Request {
    /// The largest permitted body: 64 KiB.
    package static let bodyLimit = 64 * 1024

    /// The body; empty without one. Throws 413.
    package func bodyBytes() throws(BodyError) -> [UInt8] {
        guard body.readableBytes <= Self.bodyLimit else { throw .tooLarge }
        return Array(body.readableBytesView)
    }

    /// The body of a request that is sent as JSON, not parsed. Throws 413 or 415.
    package func jsonBytes() throws(BodyError) -> [UInt8] {
        let bytes = try bodyBytes()
        guard hasPlainBody else { throw .contentEncoding }
        guard isJSON else { throw .notJSON }
        return bytes
    }

    /// The body as a file with at most `limit` bytes. Throws 413 or 415.
    package func file(limit: Int) throws(BodyError) -> [UInt8] {
        guard hasPlainBody else { throw .contentEncoding }
        guard body.readableBytes <= limit, declaredLength ?? 0 <= limit else { throw .tooLarge }
        return Array(body.readableBytesView)
    }

    /// Whether all content codings are identity (RFC 9110, section 8.4).
    private var hasPlainBody: Bool {
        headers[values: .contentEncoding].allSatisfy { codings in
            codings.split(separator: ",").allSatisfy {
                ["identity", ""].contains($0.filter { $0 != " " && $0 != "\t" }.lowercased())
            }
        }
    }

    /// `application/json`, case-insensitive, with any parameters (RFC 9110, section 8.3).
    private var isJSON: Bool {
        guard let value = headers.value(of: .contentType) else { return false }
        let mediaType = value.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = mediaType.filter { $0 != 0x20 && $0 != 0x09 }
        return trimmed.elementsEqual("application/json".utf8) { $0 | 0x20 == $1 | 0x20 }
    }
}
