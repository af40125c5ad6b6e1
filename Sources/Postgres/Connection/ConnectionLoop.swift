// What a connection's thread does while its connection is open: take what waits as one burst, send it, wait for either side, read results.
// Run by PostgresPool and PostgresConnection; the rules of what comes back are Pipeline's. Read next: Pipeline.swift, Session.swift.
import CLibPQ
import Logging

/// Serves a mailbox with an open connection.
final class ConnectionLoop {
    /// How it ended.
    enum Ending {
        /// As it was told to, with nothing left.
        case closed
        /// With what was in flight, and what was accepted and not sent, each in order.
        case lost(Loss, inFlight: [Request], unsent: [Request])
    }

    /// One burst runs in the server while the next is on its way or collects; more would only wait there, where they can't be taken back.
    private static let burstLimit = 2
    /// Statements of one burst.
    private static let burstSize = 256
    /// How often the limits of time are looked at while something is in flight. A connection that has given no sign of life for so long
    /// is quiet: what it runs takes time or waits for a lock, and whoever comes next is better off on another.
    private static let tick = Duration.milliseconds(100)

    /// What has been sent since the last Sync.
    private enum Group {
        case none
        /// Reads; another read may follow.
        case shared
        case single
    }

    private let session: Session
    private let mailbox: Mailbox
    /// How long the server may give no sign of life while something is in flight.
    private let silenceLimit: Duration?
    private let onNotification: ((PostgresNotification) -> Void)?
    /// Called again and again while the connection is quiet, with copies of the reads in flight that are not what it waits for; answers
    /// whether they found a place elsewhere.
    private let onUnresponsive: (([Request]) -> Bool)?
    /// The reads of which copies are elsewhere.
    private var copied: Set<ObjectIdentifier> = []
    private var pipeline = Pipeline()
    private var statements = StatementCache()
    private var unsent: [Request] = []
    private var lastSign = ContinuousClock.now
    /// When it was looked for statements whose time is over.
    private var lastLook = ContinuousClock.now

    init(
        _ session: Session, _ mailbox: Mailbox, silenceLimit: Duration?, onNotification: ((PostgresNotification) -> Void)? = nil,
        onUnresponsive: (([Request]) -> Bool)? = nil
    ) {
        (self.session, self.mailbox, self.silenceLimit) = (session, mailbox, silenceLimit)
        (self.onNotification, self.onUnresponsive) = (onNotification, onUnresponsive)
    }

    /// Blocks until the mailbox says to end or the connection is lost. The mailbox is closed when it returns.
    func run() -> Ending {
        mailbox.setRunsJobs(true)
        defer { mailbox.setRunsJobs(false) }
        do {
            try session.enterPipelineMode()
            while try step() {}
            return .closed
        } catch {
            let waiting = mailbox.close()
            let inFlight = pipeline.abandon()
            return .lost(error, inFlight: inFlight, unsent: pipeline.again + unsent + waiting)
        }
    }

    /// One turn; false when everything is done and the mailbox says to end.
    private func step() throws(Loss) -> Bool {
        var phase = try sendWhatWaits()
        // The jobs of tasks that were resumed; what they ask for goes out before the thread sleeps.
        while case let jobs = mailbox.takeJobs(), !jobs.isEmpty {
            for job in jobs { job.runSynchronously(on: mailbox.asUnownedTaskExecutor()) }
            phase = try sendWhatWaits()
        }
        if phase == .abandoned { throw Loss(reason: "the client is shutting down") }
        let isIdle = pipeline.isEmpty && unsent.isEmpty
        if phase == .draining && isIdle { return false }
        let isFlushed = try session.flush()
        // Where the socket takes no more, libpq reads it while it sends: what has come so is no longer seen by a look at the socket.
        if try takeResults() { return true }
        let (hasInput, wasWoken) = session.wait(toWrite: !isFlushed, orFor: mailbox.wakeup.descriptor, atMost: isIdle ? nil : Self.tick)
        mailbox.noteAwake()
        if wasWoken { mailbox.wakeup.clear() }
        // What lies in OpenSSL wakes nobody: it is asked for at each turn, a tick later at the latest.
        if hasInput || session.isSecure && !isIdle { try session.consume() }
        try takeResults()
        if !isIdle { try checkTime(hasInput: hasInput) }
        return true
    }

    // MARK: - Sending

    /// Makes bursts of what waits as long as the pipeline has room for one. When it returns with room left, the mailbox was empty, and the next
    /// statement in it signals; or a script waits for the pipeline to run empty.
    private func sendWhatWaits() throws(Loss) -> Mailbox.Phase {
        while pipeline.bursts < Self.burstLimit {
            if !pipeline.again.isEmpty {
                unsent.insert(contentsOf: pipeline.again, at: 0)
                pipeline.again.removeAll(keepingCapacity: true)
            }
            let phase = mailbox.take(max(0, Self.burstSize - unsent.count), into: &unsent)
            if unsent.isEmpty { return phase }
            if pipeline.isEmpty { lastSign = .now }
            try sendBurst()
            guard case .script(let text)? = unsent.first?.operation.text else { continue }
            guard pipeline.isEmpty else { return phase }
            try run(script: text, unsent.removeFirst())
        }
        return mailbox.phase
    }

