// One request, whole: its head, and its body if it has one. Made by RequestReader, answered by Responder.
// Read next: BodyReading.swift.
import HTTPTypes
import HummingbirdCore
import NIOCore

package struct Request: Sendable {
    package let head: HTTPRequest
    package let uri: URI
    /// What came after the head. Of a body beyond `bodyLimit` only the beginning, which is too long all the same.
    let body: ByteBuffer

    init(head: HTTPRequest, body: ByteBuffer) {
        (self.head, self.body) = (head, body)
        uri = URI(head.path ?? "")
    }

    /// What its Content-Length says.
    var declaredLength: Int? { headers.value(of: .contentLength).flatMap { Int($0) } }

    package var method: HTTPRequest.Method { head.method }
    package var headers: HTTPFields { head.headerFields }
}
