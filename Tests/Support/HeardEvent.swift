// A client of server-sent events on a bare connection: it sees where the stream begins and ends, and each event as it comes.
// Used by the black-box tests of streams. Read next: RawConnection.swift.

import Foundation

/// An event as it came (HTML standard, section 9.2.6).
package struct HeardEvent: Sendable, Equatable {
    /// What to resume after; nil where the event has none.
    package let id: String?
    /// Its name.
    package let name: String
    /// Its data.
    package let data: String

    /// The data as a value of Wire.
    package func decoded<Body: Decodable>(_: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(data.utf8))
    }
}

extension RawConnection {
    /// Asks for a stream, and waits until it stands.
    package mutating func follow(_ path: String, after id: String? = nil, headers: [(String, String)] = []) async throws {
        let headers = headers + (id.map { [("Last-Event-ID", $0)] } ?? [])
        try await send("GET \(path) HTTP/1.1\r\nHost: x\r\n" + headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n")
        _ = try await readRetry()
    }

    /// Reads up to the end of the `retry` field, with which each stream begins. Returns its milliseconds.
    package mutating func readRetry() async throws -> Int? {
        _ = try await read(until: "retry: ")
        return Int(try await read(until: "\n\n").dropLast(2))
    }

    /// The next event; comments are passed over.
    package mutating func nextEvent() async throws -> HeardEvent {
        while true {
            let lines = try await read(until: "\n\n").split(whereSeparator: \.isNewline)
            func field(_ name: String) -> String? { lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } }
            guard let data = field("data: ") else { continue }
            return HeardEvent(id: field("id: "), name: field("event: ") ?? "", data: data)
        }
    }

    /// The events up to the end of the stream, which has to be an orderly one.
    package mutating func eventsToEnd() async throws -> [HeardEvent] {
        var events: [HeardEvent] = []
        do {
            while true { events.append(try await nextEvent()) }
        } catch let ended as Ended {
            guard ended.received.hasSuffix("0\r\n\r\n") else { throw ended }
            return events
        }
    }
}
