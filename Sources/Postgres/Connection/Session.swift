// A PGconn that its thread owns. The class is not Sendable, so the compiler keeps it on that thread. libpq's return
// codes become typed errors here. https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
import CLibPQ
import Glibc
import Logging

/// The reason why a connection can no longer be used.
struct ConnectionFailure: Error {
    let reason: String
    /// Whether the server did not answer within the time limit.
    var timedOut = false
}

/// The server process of a connection. The process id may be reused; together with the start time it is unique.
struct Backend: Sendable, Hashable {
    let processID: Int32
    let start: Timestamp
}

/// An open connection to PostgreSQL.
final class Session {
    let connection: OpaquePointer
    let socket: Int32
    let isSecure: Bool
    private let notices: Notices
    /// How often OpenSSL is asked for buffered data, which poll(2) does not report.
    private static let tlsPollInterval = Duration.milliseconds(100)

    /// Takes over a connection that libpq has opened.
    init(_ connection: OpaquePointer, logger: Logger) {
        self.connection = connection
        socket = PQsocket(connection)
        isSecure = PQsslInUse(connection) == 1
        notices = Notices(logger)
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context else { return }
                Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().log(result)
            }, Unmanaged.passUnretained(notices).toOpaque())
    }

    deinit {
        PQfinish(connection)
    }

    /// libpq's message for the last error.
    var message: String { Session.message(of: connection) }

    /// libpq's message, on one line, for a connection that may have failed to open.
    static func message(of connection: OpaquePointer?) -> String {
        let text = String(cString: PQerrorMessage(connection))
        return text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(
            separator: " ")
    }

    /// Whether libpq has marked the connection as bad.
    var isBroken: Bool { PQstatus(connection) != CONNECTION_OK }

    func enterPipelineMode() throws(ConnectionFailure) {
        guard PQenterPipelineMode(connection) == 1 else { throw ConnectionFailure(reason: message) }
    }

    func leavePipelineMode() throws(ConnectionFailure) {
        guard PQexitPipelineMode(connection) == 1 else { throw ConnectionFailure(reason: message) }
    }

    /// Sends a Sync, which ends a transaction of the pipeline.
    func sync() throws(ConnectionFailure) {
        guard PQpipelineSync(connection) == 1 else { throw ConnectionFailure(reason: message) }
    }

    /// Sends the preparation of a statement. Throws libpq's message on failure.
    func prepare(_ name: String, _ sql: String, _ parameters: Parameters) throws(CodingError) {
        let isSent = withUnsafeTemporaryAllocation(of: Oid.self, capacity: parameters.fields.count) { types in
            for (index, field) in parameters.fields.enumerated() {
                types.initializeElement(at: index, to: field.type.oid)
            }
            return PQsendPrepare(connection, name, sql, Int32(types.count), types.baseAddress)
        }
        guard isSent == 1 else { throw CodingError(message) }
    }

    /// Sends the execution of a prepared statement. Throws libpq's message on failure.
    func execute(_ name: String, _ parameters: Parameters) throws(CodingError) {
        let isSent = withParameters(parameters) { count, values, lengths, formats in
            PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw CodingError(message) }
    }

    /// Sends an unnamed statement outside the pipeline.
    func send(_ sql: String, _ parameters: Parameters) throws(ConnectionFailure) {
        let isSent = withParameters(parameters) { count, values, lengths, formats in
            let types = parameters.fields.map(\.type.oid)
            return PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw ConnectionFailure(reason: message) }
    }

    /// Sends libpq's buffered output. Returns false when the socket accepts no more data for now.
    func flush() throws(ConnectionFailure) -> Bool {
        switch PQflush(connection) {
        case 0: return true
        case 1: return false
        default: throw ConnectionFailure(reason: message)
        }
    }

    /// Reads available input. Over TLS it reads twice: the first read may leave a part of a record (16 kB) in OpenSSL,
    /// which poll(2) does not report. Above 32 kB libpq begins another record (pqReadData in fe-misc.c), so a part may
    /// still remain, and callers must read again soon.
    func consume() throws(ConnectionFailure) {
        for _ in 0..<(isSecure ? 2 : 1) {
            guard PQconsumeInput(connection) == 1 else { throw ConnectionFailure(reason: message) }
        }
    }

    /// Blocks until the socket is readable, or writable if requested, the other descriptor is readable, or the time is
    /// over. Returns which of the two descriptors has input.
    @discardableResult
    func wait(toWrite: Bool, orFor descriptor: Int32 = -1, atMost timeout: Duration?) -> (socket: Bool, other: Bool) {
        var descriptors = (
            pollfd(fd: socket, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        )
        withUnsafeMutableBytes(of: &descriptors) { bytes in
            _ = bytes.withMemoryRebound(to: pollfd.self) {
                poll($0.baseAddress, nfds_t($0.count), timeout?.pollTimeout ?? -1)
            }
        }
        return (descriptors.0.revents & ~Int16(POLLOUT) != 0, descriptors.1.revents != 0)
    }

    /// Runs one exchange outside the pipeline and passes each result to `read`. Without a deadline it may take any
    /// time.
    func runOutsidePipeline(
        until deadline: ContinuousClock.Instant?, _ read: (OpaquePointer) throws(ConnectionFailure) -> Void
    )
        throws(ConnectionFailure)
    {
        while true {
            let isFlushed = try flush()
            while PQisBusy(connection) == 0 {
                guard let result = PQgetResult(connection) else { return }
                defer { PQclear(result) }
                try read(result)
            }
            let remaining = deadline.map { $0 - .now }
            if let remaining, remaining <= .zero {
                throw ConnectionFailure(reason: "no answer in time", timedOut: true)
            }
            wait(
                toWrite: !isFlushed,
                atMost: isSecure ? min(remaining ?? Self.tlsPollInterval, Self.tlsPollInterval) : remaining)
            try consume()
        }
    }

    /// Removes the next notification from libpq's list.
    func nextNotification() -> PostgresNotification? {
        guard let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return PostgresNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra),
            processID: notification.pointee.be_pid
        )
    }

    /// Passes the values to libpq as arrays on the stack. libpq copies them.
    private func withParameters(
        _ parameters: Parameters,
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
    ) -> Int32 {
        let fields = parameters.fields
        return parameters.bytes.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: fields.count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: fields.count) { lengths in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: fields.count) { formats in
                        for (index, field) in fields.enumerated() {
                            // An empty value needs a non-nil address, because libpq takes nil for null.
                            let start =
                                bytes.baseAddress.map { $0 + field.start } ?? UnsafeRawPointer(lengths.baseAddress)
                            values.initializeElement(
                                at: index, to: field.length == nil ? nil : start?.assumingMemoryBound(to: CChar.self))
                            lengths.initializeElement(at: index, to: field.length ?? 0)
                            formats.initializeElement(at: index, to: 1)
                        }
                        return body(Int32(fields.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}

/// Logs the server's notices, which libpq would otherwise print to standard error.
private final class Notices {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func log(_ result: OpaquePointer?) {
        guard let result, let notice = ServerError(result) else { return }
        logger.log(
            level: notice.severity == "WARNING" ? .warning : .debug, "PostgreSQL: \(notice.message)",
            metadata: ["code": "\(notice.sqlState)"])
    }
}
