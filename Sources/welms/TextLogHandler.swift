// The default log format. swift-log's own handler does not escape control characters.
import Foundation
import Logging

/// Writes each event to standard error as one line: `time level label: key=value … [source] message`.
struct TextLogHandler: LogHandler {
    var label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var values = metadata.merging(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { values["error"] = "\(error)" }
        let pairs = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let line = "\(Date.now.formatted(.iso8601)) \(event.level) \(label):\(pairs) [\(event.source)] \(event.message)"
        LogOutput.write(Array((line.escapingControlCharacters + "\n").utf8))
    }
}
