// A response: status, headers, and a complete or streamed body.
import HTTPTypes
import NIOCore
import NIOHTTPTypes

package struct Response: Sendable {
    /// The body.
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Writes its parts one after the other. Each write waits until the connection has accepted the bytes.
        case stream(@Sendable (StreamWriter) async throws -> Void)
    }

    package var status: HTTPResponse.Status
    /// The headers, including the length of a complete body.
    package var headers: HTTPFields
    private(set) var body: Body

    /// A response without a body.
    package init(status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.init(status: status, headers: headers, body: .none)
    }

    /// A response with a complete body.
    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], bytes: [UInt8]) {
        self.init(status: status, headers: headers, body: .bytes(ByteBuffer(bytes: bytes)))
    }

    init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body) {
        (self.status, self.headers, self.body) = (status, headers, body)
        guard !self.headers.contains(.contentLength) else { return }
        switch body {
        case .none: self.headers.append(HTTPField(name: .contentLength, value: "0"))
        case .bytes(let bytes): self.headers.append(HTTPField(name: .contentLength, value: "\(bytes.readableBytes)"))
        case .stream: break
        }
    }

    /// Whether the body is streamed with an unknown length.
    var isStream: Bool { if case .stream = body { true } else { false } }

    /// The response without its body, for HEAD.
    var withoutBody: Response {
        var response = self
        response.body = .none
        return response
    }
}

struct StreamWriter: Sendable {
    let channel: any Channel

    /// Returns when the connection has accepted the bytes; throws when it is closed.
    func write(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(HTTPResponsePart.body(bytes)).get()
    }
}
