// A PGconn and the thread that owns it: a class that is not Sendable, so that the compiler keeps it on that thread. What libpq reports as 0 or
// -1 becomes a typed fault here. Opened by Opening.swift, driven by ConnectionLoop. Read next: ConnectionLoop.swift.
// https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
import CLibPQ
import Glibc
import Logging

/// Why a connection can't be used any more.
struct Loss: Error {
    let reason: String
    /// It gave no sign of life within the time limit.
    var timedOut = false
}

/// Which server process is behind a connection; a process id may be reused, with its start it is unique.
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
    /// After how long OpenSSL is asked again for what a look at the socket does not show.
    private static let tick = Duration.milliseconds(100)

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

    /// libpq's words for what went wrong last.
    var message: String { Session.message(of: connection) }

    /// libpq's words on a connection that may not have opened, on one line.
    static func message(of connection: OpaquePointer?) -> String {
        let text = String(cString: PQerrorMessage(connection))
        return text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
    }

    var isBroken: Bool { PQstatus(connection) != CONNECTION_OK }

    func enterPipelineMode() throws(Loss) {
        guard PQenterPipelineMode(connection) == 1 else { throw Loss(reason: message) }
    }

    func leavePipelineMode() throws(Loss) {
        guard PQexitPipelineMode(connection) == 1 else { throw Loss(reason: message) }
    }

    /// Ends a transaction of the pipeline; everything before it is on its way when it returns.
    func sync() throws(Loss) {
        guard PQpipelineSync(connection) == 1 else { throw Loss(reason: message) }
    }

    /// Puts the preparation of a statement into the pipeline. Throws the reason when libpq refuses it.
    func prepare(_ name: String, _ sql: String, _ parameters: Parameters) throws(ValueFault) {
        let isSent = withUnsafeTemporaryAllocation(of: Oid.self, capacity: parameters.fields.count) { types in
            for (index, field) in parameters.fields.enumerated() { types.initializeElement(at: index, to: field.type.oid) }
            return PQsendPrepare(connection, name, sql, Int32(types.count), types.baseAddress)
        }
        guard isSent == 1 else { throw ValueFault(message) }
    }

    /// Puts a prepared statement into the pipeline. Throws the reason when libpq refuses it.
    func execute(_ name: String, _ parameters: Parameters) throws(ValueFault) {
        let isSent = withParameters(parameters) { count, values, lengths, formats in
            PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw ValueFault(message) }
    }

    /// Sends a statement without a name, outside the pipeline.
    func send(_ sql: String, _ parameters: Parameters) throws(Loss) {
        let isSent = withParameters(parameters) { count, values, lengths, formats in
            let types = parameters.fields.map(\.type.oid)
            return PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw Loss(reason: message) }
    }

    /// Sends what libpq still holds; false when the socket takes no more for now.
    func flush() throws(Loss) -> Bool {
        switch PQflush(connection) {
        case 0: return true
        case 1: return false
        default: throw Loss(reason: message)
        }
    }

    /// Reads what the socket has, if anything. Of a record of TLS, which may be 16 kB, libpq takes what it has room for, 8 kB at least; the rest
    /// lies in OpenSSL, where a look at the socket does not find it. A second read takes the rest of one record; but of a large answer libpq goes
    /// on to the next record by itself (pqReadData in fe-misc.c, above 32 kB), so that a rest may lie there still: callers ask again in a while.
    func consume() throws(Loss) {
        for _ in 0..<(isSecure ? 2 : 1) {
            guard PQconsumeInput(connection) == 1 else { throw Loss(reason: message) }
        }
    }

    /// Sleeps until the socket has something to read, or takes something again, or the other descriptor is signalled, or the time is over.
    /// Answers which of the two has something.
    @discardableResult
    func wait(toWrite: Bool, orFor descriptor: Int32 = -1, atMost timeout: Duration?) -> (socket: Bool, other: Bool) {
        var descriptors = (
            pollfd(fd: socket, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        )
        withUnsafeMutableBytes(of: &descriptors) { bytes in
            _ = bytes.withMemoryRebound(to: pollfd.self) { poll($0.baseAddress, nfds_t($0.count), timeout?.pollTimeout ?? -1) }
        }
        return (descriptors.0.revents & ~Int16(POLLOUT) != 0, descriptors.1.revents != 0)
    }

    /// Does one exchange outside the pipeline, reading each result, until libpq says it is over. Without a deadline it may last.
    func exchange(until deadline: ContinuousClock.Instant?, _ read: (OpaquePointer) throws(Loss) -> Void) throws(Loss) {
        while true {
            let isFlushed = try flush()
            while PQisBusy(connection) == 0 {
                guard let result = PQgetResult(connection) else { return }
                defer { PQclear(result) }
                try read(result)
            }
            let rest = deadline.map { $0 - .now }
            if let rest, rest <= .zero { throw Loss(reason: "no answer in time", timedOut: true) }
            wait(toWrite: !isFlushed, atMost: isSecure ? min(rest ?? Self.tick, Self.tick) : rest)
            try consume()
        }
    }

    /// Takes the next notification off libpq's list.
    func nextNotification() -> PostgresNotification? {
        guard let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return PostgresNotification(
            channel: String(cString: notification.pointee.relname), payload: String(cString: notification.pointee.extra),
            processID: notification.pointee.be_pid
        )
    }

    /// Lends the values to libpq, which copies them, as the arrays it wants, made on the stack.
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
                            // An empty value still needs an address, any address: nil means null to libpq.
                            let start = bytes.baseAddress.map { $0 + field.start } ?? UnsafeRawPointer(lengths.baseAddress)
                            values.initializeElement(at: index, to: field.length == nil ? nil : start?.assumingMemoryBound(to: CChar.self))
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

/// Logs what the server says without being asked, which libpq would print to standard error.
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
