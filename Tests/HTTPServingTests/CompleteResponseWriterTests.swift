// Tests the bytes of a response's head. PageRoutesTests prove over a socket that bodies of all sizes follow it.

import HTTPTypes
import NIOCore
import Testing

@testable import HTTPServing

@Suite("The head of a response")
struct CompleteResponseWriterTests {
    @Test("The head is a status line followed by the headers in their order (RFC 9112)")
    func bytes() {
        let response = Response(
            status: .created, headers: [.location: "/v1/things/1", .eTag: "\"a\""],
            body: .bytes(ByteBuffer(string: "abc")))
        #expect(
            head(response)
                == "HTTP/1.1 201 Created\r\nLocation: /v1/things/1\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\n")
    }

    @Test(
        "The head has no Content-Length when the status forbids a body",
        arguments: [HTTPResponse.Status.notModified, .noContent])
    func noLength(_ status: HTTPResponse.Status) {
        let text = head(Response(status: status, headers: [.eTag: "\"a\""]))
        #expect(text == "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nETag: \"a\"\r\n\r\n")
    }

    @Test("The head of a HEAD response keeps the Content-Length that GET would have")
    func withoutBody() {
        let text = head(Response(status: .ok, body: .bytes(ByteBuffer(string: "abc"))).withoutBody)
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    }

    @Test("A line break in a header value adds no header line")
    func injection() {
        let text = head(Response(status: .ok, headers: [.location: "/a\r\nSet-Cookie: b"]))
        #expect(text.split(separator: "\r\n").count == 3 && !text.contains("\nSet-Cookie"))
    }

    private func head(_ response: Response) -> String {
        String(buffer: CompleteResponseWriter.head(response, bodyCapacity: 0))
    }
}
