// A complete request: its head and its body.
import HTTPTypes
import HummingbirdCore
import NIOCore

package struct Request: Sendable {
    package let head: HTTPRequest
    package let uri: URI
    /// The body. A body beyond `bodyLimit` is truncated, but still too long.
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
