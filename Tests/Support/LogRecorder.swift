// A log that tests can read.
import Logging
import Synchronization

/// Keeps every logged line.
package final class LogRecorder: Sendable {
    /// The level, the message and the metadata of each line.
    package let lines = Mutex<[String]>([])

    package init() {}

    /// A logger for level info and above.
    package var logger: Logger {
        var logger = Logger(label: "tests") { _ in Handler(book: self) }
        logger.logLevel = .info
        return logger
    }

    private struct Handler: LogHandler {
        let book: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            book.lines.withLock { $0.append("\(event.level) \(event.message) \(all)") }
        }
    }
}