    /// Sends everything up to the next script. Neighbouring reads share a Sync.
    private func sendBurst() throws(Loss) {
        var count = 0
        defer {
            unsent.removeFirst(count)
            reportFinished()
        }
        var group = Group.none
        for request in unsent {
            guard case .statement(let statement, let parameters, let effect) = request.operation.text else { break }
            guard request.operation.begin() else {
                count += 1
                pipeline.finished += 1
                continue
            }
            let next = effect == .reads && !request.wasAborted ? Group.shared : .single
            let (prepared, name, isNew) = statements.use(statement, parameters)
            if group == .single || group == .shared && (next == .single || isNew) {
                try sync(endsBurst: false)
                group = .none
            }
            if isNew { try prepare(prepared, name, statement, parameters) }
            do {
                try session.execute(name, parameters)
                pipeline.expectRows(of: request, statement: prepared)
                group = next
            } catch {
                // This one is still unsent, and goes where the rest goes.
                if session.isBroken { throw Loss(reason: error.reason) }
                request.operation.fail(.invalidParameter(error.reason))
                pipeline.finished += 1
            }
            count += 1
        }
        if group != .none { try sync(endsBurst: true) }
    }

    /// In a transaction of its own, so that no neighbour's failure can abort it: statements that follow rely on it.
    private func prepare(
        _ prepared: StatementCache.Prepared, _ name: String, _ statement: Statement, _ parameters: Parameters
    ) throws(Loss) {
        do { try session.prepare(name, statement.sql, parameters) } catch { throw Loss(reason: error.reason) }
        pipeline.expectPreparation(of: prepared)
        try sync(endsBurst: false)
    }

    private func sync(endsBurst: Bool) throws(Loss) {
        pipeline.expectSync(endsBurst: endsBurst)
        try session.sync()
    }

    // MARK: - Receiving

    /// Takes what libpq has read; answers whether a statement was finished by it.
    @discardableResult
    private func takeResults() throws(Loss) -> Bool {
        // libpq answers nil once between two commands; twice means that it has no more.
        var emptyAnswers = 0
        while !pipeline.isEmpty, emptyAnswers < 2, PQisBusy(session.connection) == 0 {
            let result = PQgetResult(session.connection)
            defer { PQclear(result) }
            emptyAnswers = result == nil ? emptyAnswers + 1 : 0
            try pipeline.receive(result, &statements)
        }
        deliverNotifications()
        return reportFinished()
    }

    private func deliverNotifications() {
        while let notification = session.nextNotification() { onNotification?(notification) }
    }

    @discardableResult
    private func reportFinished() -> Bool {
        guard pipeline.finished > 0 else { return false }
        mailbox.load.subtract(pipeline.finished, ordering: .relaxed)
        pipeline.finished = 0
        return true
    }

    private func checkTime(hasInput: Bool) throws(Loss) {
        let now = ContinuousClock.now
        let wasUnresponsive = mailbox.isUnresponsive.load(ordering: .relaxed)
        let isUnresponsive = !hasInput && now - lastSign >= Self.tick
        if isUnresponsive != wasUnresponsive { mailbox.isUnresponsive.store(isUnresponsive, ordering: .relaxed) }
        if hasInput {
            lastSign = now
        } else if let silenceLimit, now - lastSign > silenceLimit {
            throw Loss(reason: "no sign of life for \(silenceLimit)", timedOut: true)
        }
        for request in mailbox.expire(now) { request.refuse(.unavailable("all connections are busy")) }
        // Also where something comes in all the time: of many short statements the last ones wait long.
        if isUnresponsive || now - lastLook >= Self.tick {
            lastLook = now
            pipeline.failOverdue(now)
        }
        guard isUnresponsive else {
            copied = []
            return
        }
        let copies = pipeline.readsBehindTheFirst(without: copied)
        if onUnresponsive?(copies) ?? false { copied.formUnion(copies.map { ObjectIdentifier($0.operation) }) }
    }

    // MARK: - Scripts

    /// Runs a text of several statements outside the pipeline, which is empty.
    private func run(script: String, _ request: Request) throws(Loss) {
        defer {
            pipeline.finished += 1
            reportFinished()
        }
        guard request.operation.begin() else { return }
        guard !script.utf8.contains(0) else { return request.operation.fail(.invalidParameter("the script holds a NUL")) }
        var firstError: ServerError?
        do throws(Loss) {
            try session.leavePipelineMode()
            guard PQsendQuery(session.connection, script) == 1 else { throw Loss(reason: session.message) }
            let deadline = silenceLimit.map { ContinuousClock.now + $0 }
            try session.exchange(until: deadline) { result throws(Loss) in
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                    request.operation.read(result)
                case PGRES_COPY_IN:
                    PQputCopyEnd(session.connection, "COPY FROM STDIN has no data here")
                case PGRES_FATAL_ERROR:
                    guard let error = ServerError(result) else { throw Loss(reason: session.message) }
                    if error.endsConnection { throw Loss(reason: error.description) }
                    firstError = firstError ?? error
                case let status:
                    throw Loss(reason: "unexpected \(String(cString: PQresStatus(status)))")
                }
            }
            statements.isInTransaction = PQtransactionStatus(session.connection) != PQTRANS_IDLE
            try session.enterPipelineMode()
        } catch {
            request.operation.fail(error.asPostgresError(mayHaveCommitted: true))
            throw error
        }
        if let firstError {
            request.operation.fail(firstError.asPostgresError)
        } else {
            request.operation.finish()
        }
        deliverNotifications()
    }
}

extension Loss {
    /// What the loss is to an operation that was in flight.
    func asPostgresError(mayHaveCommitted: Bool) -> PostgresError {
        timedOut
            ? .timedOut(mayHaveCommitted: mayHaveCommitted)
            : .connectionLost(ConnectionLoss(mayHaveCommitted: mayHaveCommitted, reason: reason))
    }
}
