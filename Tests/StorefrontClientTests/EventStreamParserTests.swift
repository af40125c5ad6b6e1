// The parser of server-sent events, with bytes that are split at every position.

import Testing

@testable import StorefrontClient

@Suite("EventStreamParser")
struct EventStreamParserTests {
    @Test("LF, CR and CRLF end lines, data can span lines, comments and unknown fields are ignored, at every split")
    func fields() throws {
        let text =
            "retry: 1500\n\n: still here\n\nid: 7\r\nevent: status\r\ndata: a\r\ndata:b\r\ndata\r\n\r\n"
            + "new: x\rdata:  c\r\revent: none\n\ndata: last"
        for size in 1...text.utf8.count {
            var parser = EventStreamParser(lastID: "6")
            var events: [StreamEvent] = []
            var ids: [String?] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                for (event, id) in try parser.parse(bytes[start..<min(start + size, bytes.count)]) {
                    events.append(event)
                    ids.append(id)
                }
            }
            #expect(
                events == [
                    StreamEvent(name: "status", data: Array("a\nb\n".utf8)),
                    StreamEvent(name: "message", data: Array(" c".utf8)),
                ])
            #expect(ids == ["7", "7"])
            #expect(parser.reconnectionTime == .milliseconds(1500))
        }
    }

    @Test("An id takes effect with the blank line of its event; an id with NUL and an invalid retry are ignored")
    func ids() throws {
        var parser = EventStreamParser(lastID: nil)
        #expect(try parser.parse(Array("id: 1\ndata: x\n".utf8)).isEmpty)
        #expect(parser.lastID == nil)
        #expect(try parser.parse([0x0A]).count == 1)
        _ = try parser.parse(Array("id: \u{0}\nretry: -1\nretry: 99999999999999999999\n\n".utf8))
        #expect(parser.lastID == "1" && parser.reconnectionTime == nil)
    }

    @Test("A complete comment line is a heartbeat; fields and an incomplete line are not")
    func heartbeat() throws {
        var parser = EventStreamParser(lastID: nil)
        for (text, isHeartbeat) in [
            ("retry: 2000\n\n", false), ("data: x\n", false), (": still h", false), ("ere\n", true),
        ] {
            _ = try parser.parse(text.utf8)
            #expect(parser.hasHeartbeat == isHeartbeat, "\(text)")
        }
    }

    @Test("A line or an event over the size limit is rejected")
    func sizeLimits() {
        var line = EventStreamParser(lastID: nil)
        #expect(throws: EventStreamParser.SizeLimitExceeded.self) { try line.parse(repeatElement(0x61, count: 70_000)) }
        var event = EventStreamParser(lastID: nil)
        let data = Array("data: \(String(repeating: "a", count: 1000))\n".utf8)
        #expect(throws: EventStreamParser.SizeLimitExceeded.self) { for _ in 0..<70 { _ = try event.parse(data) } }
    }
}
