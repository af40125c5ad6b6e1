// Reads a JSON body: media type, size, bytes, then the strict reader of Wire. Called by handlers that take a body.
// Read next: Sources/Wire/JSON/JSONReader.swift.

import HTTPTypes
import Hummingbird
import NIOCore
import Wire

extension Request {
    /// The largest body there is: 64 KiB.
    public static let bodyLimit = 64 * 1024

    /// Reads the whole body as this kind of value. Throws 415, 413 or 400.
    public func json<Body: JSONReadable>(_: Body.Type = Body.self) async throws -> Body {
        guard isJSON else { throw Problem.unsupportedMediaType }
        return try await Body(json: bodyBytes())
    }

    /// For a request that says everything in its path: there is no body, or an object without fields. Throws 415, 413 or 400.
    func expectNoFields() async throws {
        let bytes = try await bodyBytes()
        guard !bytes.isEmpty else { return }
        guard isJSON else { throw Problem.unsupportedMediaType }
        _ = try NoFieldsBody(json: bytes)
    }

    /// `application/json`, in any case, with any parameters (RFC 9110, section 8.3).
    private var isJSON: Bool {
        guard let value = headers[.contentType] else { return false }
        let mediaType = value.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = mediaType.filter { $0 != 0x20 && $0 != 0x09 }
        return trimmed.elementsEqual("application/json".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private func bodyBytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        let declared = headers[.contentLength].flatMap { Int($0) }
        bytes.reserveCapacity(min(max(declared ?? 1024, 0), Self.bodyLimit))
        for try await part in body {
            guard bytes.count + part.readableBytes <= Self.bodyLimit else { throw Problem.bodyTooLarge(limit: Self.bodyLimit) }
            bytes.append(contentsOf: part.readableBytesView)
        }
        // A client that goes away in the middle looks like the end of the body here.
        if let declared, declared != bytes.count { throw Problem.malformedBody("The body is not as long as its Content-Length says.") }
        return bytes
    }
}
