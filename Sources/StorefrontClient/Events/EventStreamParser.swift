// A parser of server-sent events (HTML standard, section 9.2.6, "Interpreting an event stream"). SSEKit and
// swift-openapi-runtime have no limits and do not report heartbeats.

struct StreamEvent: Sendable, Equatable {
    let name: String
    let data: [UInt8]
}

/// Parses a stream incrementally. A line or an event may have 64 KiB at most.
struct EventStreamParser {
    /// A line or an event exceeds the limit.
    struct SizeLimitExceeded: Error {}

    private static let limit = 64 << 10

    /// The last event id, from which the stream resumes. It survives a reconnect.
    private(set) var lastID: String?
    /// The reconnection time that the server sent.
    private(set) var reconnectionTime: Duration?
    /// Whether a comment arrived. The server sends comments as heartbeats.
    private(set) var hasHeartbeat = false
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var pendingID: String?
    private var endsWithCarriageReturn = false

    init(lastID: String?) {
        self.lastID = lastID
        pendingID = lastID
    }

    /// Parses more bytes and returns the events that they complete. A blank line completes an event and its id.
    mutating func parse(_ bytes: some Sequence<UInt8>) throws(SizeLimitExceeded) -> [(event: StreamEvent, id: String?)]
    {
        var events: [(event: StreamEvent, id: String?)] = []
        for byte in bytes {
            let followsCarriageReturn = endsWithCarriageReturn
            endsWithCarriageReturn = byte == 0x0D
            if byte == 0x0A, followsCarriageReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < Self.limit else { throw SizeLimitExceeded() }
                line.append(byte)
                continue
            }
            if line.isEmpty {
                if let event = dispatch() { events.append((event, lastID)) }
            } else {
                try parseLine()
                line.removeAll(keepingCapacity: true)
            }
        }
        return events
    }

    private mutating func dispatch() -> StreamEvent? {
        defer { (name, data, hasData) = ("", [], false) }
        lastID = pendingID
        return hasData ? StreamEvent(name: name.isEmpty ? "message" : name, data: data) : nil
    }

    private mutating func parseLine() throws(SizeLimitExceeded) {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < Self.limit else { throw SizeLimitExceeded() }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        case "id": if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let milliseconds = Int64(String(decoding: value, as: UTF8.self)), (0...600_000).contains(milliseconds) {
                reconnectionTime = .milliseconds(milliseconds)
            }
        case "": hasHeartbeat = true
        // The standard requires that unknown fields are ignored.
        default: break
        }
    }
}
