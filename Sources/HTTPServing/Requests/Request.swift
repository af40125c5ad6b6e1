// A complete request: its head and its body.
import HTTPTypes
import HummingbirdCore
import NIOCore

package struct Request: Sendable {
    package let head: HTTPRequest
    package let uri: URI
    /// The body. If it is larger than its limit, it is incomplete, and its size or its Content-Length rejects it.
    let body: ByteBuffer

    init(head: HTTPRequest, body: ByteBuffer) {
        (self.head, self.body) = (head, body)
        uri = URI(head.path ?? "")
    }

    /// The value of Content-Length.
    var declaredLength: Int? { headers.value(of: .contentLength).flatMap { Int($0) } }

    package var method: HTTPRequest.Method { head.method }
    package var headers: HTTPFields { head.headerFields }
}
