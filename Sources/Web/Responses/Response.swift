// One answer: status, headers, and a body that is there already or comes by and by. Made by handlers, sent by HTTPConnections.
// Read next: Response+JSON.swift, EventStream.swift.
import HTTPTypes
import NIOCore
import NIOHTTPTypes

package struct Response: Sendable {
    /// What follows the head.
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// Writes its parts one after the other; each write waits until the client has taken it.
        case stream(@Sendable (StreamWriter) async throws -> Void)
    }

    package var status: HTTPResponse.Status
    /// The headers; the length of a body that is known stands among them.
    package var headers: HTTPFields
    private(set) var body: Body

    init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .none) {
        (self.status, self.headers, self.body) = (status, headers, body)
        guard !self.headers.contains(.contentLength) else { return }
        switch body {
        case .none: self.headers.append(HTTPField(name: .contentLength, value: "0"))
        case .bytes(let bytes): self.headers.append(HTTPField(name: .contentLength, value: "\(bytes.readableBytes)"))
        case .stream: break
        }
    }

    /// Whether the body comes by and by, and nobody knows how long it will be.
    var isStream: Bool { if case .stream = body { true } else { false } }

    /// The same without its body, which is what HEAD asks for.
    var withoutBody: Response {
        var response = self
        response.body = .none
        return response
    }
}

struct StreamWriter: Sendable {
    let channel: any Channel

    /// Returns when the client's connection has taken them; throws when it is gone.
    func write(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(HTTPResponsePart.body(bytes)).get()
    }
}
