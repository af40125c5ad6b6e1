// The head of an answer as bytes: what of its headers goes out. That bodies of all sizes follow it, StorefrontPageTests see over a socket.
// Read next: Sources/Web/Serving/AnswerWriter.swift.

import HTTPTypes
import NIOCore
import Testing

@testable import Web

@Suite("An answer's head")
struct AnswerWriterTests {
    @Test("is a status line and the headers in their order (RFC 9112)")
    func bytes() {
        let response = Response(
            status: .created, headers: [.location: "/v1/orders/1", .eTag: "\"a\""], body: .bytes(ByteBuffer(string: "abc")))
        #expect(head(response) == "HTTP/1.1 201 Created\r\nLocation: /v1/orders/1\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\n")
    }

    @Test("says no length where the status means that there is no body", arguments: [HTTPResponse.Status.notModified, .noContent])
    func noLength(_ status: HTTPResponse.Status) {
        let text = head(Response(status: status, headers: [.eTag: "\"a\""]))
        #expect(text == "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nETag: \"a\"\r\n\r\n")
    }

    @Test("keeps for HEAD the length of the body that GET would have")
    func withoutBody() {
        let text = head(Response(status: .ok, body: .bytes(ByteBuffer(string: "abc"))).withoutBody)
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    }

    @Test("holds no line that a header's value brought along")
    func injection() {
        let text = head(Response(status: .ok, headers: [.location: "/a\r\nSet-Cookie: b"]))
        #expect(text.split(separator: "\r\n").count == 3 && !text.contains("\nSet-Cookie"))
    }

    private func head(_ response: Response) -> String { String(buffer: AnswerWriter.head(response, room: 0)) }
}
