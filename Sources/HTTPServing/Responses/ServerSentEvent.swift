// One server-sent event and its bytes (HTML standard, section 9.2, "Server-sent events").
import NIOCore

/// An event: its name, the id to resume after, and its data.
package struct ServerSentEvent: Sendable {
    /// The id that a client sends back as Last-Event-ID; nil leaves the client's id unchanged.
    package var id: String?
    /// The name that clients subscribe to.
    package var event: String
    /// The data as JSON.
    package var data: [UInt8]

    package init(id: String? = nil, event: String, data: [UInt8]) {
        (self.id, self.event, self.data) = (id, event, data)
    }

    /// The event's lines. None can contain a line break: JSON escapes them, and ids and names are cut at the first
    /// control character.
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
