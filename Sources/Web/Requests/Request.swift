// One request, whole: its head, and its body if it has one. Made by RequestReader, answered by Responder.
// Read next: BodyReading.swift.

import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request that has arrived.
public struct Request: Sendable {
    /// Method, target and headers.
    public let head: HTTPRequest
    /// The target's path and query.
    public let uri: URI
    /// What came after the head. Of a body beyond `bodyLimit` only the beginning, which is too long all the same.
    let body: ByteBuffer

    init(head: HTTPRequest, body: ByteBuffer) {
        self.head = head
        self.body = body
        uri = URI(head.path ?? "")
    }

    /// What is to be done.
    public var method: HTTPRequest.Method { head.method }
    /// The headers.
    public var headers: HTTPFields { head.headerFields }
}
