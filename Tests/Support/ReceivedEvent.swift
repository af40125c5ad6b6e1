// A client of server-sent events on a raw connection. It sees where the stream begins and ends, and each event.

import Foundation

/// One received event (HTML standard, section 9.2.6).
package struct ReceivedEvent: Sendable, Equatable {
    /// The id after which a client resumes; nil if the event has none.
    package let id: String?
    /// The event's name.
    package let name: String
    /// The event's data.
    package let data: String

    /// Decodes the data as a Wire value.
    package func decoded<Body: Decodable>(_: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(data.utf8))
    }
}

extension RawConnection {
    /// Requests a stream, and waits until its first field arrives.
    package mutating func openStream(_ path: String, after id: String? = nil, headers: [(String, String)] = [])
        async throws
    {
        let headers = headers + (id.map { [("Last-Event-ID", $0)] } ?? [])
        try await send("GET \(path) HTTP/1.1\r\nHost: x\r\n" + headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n")
        _ = try await readRetry()
    }

    /// Reads up to the end of the `retry` field, with which each stream begins. Returns its milliseconds.
    package mutating func readRetry() async throws -> Int? {
        _ = try await read(until: "retry: ")
        return Int(try await read(until: "\n\n").dropLast(2))
    }

    /// Returns the next event and skips comments.
    package mutating func nextEvent() async throws -> ReceivedEvent {
        while true {
            let lines = try await read(until: "\n\n").split(whereSeparator: \.isNewline)
            func field(_ name: String) -> String? {
                lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
            }
            guard let data = field("data: ") else { continue }
            return ReceivedEvent(id: field("id: "), name: field("event: ") ?? "", data: data)
        }
    }

    /// Returns the events up to the end of the stream; throws if the stream was cut off.
    package mutating func eventsToEnd() async throws -> [ReceivedEvent] {
        var events: [ReceivedEvent] = []
        do {
            while true { events.append(try await nextEvent()) }
        } catch let ended as ConnectionClosed {
            guard ended.received.hasSuffix("0\r\n\r\n") else { throw ended }
            return events
        }
    }
}
