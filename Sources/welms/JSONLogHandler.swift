// The log format of --log-format json. swift-log writes only plain text.
import Foundation
import Logging
import Wire

/// Writes each event to standard error as one line with a JSON object: `{"time", "level", "message", …the metadata…}`.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var writer = JSONWriter(capacity: 256)
        writer.object { line in
            line.field("time", Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            line.field("level", event.level.rawValue)
            line.field("message", "\(event.message)".escapingControlCharacters)
            var values = metadata.merging(event.metadata ?? [:]) { _, new in new }
            if let error = event.error { values["error"] = "\(error)" }
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { line.field(named: key, value.json) }
        }
        LogOutput.write(writer.bytes + [UInt8(ascii: "\n")])
    }
}

extension Logger.MetadataValue {
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .text(text)
        case .stringConvertible(let value): .text("\(value)")
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values): .object(values.mapValues(\.json))
        }
    }
}

/// A metadata value as JSON.
private indirect enum JSONValue: JSONWritable {
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.string(text.escapingControlCharacters)
        case .array(let values): writer.array(values)
        case .object(let values):
            writer.object { object in
                for (key, value) in values.sorted(by: { $0.key < $1.key }) { object.field(named: key, value) }
            }
        }
    }
}
