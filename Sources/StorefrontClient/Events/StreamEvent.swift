// Server-sent events taken apart, byte by byte (HTML standard, section 9.2.6, "Interpreting an event stream"). Bounded: a line or an event
// larger than 64 KiB is no event of this contract. Called by ResumingStream.

struct StreamEvent: Sendable, Equatable {
    let name: String
    let data: [UInt8]
}

/// Takes a stream apart as it comes.
struct EventStreamParser {
    /// More than this is not what was asked for.
    struct TooLarge: Error {}

    private static let limit = 64 << 10

    /// The newest id, to resume after; kept from before.
    private(set) var lastID: String?
    /// What the server says how long to wait before coming back.
    private(set) var retry: Duration?
    /// Whether there was a comment, which is how the server says that it lives.
    private(set) var hasHeartbeat = false
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var pendingID: String?
    private var endedWithReturn = false

    init(lastID: String?) {
        self.lastID = lastID
        pendingID = lastID
    }

    /// Takes more bytes and returns the events that they complete. An event counts with its blank line only; its id too.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLarge) -> [(event: StreamEvent, id: String?)] {
        var events: [(event: StreamEvent, id: String?)] = []
        for byte in bytes {
            let followsReturn = endedWithReturn
            endedWithReturn = byte == 0x0D
            if byte == 0x0A, followsReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < Self.limit else { throw TooLarge() }
                line.append(byte)
                continue
            }
            if line.isEmpty {
                if let event = dispatch() { events.append((event, lastID)) }
            } else {
                try interpret()
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

    private mutating func interpret() throws(TooLarge) {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < Self.limit else { throw TooLarge() }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        case "id": if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let milliseconds = Int64(String(decoding: value, as: UTF8.self)), (0...600_000).contains(milliseconds) {
                retry = .milliseconds(milliseconds)
            }
        case "": hasHeartbeat = true
        // A field of a newer standard.
        default: break
        }
    }
}
