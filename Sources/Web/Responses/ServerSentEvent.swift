// One event of an event stream, and its bytes (HTML standard, section 9.2, "Server-sent events").
// Sent by EventStream.
import NIOCore
import Wire

/// An event: a name, the id to resume after, and its data.
package struct ServerSentEvent: Sendable {
    /// What a client sends back as Last-Event-ID; nil leaves the client's as it is.
    package var id: String?
    /// The name that a client listens to.
    package var event: String
    /// The data, JSON of ours.
    package var data: [UInt8]

    package init(id: String? = nil, event: String, _ body: some JSONWritable) {
        (self.id, self.event) = (id, event)
        self.data = body.json
    }

    /// The event's lines. No line break can get in: our JSON escapes them, ids and names are cut at the first control character.
    var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(data.count + 96)
        if let id { Self.write("id: ", id.utf8, to: &buffer) }
        Self.write("event: ", event.utf8, to: &buffer)
        Self.write("data: ", data, to: &buffer)
        buffer.writeStaticString("\n")
        return buffer
    }

    private static func write(_ field: StaticString, _ value: some Sequence<UInt8>, to buffer: inout ByteBuffer) {
        buffer.writeStaticString(field)
        buffer.writeBytes(value.prefix { $0 >= 0x20 })
        buffer.writeStaticString("\n")
    }
}
