// One connection of one's own: for migrations, for LISTEN, and for tests. It is not reopened when it is lost. Made by Database and tests.
// Read next: Opening.swift, ConnectionLoop.swift; Pool/PostgresPool.swift shares the rest.
import CLibPQ
import Logging

/// A connection to a database that stays open until it is closed or lost, or nobody holds it any more.
package final class PostgresConnection: StatementRunner {
    /// How many statements may wait here; the callers of one connection are few.
    private static let queueLimit = 4096
    /// How many notifications may wait for their reader. One more ends them, so that nobody takes a part for the whole.
    private static let notificationLimit = 1024

    /// What arrived on the channels listened to. Ends when the connection does, or when more than 1,024 wait: then some are lost.
    /// For one reader.
    package let notifications: AsyncStream<PostgresNotification>
    package let processID: Int32
    private let mailbox: Mailbox
    private let ended: Gate

    /// The version of the libpq that is loaded, as PostgreSQL counts: 150018 is 15.18.
    package static var libraryVersion: Int { Int(PQlibVersion()) }

    private init(mailbox: Mailbox, processID: Int32, notifications: AsyncStream<PostgresNotification>, ended: Gate) {
        (self.mailbox, self.processID, self.notifications, self.ended) = (mailbox, processID, notifications, ended)
    }

    deinit {
        mailbox.end(.draining)
    }

    /// Gives `work` a connection, and closes it whatever came of that: an open transaction ends with it.
    /// - Parameter failure: What to throw where there is no connection.
    package static func with<Value: Sendable, Failure: Error>(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration? = nil, logger: Logger,
        orThrow failure: (PostgresError) -> Failure, _ work: (PostgresConnection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let connection: PostgresConnection
        do {
            connection = try await connect(url, sessionSettings: sessionSettings, statementTimeout: statementTimeout, logger: logger)
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

    /// Connects to `url`, a libpq connection string or URI. Without a `statementTimeout` a statement may take as long as it likes.
    /// Fails as `unavailable`.
    package static func connect(
        _ url: String, sessionSettings: [String: String] = [:], statementTimeout: Duration? = nil, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        var configuration = ConnectionConfiguration(url: url)
        configuration.sessionSettings = sessionSettings
        let opening = Opening(configuration, statementTimeout: statementTimeout)
        let silenceLimit = statementTimeout.map { $0 + configuration.timeoutGrace }
        let mailbox = try Mailbox(limit: queueLimit)
        let ended = Gate()
        let (notifications, notify) = AsyncStream.makeStream(
            of: PostgresNotification.self, bufferingPolicy: .bufferingOldest(notificationLimit))
        let opened = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Backend, PostgresError>, Never>) in
            do throws(PostgresError) {
                try startThread {
                    defer {
                        notify.finish()
                        ended.open()
                    }
                    do throws(Loss) {
                        let (session, backend) = try opening.open(logger: logger)
                        guard mailbox.open() else { throw Loss(reason: "closed") }
                        continuation.resume(returning: .success(backend))
                        let loop = ConnectionLoop(session, mailbox, silenceLimit: silenceLimit) {
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
        return PostgresConnection(mailbox: mailbox, processID: try opened.get().processID, notifications: notifications, ended: ended)
    }

    /// Runs a text of several statements with the simple protocol, outside pipeline mode; the first error ends it. The text is one implicit
    /// transaction unless it says otherwise; `begin` and `commit` may be scripts of their own.
    package func run(script: String) async throws(PostgresError) {
        try await answer(Query<Void>.script(script), Parameters())
    }

    /// Asks for the notifications of a channel; they arrive in `notifications`.
    package func listen(to channel: String) async throws(PostgresError) {
        try await run(script: "listen \"\(channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\"")
    }

    /// Finishes what was accepted and closes the connection.
    package func close() async {
        mailbox.end(.draining)
        await ended.wait()
    }

    package func answer<Output>(_ query: Query<Output>, _ parameters: Parameters) async throws(PostgresError) -> Output {
        if let fault = parameters.fault { throw fault }
        return try await query.answer { query in
            // It waits only for its own connection, which the limits of time end if need be.
            switch mailbox.submit(Request(operation: query, deadline: .now + .seconds(86_400 * 365))) {
            case nil: break
            case .closed: query.fail(.unavailable("the connection is closed"))
            case .full: query.fail(.overloaded)
            }
        }
    }

    private static func failAll(_ ending: ConnectionLoop.Ending) {
        guard case .lost(let loss, let inFlight, let unsent) = ending else { return }
        for request in inFlight { request.operation.fail(loss.asPostgresError(mayHaveCommitted: request.operation.text.isWrite)) }
        for request in unsent { request.operation.fail(.connectionLost(ConnectionLoss(mayHaveCommitted: false, reason: loss.reason))) }
    }
}
