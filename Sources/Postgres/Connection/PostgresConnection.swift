// A single connection for migrations, LISTEN and tests. It is not reopened when it is lost.
import CLibPQ
import Logging

/// A connection to a database that stays open until it is closed, lost or released.
package final class PostgresConnection: StatementRunner {
    /// The maximum number of waiting statements. A single connection has few callers.
    private static let queueLimit = 4096
    /// The maximum number of unread notifications. One more ends the sequence, so that the reader notices the loss.
    private static let notificationLimit = 1024

    /// The notifications of the subscribed channels, for one reader. The sequence ends with the connection, or when
    /// more than 1,024 notifications are unread: then some are lost.
    package let notifications: AsyncStream<PostgresNotification>
    /// The id of the server process.
    package let processID: Int32
    let mailbox: StatementQueue
    private let ended: OneTimeEvent

    /// The version of the loaded libpq in PostgreSQL's format: 150018 means 15.18.
    package static var libraryVersion: Int { Int(PQlibVersion()) }

    private init(
        mailbox: StatementQueue, processID: Int32, notifications: AsyncStream<PostgresNotification>, ended: OneTimeEvent
    ) {
        (self.mailbox, self.processID, self.notifications, self.ended) = (mailbox, processID, notifications, ended)
    }

    deinit {
        mailbox.end(.draining)
    }

    /// Opens a connection, passes it to `work`, and closes it afterwards, which rolls back an open transaction.
    /// - Parameter failure: Converts the error of a failed connect.
    package static func with<Value: Sendable, Failure: Error>(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration? = nil, logger: Logger,
        orThrow failure: (PostgresError) -> Failure, _ work: (PostgresConnection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let connection: PostgresConnection
        do {
            connection = try await connect(
                url, sessionSettings: sessionSettings, statementTimeout: statementTimeout, logger: logger)
        } catch {
            throw failure(error)
        }
        do {
            let value = try await work(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Connects to `url`, a libpq connection string or URI. Without a `statementTimeout` statements may take any time.
    /// Throws `unavailable` on failure.
    package static func connect(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration? = nil, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        var configuration = ConnectionConfiguration(url: url)
        configuration.sessionSettings = sessionSettings
        let opening = SessionOpener(configuration, statementTimeout: statementTimeout)
        let silenceLimit = statementTimeout.map { $0 + configuration.timeoutGrace }
        let mailbox = try StatementQueue(limit: queueLimit)
        let ended = OneTimeEvent()
        let (notifications, notify) = AsyncStream.makeStream(
            of: PostgresNotification.self, bufferingPolicy: .bufferingOldest(notificationLimit))
        let opened = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Backend, PostgresError>, Never>) in
            do throws(PostgresError) {
                try startThread {
                    defer {
                        notify.finish()
                        ended.signal()
                    }
                    do throws(ConnectionFailure) {
                        let (session, backend) = try opening.open(logger: logger)
                        guard mailbox.open() else { throw ConnectionFailure(reason: "closed") }
                        continuation.resume(returning: .success(backend))
                        let loop = ConnectionLoop(session, mailbox, inactivityTimeout: silenceLimit) {
                            if case .dropped = notify.yield($0) { notify.finish() }
                        }
                        failAll(loop.run())
                    } catch {
                        continuation.resume(returning: .failure(.unavailable(error.reason)))
                    }
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return PostgresConnection(
            mailbox: mailbox, processID: try opened.get().processID, notifications: notifications, ended: ended)
    }

    /// Runs a script of several statements with the simple protocol, outside pipeline mode; the first error ends it.
    /// The script is one implicit transaction by default; `begin` and `commit` may be separate scripts.
    package func run(script: String) async throws(PostgresError) {
        try await perform(Query<Void>.script(script), Parameters())
    }

    /// Subscribes to a channel, whose messages arrive in `notifications`.
    package func listen(to channel: String) async throws(PostgresError) {
        let escaped = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        try await run(script: "listen \"\(escaped)\"")
    }

    /// Finishes the accepted statements and closes the connection.
    package func close() async {
        mailbox.end(.draining)
        await ended.wait()
    }

    /// Submits the query to the connection and waits for its result.
    package func perform<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output
    {
        if let fault = parameters.encodingError { throw fault }
        return try await query.submitAndWait { query in
            // The send deadline of one year never passes: the connection has its own time limits.
            switch mailbox.submit(QueuedStatement(operation: query, sendDeadline: .now + .seconds(86_400 * 365))) {
            case nil: break
            case .closed: query.fail(.unavailable("the connection is closed"))
            case .full: query.fail(.overloaded)
            }
        }
    }

    private static func failAll(_ ending: ConnectionLoop.Ending) {
        guard case .failed(let loss, let inFlight, let unsent) = ending else { return }
        for request in inFlight {
            request.operation.fail(loss.asPostgresError(mayHaveCommitted: request.operation.text.isWrite))
        }
        for request in unsent {
            request.operation.fail(.connectionLost(InterruptedStatement(mayHaveCommitted: false, reason: loss.reason)))
        }
    }
}
