// Logs for people: one line for each event on standard error, whatever stands in the values. Chosen by default; made by Settings.
// Read next: OneLine.swift, LogOutput.swift.
import Foundation
import Logging

/// Writes `time level label: key=value … [source] message`, one for each event.
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
        LogOutput.write(Array((line.onOneLine + "\n").utf8))
    }
}
